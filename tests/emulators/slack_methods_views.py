"""views.*: modals, opened with what an interaction gave, and the Home tab."""

from __future__ import annotations

import time
from typing import Any

from tests.emulators.slack_asking import Ask, Method
from tests.emulators.slack_blocks import checked_view
from tests.emulators.slack_forms import view_form
from tests.emulators.slack_rules import ApiError
from tests.emulators.slack_world import Json, Team, Trigger, View, World

# views.push, "push_limit_reached".
STACK = 3


class Views:
    """The methods for views; a modal is on top of its user's stack."""

    def table(self) -> dict[str, Method]:
        """Return the methods by name."""
        return {
            "views.open": self._open,
            "views.push": self._push,
            "views.update": self._update,
            "views.publish": self._publish,
        }

    def _open(self, ask: Ask) -> Json:
        content = checked_view(ask.params["view"], "modal")
        trigger = spent(ask.world, ask.team, ask.params.get("trigger_id", ""))
        _check_external(ask.team, content)
        view = fresh(ask.world, ask.team, trigger.user, content)
        ask.team.modals[trigger.user] = [view]
        return {"view": view_form(view, ask.team)}

    def _push(self, ask: Ask) -> Json:
        content = checked_view(ask.params["view"], "modal")
        trigger = spent(ask.world, ask.team, ask.params.get("trigger_id", ""))
        stack = ask.team.modals.get(trigger.user) or []
        if not stack:
            raise ApiError("not_found")
        if len(stack) >= STACK:
            raise ApiError("push_limit_reached")
        _check_external(ask.team, content)
        view = pushed(ask.world, ask.team, stack, content)
        return {"view": view_form(view, ask.team)}

    def _update(self, ask: Ask) -> Json:
        view = _found(ask)
        content = checked_view(ask.params["view"], view.content["type"])
        _check_hash(ask, view)
        _check_external(ask.team, content, view)
        renew(ask.world, view, content)
        return {"view": view_form(view, ask.team)}

    def _publish(self, ask: Ask) -> Json:
        if not ask.world.app.home_tab:
            raise ApiError("not_enabled")
        content = checked_view(ask.params["view"], "home")
        user = ask.person(ask.params["user_id"])
        view = ask.team.homes.get(user.id)
        if view is not None:
            _check_hash(ask, view)
            renew(ask.world, view, content)
        else:
            view = fresh(ask.world, ask.team, user.id, content)
            ask.team.homes[user.id] = view
        return {"view": view_form(view, ask.team)}


def spent(world: World, team: Team, trigger_id: str) -> Trigger:
    """Use a trigger up and return it; raise ``ApiError`` when it is unknown, used or late."""
    trigger = world.triggers.get(trigger_id)
    if trigger is None or trigger.team != team.id:
        raise ApiError("invalid_trigger_id")
    if trigger.spent:
        raise ApiError("exchanged_trigger_id")
    if trigger.until <= time.monotonic():
        raise ApiError("expired_trigger_id")
    trigger.spent = True
    return trigger


def fresh(world: World, team: Team, user: str, content: Json, **fields: Any) -> View:
    """Return a view that nobody has seen yet."""
    return View(id=world.next_id("V"), team=team.id, user=user, content=content, hash=_hash(world), **fields)


def pushed(world: World, team: Team, stack: list[View], content: Json) -> View:
    """Put a view on top of *stack* and return it."""
    view = fresh(world, team, stack[0].user, content, root_id=stack[0].root_id or stack[0].id, previous_id=stack[-1].id)
    stack.append(view)
    return view


def renew(world: World, view: View, content: Json) -> None:
    """Let *view* show *content* from now on; what was filled in stays where its block and action stay."""
    asked = {block["block_id"] for block in content["blocks"]}
    values = view.state["values"]
    view.state = {"values": {name: value for name, value in values.items() if name in asked}}
    view.content, view.hash = content, _hash(world)


def _hash(world: World) -> str:
    return world.next_ts()


def _found(ask: Ask) -> View:
    views = [*ask.team.homes.values(), *(view for stack in ask.team.modals.values() for view in stack)]
    wanted, external = ask.params.get("view_id"), ask.params.get("external_id")
    for view in views:
        if view.id == wanted or (external and view.content.get("external_id") == external):
            return view
    raise ApiError("not_found")


def _check_hash(ask: Ask, view: View) -> None:
    if ask.params.get("hash") not in (None, view.hash):
        raise ApiError("hash_conflict")


def _check_external(team: Team, content: Json, own: View | None = None) -> None:
    external = content.get("external_id")
    views = [*team.homes.values(), *(view for stack in team.modals.values() for view in stack)]
    if external and any(v.content.get("external_id") == external for v in views if v is not own):
        raise ApiError("duplicate_external_id")
