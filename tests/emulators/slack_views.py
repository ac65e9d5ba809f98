"""Views as people use them: modals, which are filled in and sent or closed, and the Home tab."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.emulators.slack_acts import filled
from tests.emulators.slack_blocks import checked_view, elements
from tests.emulators.slack_delivery import INTERACTIVE, Deliveries, Envelope
from tests.emulators.slack_forms import view_form
from tests.emulators.slack_methods_views import STACK, pushed, renew
from tests.emulators.slack_payloads import interaction, sight
from tests.emulators.slack_people import DEFAULT_USER, GroupSide
from tests.emulators.slack_shown import view_text
from tests.emulators.slack_world import Json, Team, View

TROUBLE = "We had some trouble connecting. Try again?"


class ViewSide(GroupSide):
    """What people do with views. A view is named by its id."""

    deliveries: Deliveries
    _errors: dict[str, dict[str, str]]

    def home(self, user: str = DEFAULT_USER, team: str = "") -> View | None:
        """Return the Home tab of *user*, None before the bot has made one."""
        return self.workspace(team).homes.get(user)

    def home_text(self, user: str = DEFAULT_USER, team: str = "") -> str:
        """Return what stands in the Home tab of *user*."""
        view = self.home(user, team)
        return view_text(self.workspace(team), view) if view else ""

    def views(self, user: str = DEFAULT_USER, team: str = "") -> list[View]:
        """Return the modals that *user* has open, the one on top last."""
        return list(self.workspace(team).modals.get(user, ()))

    def open_home(self, user: str = DEFAULT_USER, *, tab: str = "home", team: str = "") -> None:
        """Let *user* look at the app's Home tab, or at its *tab* "messages"."""
        home = self.workspace(team)
        event: Json = {"type": "app_home_opened", "user": user, "channel": self.dm(user, team), "tab": tab}
        if tab == "home" and user in home.homes:
            event["view"] = view_form(home.homes[user], home)
        self.telling.event(home, event | sight(self.world, home, user) | {"event_ts": self.world.next_ts()})

    def look(self, channel: str, user: str = DEFAULT_USER, *, team: str = "") -> None:
        """Let *user* look at a channel, which need not be one of the app's; an agent is told (app_context_changed)."""
        home = self.workspace(team)
        seen = [{"type": "slack#/types/channel_id", "value": channel, "team_id": home.id}]
        home.looking[user] = seen
        if self.world.app.agent:
            event: Json = {"type": "app_context_changed", "user": user, "channel": self.dm(user, team)}
            self.telling.event(home, event | {"context": {"entities": seen}, "event_ts": self.world.next_ts()})

    def submit(
        self, values: Mapping[str, Any], user: str = DEFAULT_USER, *, view: str = "", team: str = ""
    ) -> Envelope:
        """Let *user* fill in the modal on top and send it; *values* go by the label or the action_id of the inputs.

        Raises ``ValueError`` for an input that is not there, an option that is not offered, or one left empty that
        must not be.
        """
        home, shown = self._modal(user, view, team)
        left = dict(values)
        for block in shown.content["blocks"]:
            for element in elements(block) if block["type"] == "input" else ():
                name = next((n for n in (block["label"]["text"], element["action_id"]) if n in left), "")
                content = filled(element, left.pop(name, None))
                if not block.get("optional") and not any(v for k, v in content.items() if k != "type"):
                    raise ValueError(f"{block['label']['text']!r} must be filled in")
                shown.state["values"].setdefault(block["block_id"], {})[element["action_id"]] = content
        if left:
            raise ValueError(f"no input {min(left)!r}")
        payload = self._about(home, user, shown, "view_submission") | {"response_urls": []}
        return self.deliveries.send(INTERACTIVE, payload, lambda envelope: self._sent(home, shown, envelope))

    def close(self, user: str = DEFAULT_USER, *, view: str = "", clear: bool = False, team: str = "") -> None:
        """Let *user* close the modal on top, or all of them with *clear*; the bot is told if it has asked for that."""
        home, shown = self._modal(user, view, team)
        stack = home.modals[user]
        for one in list(stack) if clear else [shown]:
            stack.remove(one)
            if one.content.get("notify_on_close"):
                payload = self._about(home, user, one, "view_closed") | {"is_cleared": clear}
                self.deliveries.send(INTERACTIVE, payload)
        self.changed()

    def _about(self, home: Team, user: str, view: View, kind: str) -> Json:
        person = home.users[user]
        trigger = {"trigger_id": self.world.trigger(home, user).id} if kind == "view_submission" else {}
        return interaction(self.world, home, person, kind, view=view_form(view, home), **trigger)

    def _modal(self, user: str, view: str, team: str) -> tuple[Team, View]:
        home = self.workspace(team)
        stack = home.modals.get(user, [])
        if not stack or view not in ("", stack[-1].id):
            raise ValueError(f"{user} has no modal {view or 'open'}")
        return home, stack[-1]

    def errors(self, user: str = DEFAULT_USER, team: str = "") -> dict[str, str]:
        """Return what the modal on top says is wrong: by block_id, or under "" that the bot did not answer."""
        _, shown = self._modal(user, "", team)
        return self._errors.get(shown.id, {})

    def _sent(self, home: Team, view: View, envelope: Envelope) -> None:
        """Do what the acknowledgement says; without one the modal stays."""
        stack = home.modals.get(view.user, [])
        self._errors.pop(view.id, None)
        if not envelope.acked:
            self._errors[view.id] = {"": TROUBLE}
        elif view in stack:
            self._answered(home, view, stack, envelope.response or {})

    def _answered(self, home: Team, view: View, stack: list[View], answer: Json) -> None:
        act = answer.get("response_action")
        if act == "errors":
            self._errors[view.id] = _known_errors(view, answer.get("errors", {}))
        elif act == "clear":
            stack.clear()
        elif act == "update":
            renew(self.world, view, checked_view(answer.get("view"), "modal"))
        elif act == "push" and len(stack) < STACK:
            pushed(self.world, home, stack, checked_view(answer.get("view"), "modal"))
        elif act:
            raise ValueError(f"no response_action {act!r} with {len(stack)} views open")
        else:
            stack.remove(view)


def _known_errors(view: View, errors: dict[str, str]) -> dict[str, str]:
    known = {block["block_id"] for block in view.content["blocks"] if block["type"] == "input"}
    strange = errors.keys() - known
    if strange or not errors:
        raise ValueError(f"response_action errors names no input block: {sorted(strange)}")
    return errors
