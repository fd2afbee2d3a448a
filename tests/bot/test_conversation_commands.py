"""The first line of a comment as a command."""

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.conversation.commands import Explain, MisusedError, Recheck, Unknown, Unwaive, Waive, first_line, parse
from bot.conversation.explain import explained

S1 = "closed/Acme/results/S1"


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("/recheck", Recheck(None)),
        ("  /recheck  \nthanks", Recheck(None)),
        ("/recheck S1", Recheck("S1")),
        (f"/recheck {S1}/", Recheck(S1)),
        ("/recheck closed/Acme · S1", Recheck("closed/Acme · S1")),
        (
            f"/waive 2.1.7 {S1}/** until 2026-12-31 because the power  was cut",
            Waive("2.1.7", f"{S1}/**", datetime.date(2026, 12, 31), "the power was cut"),
        ),
        ("/waive 2.1.7 a b/c until 2026-12-31 because x", Waive("2.1.7", "a b/c", datetime.date(2026, 12, 31), "x")),
        (f"/unwaive 2.1.7 {S1}", Unwaive("2.1.7", S1)),
        ("/explain 3.3.2", Explain("3.3.2")),
        ("/lgtm", Unknown("lgtm")),
        ("/waives x", Unknown("waives")),
    ],
)
def test_commands(text: str, command: object) -> None:
    line = first_line(text)
    assert line is not None
    assert parse(line) == command


NO_COMMANDS = ["", "recheck", "please /recheck", "/", "//x", "/home/user", "/Recheck", "> /recheck"]
SHOWN_AS_CODE = ["    /recheck", "\t/recheck", "\n    /recheck\n", "```\n/recheck\n```", "`/recheck`"]


@pytest.mark.parametrize("text", NO_COMMANDS + SHOWN_AS_CODE)
def test_what_is_no_command(text: str) -> None:
    assert first_line(text) is None


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("/waive", "The form is /waive"),
        ("/waive 2.1.7 reason", "The form is /waive"),
        (f"/waive 2.1.7 {S1} until 2026-12-31", "needs a reason"),
        (f"/waive 2.1.7 {S1} until 2026-12-31 because   ", "needs a reason"),
        (f"/waive 2.1.7 {S1} until tomorrow because x", "tomorrow is not a day"),
        ("/waive 2.1.7 ** until 2026-12-31 because x", "must begin with a name"),
        ("/waive 2.1.7 ./** until 2026-12-31 because x", "must begin with a name"),
        ("/waive 2.1.7 `**` until 2026-12-31 because x", "must begin with a name"),
        ("/waive 2.1.7 `./?*/**` until 2026-12-31 because x", "must begin with a name"),
        ("/waive 2.1.7 . until 2026-12-31 because x", "must begin with a name"),
        ("/waive 2.1.7 `/etc` until 2026-12-31 because x", "must begin with a name"),
        ("/waive 2.1.7 /etc until 2026-12-31 because x", "must begin with a name"),
        ("/unwaive 2.1.7", "The form is /unwaive"),
        ("/explain", "The form is /explain"),
        ("/explain 1 2", "The form is /explain"),
    ],
)
def test_commands_without_what_they_need(text: str, reason: str) -> None:
    with pytest.raises(MisusedError, match=reason):
        parse(text)


@given(st.text(max_size=200).map("/waive ".__add__) | st.text(max_size=80).map("/".__add__))
def test_any_line_is_understood_or_told(text: str) -> None:
    line = first_line(text)
    if line is not None:
        try:
            parse(line)
        except MisusedError as error:
            assert str(error)


@pytest.mark.parametrize("rule", ["2.1.7", "power-descriptor", "input.json", "owner.foreign-folder"])
def test_a_rule_is_explained_with_its_place_and_the_way_out(rule: str) -> None:
    text = explained(rule)
    assert text is not None
    assert text.count("**") == 2 * text.count(f"**{rule}".replace(".", "."))
    if rule == "2.1.7":
        assert "https://github.com/mlcommons/storage/blob/main/Rules.md" in text
        assert "To mend it" in text


def test_an_unknown_rule_has_no_explanation() -> None:
    assert explained("9.9.9") is None
