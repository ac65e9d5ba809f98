"""What capabilities bring to the life of a trigger and its message is asked of each of them, in their order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from core.kernel.ports import Tx
from core.kernel.timing.trigger import Trigger
from core.store.conversation.outbox import Post
from core.toolkit.capability import Schedules
from core.toolkit.services import Services


def write(services: Services, tx: Tx, post: Post) -> Mapping[str, Any] | None:
    """Return the payload of a message as it is to be sent now; None when it is not wanted any more."""
    for hooks in services.every(Schedules):
        if hooks.write is not None:
            payload = hooks.write(services, tx, post)
            if payload is None:
                return None
            post = replace(post, payload=payload)
    return post.payload


def refused(services: Services, tx: Tx, post: Post, *, blocked: bool) -> bool:
    """Let everybody hear that a message was refused for good; return whether who waits for it was told in private."""
    hearing = [hooks.refused for hooks in services.every(Schedules) if hooks.refused is not None]
    return any([hear(services, tx, post, blocked) for hear in hearing])


def done(services: Services, tx: Tx, tenant_id: int, trigger_id: int, person_id: int) -> None:
    """See to what depends on what a trigger reminded of: all whom it was for have done it, somebody as the last."""
    for hooks in services.every(Schedules):
        if hooks.done is not None:
            hooks.done(services, tx, tenant_id, trigger_id, person_id)


def moved(services: Services, tx: Tx, trigger: Trigger) -> None:
    """See to what depends on a trigger that is due at another time now, and be awake then."""
    for hooks in services.every(Schedules):
        if hooks.moved is not None:
            hooks.moved(services, tx, trigger)
    tx.after_commit(lambda: services.engine.wake(trigger.next_at))
