"""/hook: addresses to which other programs post. The address of a new one is shown once, in private."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from core.capabilities.hooks import repository as hooks
from core.capabilities.hooks import service
from core.capabilities.hooks.calls import PATH, answers, title
from core.capabilities.hooks.models import Hook, HookKind, HookState
from core.delivery.composer import Composer
from core.kernel import secret_words
from core.kernel.clean_text import cleaned, label
from core.kernel.markdown import coded, labelled
from core.kernel.ports import Tx
from core.kernel.replies import Offer, Reply
from core.kernel.types import LaneKey, Standing
from core.language.lines import cut
from core.store.people import people
from core.store.people.chats import ChatState
from core.toolkit.command import Command, CommandRun, intent
from core.toolkit.web import WebAddress

MOST_PROMPT = 1_000
# What stands behind /hook, in all languages.
ACTS: Mapping[str, str] = {
    **{name: name for name in ("new", "pause", "resume", "remove")},
    **{"neu": "new", "weiter": "resume", "löschen": "remove", "entfernen": "remove", "delete": "remove"},
    **{"新建": "new", "暂停": "pause", "恢复": "resume", "删除": "remove"},
}
KINDS: Mapping[str, HookKind] = {
    **{"message": HookKind.MESSAGE, "nachricht": HookKind.MESSAGE, "消息": HookKind.MESSAGE},
    **{"task": HookKind.TASK, "aufgabe": HookKind.TASK, "任务": HookKind.TASK},
}
SIGNED = frozenset({"signed", "signiert", "签名"})


def _hook(run: CommandRun, tx: Tx) -> Reply:
    word, _, rest = run.rest.partition(" ")
    match ACTS.get(word.lower(), word):
        case "":
            return _list(run, tx)
        case "new":
            return _new(run, tx, rest.split())
        case "pause":
            return _paused(run, tx, hook=rest)
        case "resume":
            return _resumed(run, tx, hook=rest)
        case "remove":
            return _removed(run, tx, hook=rest)
        case _:
            return run.say("hook_usage")


def _new(run: CommandRun, tx: Tx, words: list[str]) -> Reply:
    """Make a hook, and show its address where only who made it sees it."""
    signed = bool(words) and words[0].lower() in SIGNED
    words = words[1:] if signed else words
    kind = KINDS.get(words[0].lower()) if words else None
    text = cleaned(" ".join(words if kind is None else words[1:]))
    kind = kind or HookKind.MESSAGE
    web, context = run.context.services.get(WebAddress), run.context
    lane = people.private_lane(tx, context.lane.tenant_id, context.principal.person_id) if run.group else context.lane
    if refused := _impossible(run, tx, web, kind, text, lane, signed=signed):
        return run.say(refused, most=MOST_PROMPT)
    assert lane is not None
    address, prompt = secret_words.made(secret_words.ADDRESS), text if kind is HookKind.TASK else ""
    name = label(text, 40)
    made = run.actor.act(
        tx, service.make_hook, kind=kind.value, name=name, prompt=prompt, digest=secret_words.digest(address)
    )
    hook = service.find(tx, context, made.hook)
    texts = run.language
    told = [texts.say(f"hook_made_{kind}", name=title(hook), url=coded(f"{web.url}{PATH}/{address}"))]
    if signed and web.seals is not None:
        key = secret_words.made(secret_words.KEY)
        hooks.keep_key(tx, hook, web.seals.seal(key, hook.sealing_context))
        told.append(texts.say("hook_key", secret=coded(key)))
    told.append(texts["hook_shown_once"])
    text = "\n\n".join(told)
    if not run.group:
        return replace(run.reply(text), kept=secret_words.hidden(text))
    composer = context.services.get(Composer)
    outgoing = composer.outgoing(
        context.participant.platform, f"hook:{hook.hook_id}:made", text, person_id=context.principal.person_id
    )
    outgoing.kept, outgoing.notice = secret_words.hidden(text), True
    composer.say(tx, lane, outgoing)
    return run.say("hook_made_here", name=title(hook))


def _impossible(
    run: CommandRun, tx: Tx, web: WebAddress, kind: HookKind, text: str, lane: LaneKey | None, *, signed: bool
) -> str:
    """Return the key of the text that says why no such hook can be made; empty where it can. `lane` is their private
    chat."""
    there = None if lane is None else people.participant(tx, lane, run.context.principal.person_id)
    task = kind is HookKind.TASK
    reasons = {
        "hook_no_url": not web.url,
        "hook_no_key": signed and web.seals is None,
        "hook_no_prompt": task and not text,
        "hook_no_model": task and run.context.services.model is None,
        "hook_long": len(text) > MOST_PROMPT,
        "failed_hook_needs_member": not answers(run.context.access, run.context.participant),
        "hook_private_first": there is None or there.chat_state == ChatState.GONE,
    }
    return next((key for key, is_so in reasons.items() if is_so), "")


def _list(run: CommandRun, tx: Tx, said: str = "") -> Reply:
    """Show the hooks of the chat, below what was `said` of one; in the place of the list whose button was pressed."""
    texts, found = run.language, hooks.all_in(tx, run.context.lane)
    told, offers = [said] if said else [], list[Offer]()
    told.append(texts["hook_list" if found else "hook_none"])
    for hook in found:
        told.append(_line(run, tx, hook))
        name, rests = labelled(hook.name, hook.ref), hook.state is HookState.PAUSED
        if sum(one.name.casefold() == hook.name.casefold() for one in found) > 1 and hook.name:
            name = f"{name} {hook.ref}"
        act, key = (resume, "hook_resume") if rests else (pause, "hook_pause")
        offers.append((texts.say(key, name=name), act.of(hook=hook.ref)))
        offers.append((texts.say("hook_remove", name=name), remove.of(hook=hook.ref)))
    return replace(run.reply("\n".join(told), offers=offers, edits=True, once=False), own=True)


def _line(run: CommandRun, tx: Tx, hook: Hook) -> str:
    """Return a line of the list: how a hook is called, what comes of it, who answers for it, and when it was used
    last."""
    texts = run.language
    told = [texts.say(f"hook_is_{hook.kind}", prompt=cut(hook.prompt)), texts["hook_unused"]]
    if hook.called_at is not None:
        told[1] = texts.say(
            "hook_used",
            times=texts.many("hook_times", hook.calls),
            at=texts.when(hook.called_at, run.clock_zone.key),
        )
    if hook.sealed:
        told.append(texts["hook_signed"])
    if run.group:
        told.append(texts.say("hook_by", person=cut(people.name(tx, hook.lane, hook.person_id))))
    if hook.state is HookState.PAUSED:
        told.append(f"**{texts[f'hook_paused_{hook.reason}']}**")
    return f"- **{title(hook)}** ({coded(hook.ref)}): {' · '.join(told)}"


def _paused(run: CommandRun, tx: Tx, *, hook: str) -> Reply:
    """Let a hook rest."""
    done = run.actor.act(tx, service.pause_hook, hook_id=hook.strip()[:80])
    return _list(run, tx, run.language.say("hook_paused", name=cut(done.name or done.hook)))


def _resumed(run: CommandRun, tx: Tx, *, hook: str) -> Reply:
    """Let a hook go on."""
    done = run.actor.act(tx, service.resume_hook, hook_id=hook.strip()[:80])
    return _list(run, tx, run.language.say("hook_resumed", name=cut(done.name or done.hook)))


def _removed(run: CommandRun, tx: Tx, *, hook: str) -> Reply:
    """Remove a hook."""
    done = run.actor.act(tx, service.remove_hook, hook_id=hook.strip()[:80])
    return _list(run, tx, run.language.say("hook_removed", name=cut(done.name or done.hook)))


pause = intent("hooks.pause", as_command="hook")(_paused)
resume = intent("hooks.resume", as_command="hook")(_resumed)
remove = intent("hooks.remove", as_command="hook")(_removed)

INTENTS = (pause, resume, remove)
COMMANDS: Mapping[str, Command] = {
    "hook": Command(_hook, needs=Standing.MEMBER, in_group=Standing.ADMIN, aliases=("webhook", "hooks")),
}
