"""One token per installation, renewed once however many ask."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from bot.retries import Suspended
from bot.tokens import STAGE_SECONDS, Credentials, Token, TokenCache


class Office:
    """Hands out tokens that last ``life`` seconds, slowly, and counts them."""

    def __init__(self, life: float = 3600) -> None:
        self.life = life
        self.given: list[int] = []
        self._lock = threading.Lock()

    def renew(self, installation_id: int) -> Token:
        time.sleep(0.02)
        with self._lock:
            self.given.append(installation_id)
            return Token(f"ghs_{installation_id}_{len(self.given)}", time.time() + self.life)


def test_many_threads_renew_once_per_installation() -> None:
    office = Office()
    cache = TokenCache(office.renew)
    with ThreadPoolExecutor(16) as pool:
        found = list(pool.map(cache.get, [1, 2] * 16))
    assert sorted(office.given) == [1, 2]
    assert len(set(found)) == 2


@pytest.mark.parametrize(("life", "asked"), [(STAGE_SECONDS + 60, 1), (STAGE_SECONDS - 60, 2)])
def test_a_token_lasts_for_a_stage(life: float, asked: int) -> None:
    office = Office(life)
    cache = TokenCache(office.renew)
    cache.get(1)
    cache.get(1)
    assert len(office.given) == asked


def test_a_refused_token_is_forgotten_unless_it_was_renewed_meanwhile() -> None:
    office = Office()
    cache = TokenCache(office.renew)
    old = cache.get(1)
    cache.drop(1, old)
    new = cache.get(1)
    assert new != old
    cache.drop(1, old)
    assert cache.get(1) == new
    cache.drop(2, old)


def test_a_failed_renewal_is_told_and_tried_again() -> None:
    answers = iter([Suspended("suspended"), Token("ghs_1", time.time() + 3600)])

    def renew(installation_id: int) -> Token:
        answer = next(answers)
        if isinstance(answer, Exception):
            raise answer
        return answer

    cache = TokenCache(renew)
    with pytest.raises(Suspended):
        cache.get(1)
    assert cache.get(1) == "ghs_1"


def test_credentials_are_masked_in_pygithubs_log() -> None:
    credentials = Credentials()
    credentials.value = "ghs_secret"
    headers: dict[str, str] = {}
    credentials.authentication(headers)
    assert headers == {"Authorization": "Bearer ghs_secret"}
    credentials.mask_authentication(headers)
    assert "ghs_secret" not in headers["Authorization"]
