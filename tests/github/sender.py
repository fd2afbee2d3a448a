"""What all scenarios share: who hears of an event, and the sending."""

from typing import Any

from tests.github import payloads
from tests.github.records import Delivery, Json, Repository
from tests.github.represent import Shapes
from tests.github.state import State
from tests.github.webhooks import Webhooks

MAINTAINER = "octo-maintainer"
# Sent to Apps with checks:write, subscribed or not: https://docs.github.com/webhooks/webhook-events-and-payloads
UNASKED = ("check_run.rerequested", "check_run.requested_action", "check_suite.requested", "check_suite.rerequested")


class Sender:
    """Sends the events of one App."""

    state: State
    shapes: Shapes
    webhooks: Webhooks

    def payload_for(self, name: str, subject: payloads.Subject, sender: str = MAINTAINER, **parts: Any) -> Json:
        """The payload of `event.action` about a pull request, check run, check suite or comment, without sending it.

        `parts` are put in last: `changes`, `before` and `after`, `requested_action`.
        """
        repository = payloads.repository_of(subject)
        installation = self.state.installation_of(repository, self.webhooks.app)
        with self.state.lock:
            own = payloads.parts_of(self.shapes, name, subject)
            person = self.state.user(sender)
            return payloads.about(self.shapes, name, repository, installation, person, **{**own, **parts})

    def _tell(
        self, name: str, subject: payloads.Subject, send: bool, sender: str = MAINTAINER, **parts: Any
    ) -> Delivery | None:
        """Send `event.action` about one thing to the App, if it hears of it."""
        if not self._hears(name, payloads.repository_of(subject)):
            return None
        return self._send(name.partition(".")[0], self.payload_for(name, subject, sender, **parts), send)

    def _announce(self, name: str, repository: Repository, send: bool, **parts: Any) -> Delivery | None:
        """Send `event.action` (or an event without actions) about a whole repository."""
        if not self._hears(name, repository):
            return None
        installation = self.state.installation_of(repository, self.webhooks.app)
        body = payloads.about(self.shapes, name, repository, installation, self.state.user(MAINTAINER), **parts)
        return self._send(name.partition(".")[0], body, send)

    def _push(self, repository: Repository, branch: str, sha: str, send: bool) -> Delivery | None:
        """Move a branch and send the push event."""
        ref = f"refs/heads/{branch}"
        before = repository.git.ref(ref) or payloads.NO_COMMIT
        repository.git.set_ref(ref, sha)
        parts = payloads.push_parts(self.shapes, repository, ref, before, sha)
        return self._announce("push", repository, send, **parts)

    def _hears(self, name: str, repository: Repository) -> bool:
        installation = self.state.installation_of(repository, self.webhooks.app)
        if installation is None or installation.suspended_at:
            return False
        return name in UNASKED or name.partition(".")[0] in installation.events

    def _send(self, event: str, body: Json, send: bool) -> Delivery | None:
        if not send or not self.webhooks.app.webhook_url:
            return None
        return self.webhooks.deliver(event, body)

    def _person(self, login: str) -> Json:
        return self.shapes.user(self.state.user(login))
