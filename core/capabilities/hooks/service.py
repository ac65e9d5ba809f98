"""What people do with hooks: make one, let it rest, let it go on, remove it."""

from __future__ import annotations

from dataclasses import dataclass

from core.capabilities.hooks import repository as hooks
from core.capabilities.hooks.calls import Addresses, answers
from core.capabilities.hooks.models import PREFIX, Hook, HookKind, PausedFor
from core.kernel import ids
from core.kernel.errors import Refused
from core.kernel.markdown import coded, literal
from core.kernel.ports import Tx
from core.language import pick
from core.toolkit.action import action
from core.toolkit.tool import ToolContext

# In a chat, and that one person answers for in all chats.
MOST = 20


@dataclass(frozen=True, kw_only=True)
class Changed:
    """What became of a hook: its id, its name, and whether anything changed."""

    hook: str
    name: str
    changed: bool = True


@action("hooks")
def make_hook(tx: Tx, context: ToolContext, kind: str, name: str, prompt: str, digest: str) -> Changed:
    """Make a hook of the chat, for which the person answers; its address is known by a digest."""
    if not answers(context.access, context.participant):
        raise Refused("hook_needs_member")
    person_id, lane = context.principal.person_id, context.lane
    if max(len(hooks.all_in(tx, lane)), hooks.count_of(tx, lane, person_id)) >= MOST:
        raise Refused("hook_too_many", most=MOST)
    now = context.clock.now()
    number = hooks.insert(tx, lane, person_id, kind=HookKind(kind), name=name, prompt=prompt, digest=digest, now=now)
    tx.after_commit(context.services.get(Addresses).look_again)
    return Changed(hook=ids.ref(PREFIX, number), name=name)


@action("hooks")
def pause_hook(tx: Tx, context: ToolContext, hook_id: str) -> Changed:
    """Let a hook of the chat rest."""
    hook = find(tx, context, hook_id)
    return Changed(hook=hook.ref, name=hook.name, changed=hooks.pause(tx, hook, PausedFor.ASKED))


@action("hooks")
def resume_hook(tx: Tx, context: ToolContext, hook_id: str) -> Changed:
    """Let a hook of the chat go on; the person answers for it from now on."""
    hook, person_id = find(tx, context, hook_id), context.principal.person_id
    if not answers(context.access, context.participant):
        raise Refused("hook_needs_member")
    if hook.person_id != person_id and hooks.count_of(tx, context.lane, person_id) >= MOST:
        raise Refused("hook_too_many", most=MOST)
    return Changed(hook=hook.ref, name=hook.name, changed=hooks.resume(tx, hook, person_id))


@action("hooks")
def remove_hook(tx: Tx, context: ToolContext, hook_id: str) -> Changed:
    """Remove a hook of the chat: its address leads nowhere from now on."""
    hook = find(tx, context, hook_id)
    hooks.remove(tx, hook)
    return Changed(hook=hook.ref, name=hook.name)


def find(tx: Tx, context: ToolContext, hook_id: str) -> Hook:
    """Return the hook of the chat with an id, or of a name that only one has; raise `Refused` where there is none, and
    where several have it, which are named by their ids then."""
    number = ids.number(PREFIX, hook_id)
    found = None if number is None else hooks.find(tx, context.lane, number)
    if found is not None:
        return found
    named = [one for one in hooks.all_in(tx, context.lane) if one.name.casefold() == hook_id.casefold()]
    if not named:
        raise Refused("hook_unknown")
    if len(named) > 1:
        refs = pick(context.language).joined([coded(one.ref) for one in named])
        raise Refused("hook_several", n=len(named), name=literal(named[0].name), refs=refs)
    return named[0]
