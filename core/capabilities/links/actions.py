"""Links: one person on several platforms, by a code that is written on one side, and by a button on each that names the
other account (TOOLS: Contacts).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.capabilities.links import service as linking
from core.kernel import ids
from core.kernel.errors import Refused
from core.kernel.intent import Intent
from core.kernel.ports import Tx
from core.kernel.types import Millis
from core.store.conversation import runs as journal
from core.store.people import links
from core.store.people.links import Account, Code
from core.toolkit.acting_as import hold, witness
from core.toolkit.action import action
from core.toolkit.tool import ToolContext

MOST = 5
# What stands in the transcript in the place of a code.
HIDDEN = "/link …"
# What the buttons of the second question ask for: it is put by an action, so the name stands before its handler
# (core.capabilities.links.commands). The key of a label, and the answer that a press gives.
ANSWER = "links.answer"
ANSWERS = (("link_share_todos", "todos"), ("link_no", "no"))


@dataclass(frozen=True, kw_only=True)
class Coded:
    """A code is kept by its digest; `allowed` says whether the owners here let people be linked with other tenants."""

    digest: str
    allowed: bool = True


@dataclass(frozen=True, kw_only=True)
class Linking:
    """What came of a code, a question or a link: `status` is the end of the text's key that says so.

    `name`, `platform`, `account` and `label` are the other account's, as `core.capabilities.links.service.shown` gives
    them; `code` is the id of the question, `shares` what is shown, `wait` how long no code is taken, in milliseconds.
    """

    status: str
    code: str = ""
    name: str = ""
    platform: str = ""
    account: str = ""
    label: str = ""
    shares: str = ""
    wait: Millis = 0
    platforms: Sequence[str] = ()


@dataclass(frozen=True, kw_only=True)
class Link:
    """An account that the person is linked with; see `Linking`."""

    person: str
    name: str
    platform: str
    account: str
    label: str


@dataclass(frozen=True, kw_only=True)
class Dropped:
    """Whether there was a question to take back."""

    dropped: bool


@dataclass(frozen=True, kw_only=True)
class Allowed:
    """Whether links with other tenants are allowed, whether that is new, and how many links it `ended`."""

    on: bool
    changed: bool
    ended: int


def _of(other: Account, status: str, *, code: str = "", shares: str = "") -> Linking:
    """Return what came of something, with the other account it is about."""
    shown = linking.shown(other)
    return Linking(
        status=status,
        code=code,
        shares=shares,
        name=shown["name"],
        platform=shown["platform"],
        account=shown["account"],
        label=shown["label"],
    )


def _private(context: ToolContext) -> None:
    if context.participant.group:
        raise Refused("private_only")


@action("links")
def create_link_code(tx: Tx, context: ToolContext, digest: str) -> Coded:
    """Keep a code by which the person is linked with an account of theirs elsewhere, for ten minutes. `allowed` says
    whether the owners here let people be linked with other tenants."""
    _private(context)
    links.insert_code(tx, context.lane, context.principal.person_id, digest, context.clock.now())
    return Coded(digest=digest, allowed=links.account(tx, context.principal.person_id).allowed)


@action("links")
def ask_link(tx: Tx, context: ToolContext, digest: str) -> Linking:
    """Take a code that the person has written, and ask them whether the account it was given to is theirs. `status` is
    confirm, or why that is not asked.
    """
    _private(context)
    if context.said is not None:
        journal.hide(tx, context.lane, context.said.inbox_id, HIDDEN)
    me, tenant_id, now = context.principal.person_id, context.lane.tenant_id, context.clock.now()
    found = links.find_code(tx, digest)
    hold(tx, tenant_id, *(() if found is None else (found.tenant_id,)))
    until = links.refused_until(tx, tenant_id, me, now)
    if until is not None:
        return Linking(status="too_many", wait=until - now)
    code = links.find_code(tx, digest)
    why = _bad(code, now)
    if code is None or why:
        links.note_wrong(tx, tenant_id, me, now)
        return Linking(status=why)
    mine, theirs = links.account(tx, me), links.account(tx, code.person_id)
    refusal = _refusal(tx, context, mine, theirs)
    if refusal:
        return refusal
    links.ask(tx, code.code_id, me)
    return _of(theirs, "confirm", code=ids.ref("k", code.code_id))


def _bad(code: Code | None, now: Millis) -> str:
    """Return what is wrong with a code that somebody wrote."""
    if code is None:
        return "unknown"
    if code.ended or code.asked_by is not None:
        return "used"
    return "old" if code.expires_at <= now else ""


def _refusal(tx: Tx, context: ToolContext, mine: Account, theirs: Account) -> Linking | None:
    """Return why two may not be linked now; of another tenant no more is told than its platform."""
    if mine.person_id == theirs.person_id:
        return Linking(status="own")
    if not linking.has_access(context, theirs) or theirs.lane is None:
        return Linking(status="old")
    if mine.person_id in links.others(tx, theirs.person_id):
        return Linking(status="already")
    if mine.tenant_id != theirs.tenant_id and not (mine.allowed and theirs.allowed):
        sides = [one.platform for one in (mine, theirs) if not one.allowed]
        return Linking(status="not_allowed", platforms=sides)
    full = any(len(links.others(tx, one.person_id)) >= MOST for one in (mine, theirs))
    return Linking(status="full") if full else None


@action("links")
def confirm_link(tx: Tx, context: ToolContext, code_id: str, yes: bool) -> Linking:
    """Ask whoever was given the code that the person wrote whether they are the same, or drop it: by the button that
    named that account. `status` is asked, dropped, or why neither.
    """
    _private(context)
    if context.said is None or context.said.pressed is None:
        return Linking(status="no_button")
    me, now, number = context.principal.person_id, context.clock.now(), ids.number("k", code_id)
    code = links.written_code(tx, me, number)
    if code is None:
        return Linking(status="old")
    hold(tx, context.lane.tenant_id, code.tenant_id)
    code = links.written_code(tx, me, number)
    if code is None or code.ended or code.expires_at <= now:
        return Linking(status="old")
    mine, theirs = links.account(tx, me), links.account(tx, code.person_id)
    if not yes:
        links.end_code(tx, code.code_id, now)
        return _of(theirs, "dropped")
    refusal = _refusal(tx, context, mine, theirs)
    if refusal:
        return refusal
    question = ids.ref("k", code.code_id)
    said = [(label, Intent(ANSWER, {"question": question, "answer": answer})) for label, answer in ANSWERS]
    linking.tell(tx, context, theirs, mine, key=f"link:{code.code_id}", text="link_ask", offers=said)
    return Linking(status="asked", platform=theirs.platform)


@action("links")
def answer_link(tx: Tx, context: ToolContext, code_id: str, answer: str) -> Linking:
    """Link the person with who wrote their code, or not: by the button that asked them. `status` is linked, denied, or
    why neither.
    """
    _private(context)
    if context.said is None or context.said.pressed is None:
        return Linking(status="no_button")
    me, number, tenant_id = context.principal.person_id, ids.number("k", code_id), context.lane.tenant_id
    code = links.given_code(tx, tenant_id, me, number)
    if code is None or code.asked_by is None:
        return Linking(status="old")
    hold(tx, tenant_id, *links.tenants(tx, [code.asked_by]))
    code, now = links.given_code(tx, tenant_id, me, number), context.clock.now()
    if code is None or code.asked_by is None or code.expires_at <= now or not links.end_code(tx, code.code_id, now):
        return Linking(status="old")
    mine, other = links.account(tx, me), links.account(tx, code.asked_by)
    return _decide(tx, context, mine, other, f"link:{code.code_id}", answer)


def _decide(tx: Tx, context: ToolContext, mine: Account, other: Account, key: str, answer: str) -> Linking:
    if answer == "no":
        linking.tell(tx, context, other, mine, key=key, text="link_denied")
        return _of(other, "denied")
    refusal = _refusal(tx, context, mine, other)
    if refusal:
        return refusal
    links.link(tx, mine, other, answer, context.clock.now())
    linking.tell(tx, context, other, mine, key=key, text="link_made")
    if other.lane is not None:
        witness(tx, context, other.person_id, other.lane, "answer_link", {"status": "linked"})
    return _of(other, "linked", shares=answer)


def hold_linked(tx: Tx, context: ToolContext) -> None:
    """Lock the ledgers of all with whom the person is linked, before several links or questions are ended."""
    others = links.others(tx, context.principal.person_id)
    hold(tx, context.lane.tenant_id, *links.tenants(tx, others))


def links_of(tx: Tx, context: ToolContext) -> Sequence[Link]:
    """Return the accounts that the person is linked with."""
    found = [links.account(tx, one) for one in links.others(tx, context.principal.person_id)]
    return [Link(person=ids.ref("p", one.person_id), **linking.shown(one)) for one in found]


@action("links")
def end_link(tx: Tx, context: ToolContext, person: str) -> Linking:
    """End a link of the person's; `status` is ended or unknown."""
    _private(context)
    me, number = context.principal.person_id, ids.number("p", person)
    if number is None or number not in links.others(tx, me):
        return Linking(status="unknown")
    mine, other = links.account(tx, me), links.account(tx, number)
    held = hold(tx, mine.tenant_id, other.tenant_id)
    ended = linking.unlink(tx, context, mine, other, "end_link", held)
    return _of(other, "ended") if ended else Linking(status="unknown")


@action("links")
def drop_question(tx: Tx, context: ToolContext) -> Dropped:
    """Take back what the person has asked for by a code, while it is not answered. `dropped` says whether there was."""
    _private(context)
    hold(tx, context.lane.tenant_id)
    return Dropped(dropped=links.end_asked(tx, context.principal.person_id, context.clock.now()))


@action("people")
def allow_links(tx: Tx, context: ToolContext, on: bool) -> Allowed:
    """Let people of this tenant be linked with accounts of others, or forbid it, which ends those links at once."""
    _private(context)
    tenant_id = context.lane.tenant_id
    found = [] if on else links.across(tx, tenant_id)
    held = hold(tx, tenant_id, *links.tenants(tx, [other for _, other in found]))
    changed = links.allow(tx, tenant_id, on=on)
    pairs = [] if on else links.across(tx, tenant_id)
    ended = [
        linking.unlink(tx, context, links.account(tx, one), links.account(tx, other), "allow_links", held)
        for one, other in pairs
    ]
    return Allowed(on=on, changed=changed, ended=len(ended))
