"""Commands for somebody who is on several platforms: to be one person there. In private only."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

from core.capabilities.links import actions
from core.capabilities.links.actions import ANSWER, Link, Linking
from core.kernel.markdown import platform_name
from core.kernel.ports import Tx
from core.kernel.replies import Reply
from core.kernel.types import Standing
from core.store.people import invitations
from core.toolkit.command import Command, CommandRun, intent

LENGTH = 8
ALLOW = {"allow": True, "允许": True, "forbid": False, "禁止": False}
# `all` is what a button of a former version asks for; it shows no more than `todos`.
Answer = Literal["todos", "all", "no"]
ANSWERS: Mapping[str, Answer] = {"todos": "todos", "all": "all", "no": "no"}
CONFIRMS = {"yes": True, "drop": False}


def _link(run: CommandRun, tx: Tx) -> Reply:
    if run.group:
        return run.say("private_only")
    match run.rest.lower().split():
        case []:
            return _offer(run, tx)
        case [word] if word in ALLOW:
            return _allow(run, tx, on=ALLOW[word])
        case [answer, code_id] if answer in ANSWERS:
            return _answered(run, tx, question=code_id, answer=ANSWERS[answer])
        case [answer, code_id] if answer in CONFIRMS:
            return _confirmed(run, tx, question=code_id, yes=CONFIRMS[answer])
        case words:
            return _ask(run, tx, "".join(words).replace("-", "").upper())


def _answered(run: CommandRun, tx: Tx, *, question: str, answer: Answer) -> Reply:
    """Link whom the question names, or not."""
    if run.group:
        return run.say("private_only")
    return _said(run, run.actor.act(tx, actions.answer_link, code_id=question[:80], answer=answer))


def _confirmed(run: CommandRun, tx: Tx, *, question: str, yes: bool) -> Reply:
    """Ask the account whose code was written, or drop that."""
    if run.group:
        return run.say("private_only")
    return _said(run, run.actor.act(tx, actions.confirm_link, code_id=question[:80], yes=yes))


answered = intent(ANSWER, as_command="link")(_answered)
confirmed = intent("links.confirm", as_command="link")(_confirmed)


def _offer(run: CommandRun, tx: Tx) -> Reply:
    """Return a code to be written elsewhere, and with whom the person is linked."""
    # Only its digest is kept. A step that a former version left has a digest nobody knows the code of.
    while True:
        code = "".join(secrets.choice(invitations.CODE_LETTERS) for _ in range(LENGTH))
        coded = run.actor.act(tx, actions.create_link_code, digest=invitations.digest(code))
        if coded.digest == invitations.digest(code):
            break
    # It is written on another platform, so not the way commands are written here.
    told = run.language.say("link_code", line=f"/link {code}", on_slack=f"/teller link {code}")
    linked = actions.links_of(tx, run.context)
    more = [] if coded.allowed else [run.language["link_first"]]
    if linked:
        lines = [run.language.say("link_line", **_named(one)) for one in linked]
        more.append("\n".join([run.language["link_list"], *lines]))
    text = "\n\n".join([told, *more])
    return replace(run.reply(text), kept=invitations.hidden(text))


def _named(found: Link | Linking) -> dict[str, str]:
    return {"name": found.name, "platform": found.platform, "account": found.account}


def _ask(run: CommandRun, tx: Tx, code: str) -> Reply:
    if len(code) != LENGTH or not set(code) <= set(invitations.CODE_LETTERS):
        return run.say("link_usage")
    asked = run.actor.act(tx, actions.ask_link, digest=invitations.digest(code))
    if asked.status != "confirm":
        return _said(run, asked)
    offers = [
        (run.language[f"link_{one}"], confirmed.of(question=asked.code, yes=yes)) for one, yes in CONFIRMS.items()
    ]
    return run.reply(run.language.say("link_confirm", **_named(asked)), offers=offers)


def _said(run: CommandRun, found: Linking) -> Reply:
    """Return what came of a code, or of a question."""
    key = f"link_{found.status}"
    match found.status:
        case "asked":
            return run.say(key, platform=platform_name(found.platform))
        case "not_allowed":
            sides = [run.language.say("link_side", platform=platform_name(one)) for one in found.platforms]
            both = run.language.say("link_sides", one=sides[0], other=sides[-1])
            return run.say(key, sides=both if len(sides) > 1 else sides[0])
        case "too_many":
            return run.say(key, wait=run.language.duration(found.wait))
        case "linked":
            return run.say("link_made", **_named(found))
        case "denied" | "dropped":
            return run.say("link_was_denied", **_named(found))
        case _:
            return run.say(key)


def _allow(run: CommandRun, tx: Tx, *, on: bool) -> Reply:
    if run.context.standing is not Standing.OWNER:
        return run.say("refused_owner")
    ended = run.actor.act(tx, actions.allow_links, on=on).ended
    return run.say("link_allowed" if on else "link_forbidden", count=ended)


def _unlink(run: CommandRun, tx: Tx) -> Reply:
    if run.group:
        return run.say("private_only")
    if run.rest:
        return _end(run, tx, person=run.rest)
    actions.hold_linked(tx, run.context)
    # What is asked on the other side is taken back, too.
    dropped = run.actor.act(tx, actions.drop_question).dropped
    found = actions.links_of(tx, run.context)
    if not found:
        return run.say("link_dropped" if dropped else "link_none")
    if len(found) == 1:
        return _end(run, tx, person=found[0].person)
    lines = [run.language["link_which"], *(run.language.say("link_line", **_named(one)) for one in found)]
    offers = [
        (run.language.say("link_end", name=one.label, platform=one.platform), end.of(person=one.person))
        for one in found
    ]
    return run.reply("\n".join(lines), offers=offers)


def _end(run: CommandRun, tx: Tx, *, person: str) -> Reply:
    """End the link with an account."""
    if run.group:
        return run.say("private_only")
    ended = run.actor.act(tx, actions.end_link, person=person[:80])
    return run.say("link_ended", **_named(ended)) if ended.status == "ended" else run.say("link_none")


end = intent("links.end", as_command="unlink")(_end)

INTENTS = (answered, confirmed, end)
COMMANDS: Mapping[str, Command] = {
    "link": Command(_link, needs=Standing.MEMBER),
    "unlink": Command(_unlink, needs=Standing.MEMBER),
}
