"""Links: one person on several platforms, by a code that is written on one side, and by a button on each that names the
other account (TOOLS: Contacts).
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from core.capabilities.links import repository as links
from core.capabilities.links import service as linking
from core.capabilities.links.repository import Account, Code
from core.kernel import ids
from core.kernel.errors import ToolError
from core.kernel.ports import Tx
from core.kernel.types import Json, Millis, Role
from core.store.conversation import runs as journal
from core.toolkit.params import Params
from core.toolkit.tool import Effect, ToolContext, tool

MOST = 5
# What stands in the transcript in the place of a code.
HIDDEN = "/link …"
# The buttons of the second question: the key of a label, and the answer that a press gives.
ANSWERS = (("link_share_todos", "todos"), ("link_share_all", "all"), ("link_no", "no"))


def _private(name: str, context: ToolContext) -> None:
    if context.participant.group:
        raise ToolError(name, "only in a private chat: others would see it")


class DigestParams(Params):
    """`digest`: of the code; the code itself is known to its giver only."""

    digest: str = Field(pattern=r"^[0-9a-f]{64}$")


@tool(Role.PERSON, effect=Effect.WRITE)
def create_link_code(params: DigestParams, context: ToolContext, tx: Tx) -> Json:
    """Keep a code by which the person is linked with an account of theirs elsewhere, for ten minutes. `allowed` says
    whether the owners here let people be linked with other tenants."""
    _private("create_link_code", context)
    links.insert_code(tx, context.lane, context.principal.person_id, params.digest, context.clock.now())
    return {"digest": params.digest, "allowed": links.account(tx, context.principal.person_id).allowed}


@tool(Role.PERSON, effect=Effect.WRITE)
def ask_link(params: DigestParams, context: ToolContext, tx: Tx) -> Json:
    """Take a code that the person has written, and ask them whether the account it was given to is theirs. `status` is
    confirm, or why that is not asked.
    """
    _private("ask_link", context)
    if context.said is not None:
        journal.hide(tx, context.lane, context.said.inbox_id, HIDDEN)
    me, tenant_id, now = context.principal.person_id, context.lane.tenant_id, context.clock.now()
    found = links.find_code(tx, params.digest)
    linking.hold(tx, tenant_id, *(() if found is None else (found.tenant_id,)))
    until = links.refused_until(tx, tenant_id, me, now)
    if until is not None:
        return {"status": "too_many", "wait": until - now}
    code = links.find_code(tx, params.digest)
    why = _bad(code, now)
    if code is None or why:
        links.note_wrong(tx, tenant_id, me, now)
        return {"status": why}
    mine, theirs = links.account(tx, me), links.account(tx, code.person_id)
    refusal = _refusal(tx, context, mine, theirs)
    if refusal:
        return refusal
    links.ask(tx, code.code_id, me)
    return {"status": "confirm", "code": ids.ref("k", code.code_id), **linking.shown(theirs)}


def _bad(code: Code | None, now: Millis) -> str:
    """What is wrong with a code that somebody wrote."""
    if code is None:
        return "unknown"
    if code.ended or code.asked_by is not None:
        return "used"
    return "old" if code.expires_at <= now else ""


def _refusal(tx: Tx, context: ToolContext, mine: Account, theirs: Account) -> dict[str, Any]:
    """Why two may not be linked now; of another tenant no more is told than its platform."""
    if mine.person_id == theirs.person_id:
        return {"status": "own"}
    if not linking.has_access(context, theirs) or theirs.lane is None:
        return {"status": "old"}
    if mine.person_id in links.others(tx, theirs.person_id):
        return {"status": "already"}
    if mine.tenant_id != theirs.tenant_id and not (mine.allowed and theirs.allowed):
        sides = [one.platform for one in (mine, theirs) if not one.allowed]
        return {"status": "not_allowed", "platforms": sides}
    full = any(len(links.others(tx, one.person_id)) >= MOST for one in (mine, theirs))
    return {"status": "full"} if full else {}


class ConfirmParams(Params):
    """`code_id`: such as k12ab34, as the button says; `yes`: whether they want to be linked with that account."""

    code_id: str = Field(max_length=80)
    yes: bool


@tool(Role.PERSON, effect=Effect.WRITE)
def confirm_link(params: ConfirmParams, context: ToolContext, tx: Tx) -> Json:
    """Ask whoever was given the code that the person wrote whether they are the same, or drop it: by the button that
    named that account. `status` is asked, dropped, or why neither.
    """
    _private("confirm_link", context)
    if context.said is None or context.said.pressed is None:
        return {"status": "no_button"}
    me, now = context.principal.person_id, context.clock.now()
    code = _written(tx, me, params.code_id)
    if code is None:
        return {"status": "old"}
    linking.hold(tx, context.lane.tenant_id, code.tenant_id)
    code = _written(tx, me, params.code_id)
    if code is None or code.ended or code.expires_at <= now:
        return {"status": "old"}
    mine, theirs = links.account(tx, me), links.account(tx, code.person_id)
    if not params.yes:
        links.end_code(tx, code.code_id, now)
        return {"status": "dropped", **linking.shown(theirs)}
    refusal = _refusal(tx, context, mine, theirs)
    if refusal:
        return refusal
    said = [(label, f"/link {answer} {ids.ref('k', code.code_id)}") for label, answer in ANSWERS]
    linking.tell(tx, context, theirs, mine, key=f"link:{code.code_id}", text="link_ask", offers=said)
    return {"status": "asked", "platform": theirs.platform}


def _written(tx: Tx, person_id: int, code_id: str) -> Code | None:
    number = ids.number("k", code_id)
    return None if number is None else links.written_code(tx, person_id, number)


class AnswerParams(Params):
    """`code_id`: such as k12ab34, as the button says; `answer`: what is shared, or no."""

    code_id: str = Field(max_length=80)
    answer: Literal["todos", "all", "no"]


@tool(Role.PERSON, effect=Effect.WRITE)
def answer_link(params: AnswerParams, context: ToolContext, tx: Tx) -> Json:
    """Link the person with who wrote their code, or not: by the button that asked them. `status` is linked, denied, or
    why neither.
    """
    _private("answer_link", context)
    if context.said is None or context.said.pressed is None:
        return {"status": "no_button"}
    code = _given(tx, context, params.code_id)
    if code is None or code.asked_by is None:
        return {"status": "old"}
    linking.hold(tx, context.lane.tenant_id, *links.tenants(tx, [code.asked_by]))
    code, now = _given(tx, context, params.code_id), context.clock.now()
    if code is None or code.asked_by is None or code.expires_at <= now or not links.end_code(tx, code.code_id, now):
        return {"status": "old"}
    mine, other = links.account(tx, context.principal.person_id), links.account(tx, code.asked_by)
    return _decide(tx, context, mine, other, f"link:{code.code_id}", params.answer)


def _given(tx: Tx, context: ToolContext, code_id: str) -> Code | None:
    number = ids.number("k", code_id)
    if number is None:
        return None
    return links.given_code(tx, context.lane.tenant_id, context.principal.person_id, number)


def _decide(tx: Tx, context: ToolContext, mine: Account, other: Account, key: str, answer: str) -> dict[str, Any]:
    if answer == "no":
        linking.tell(tx, context, other, mine, key=key, text="link_denied")
        return {"status": "denied", **linking.shown(other)}
    refusal = _refusal(tx, context, mine, other)
    if refusal:
        return refusal
    links.join(tx, mine, other, answer, context.clock.now())
    linking.tell(tx, context, other, mine, key=key, text=f"link_made_{answer}")
    if other.lane is not None:
        linking.witness(tx, context, other.person_id, other.lane, "answer_link", {"status": "linked"})
    return {"status": "linked", "shares": answer, **linking.shown(other)}


class NoParams(Params):
    """None."""


@tool(Role.PERSON)
async def list_links(params: NoParams, context: ToolContext) -> Json:
    """With which accounts the person is linked."""
    _private("list_links", context)

    def look(tx: Tx) -> Json:
        found = [links.account(tx, one) for one in links.others(tx, context.principal.person_id)]
        return {"links": [{"person": ids.ref("p", one.person_id), **linking.shown(one)} for one in found]}

    return await context.db.read(look)


class EndParams(Params):
    """`person`: such as p12ab34, as `list_links` tells."""

    person: str = Field(max_length=80)


@tool(Role.PERSON, effect=Effect.WRITE)
def end_link(params: EndParams, context: ToolContext, tx: Tx) -> Json:
    """End a link of the person's; `status` is ended or unknown."""
    _private("end_link", context)
    me, number = context.principal.person_id, ids.number("p", params.person)
    if number is None or number not in links.others(tx, me):
        return {"status": "unknown"}
    mine, other = links.account(tx, me), links.account(tx, number)
    held = linking.hold(tx, mine.tenant_id, other.tenant_id)
    ended = linking.part(tx, context, mine, other, "end_link", held)
    return {"status": "ended", **linking.shown(other)} if ended else {"status": "unknown"}


@tool(Role.PERSON, effect=Effect.WRITE)
def drop_question(params: NoParams, context: ToolContext, tx: Tx) -> Json:
    """Take back what the person has asked for by a code, while it is not answered. `dropped` says whether there was."""
    _private("drop_question", context)
    linking.hold(tx, context.lane.tenant_id)
    return {"dropped": links.end_asked(tx, context.principal.person_id, context.clock.now())}


class AllowParams(Params):
    """`on`: whether people here may be linked with accounts of other tenants."""

    on: bool


@tool(Role.PERSON, effect=Effect.WRITE, category="people")
def allow_links(params: AllowParams, context: ToolContext, tx: Tx) -> Json:
    """Let people of this tenant be linked with accounts of others, or forbid it, which ends those links at once."""
    _private("allow_links", context)
    tenant_id = context.lane.tenant_id
    found = [] if params.on else links.across(tx, tenant_id)
    held = linking.hold(tx, tenant_id, *links.tenants(tx, [other for _, other in found]))
    changed = links.allow(tx, tenant_id, on=params.on)
    pairs = [] if params.on else links.across(tx, tenant_id)
    ended = [
        linking.part(tx, context, links.account(tx, one), links.account(tx, other), "allow_links", held)
        for one, other in pairs
    ]
    return {"on": params.on, "changed": changed, "ended": len(ended)}
