"""Chat tools (TOOLS: Chat)."""

from __future__ import annotations

from pydantic import Field

from core.kernel.clean_text import is_blank
from core.kernel.errors import RateLimitError, ToolError
from core.kernel.ids import ref
from core.kernel.markdown import folded
from core.kernel.ports import Tx
from core.kernel.types import Json, Role
from core.store.conversation import questions
from core.toolkit.params import Integer, Params
from core.toolkit.tool import Effect, Offered, ToolContext, tool

TIMEOUT, SHORTEST, LONGEST = 3600, 30, 30 * 86_400
MOST_QUESTIONS, MOST_OPTIONS, LONGEST_OPTION, LONGEST_QUESTION, LONGEST_DEFAULT = 3, 10, 75, 3_000, 1_000
BLANK = "nothing of the text can be seen; write it in words"


class ReplyParams(Params):
    """`text`: Markdown."""

    text: str = Field(min_length=1)


@tool(Role.TELLER, effect=Effect.READ)
async def reply(params: ReplyParams, context: ToolContext) -> Json:
    """Send a message to the chat. Plain text as your final answer does the same."""
    if is_blank(params.text):
        raise ToolError("reply", BLANK)
    return None


class AskUserParams(Params):
    """`question`: Markdown; `options`: 1 to 10 answers as buttons; `default`: taken when `timeout` (s) is over."""

    question: str = Field(min_length=1, max_length=LONGEST_QUESTION)
    timeout: Integer | None = None
    default: str | None = Field(default=None, max_length=LONGEST_DEFAULT)
    options: list[str] | None = None


# The person's role is that of the responder without a model: it asks only when the person's own words want it to.
@tool(Role.TELLER, Role.PERSON, effect=Effect.WRITE, offered=Offered.ALWAYS)
def ask_user(params: AskUserParams, context: ToolContext, tx: Tx) -> Json:
    """Ask the person and end your turn; the answer, or the default after the timeout, starts your next one."""
    if context.principal.anonymous:
        raise ToolError(
            "ask_user", "this person writes as the group, so nobody can tell their answer; ask in plain text"
        )
    if len(questions.of_run(tx, context.lane, context.run_id)) >= MOST_QUESTIONS:
        raise RateLimitError("ask_user", f"at most {MOST_QUESTIONS} questions a run; wait for the answers")
    if is_blank(params.question):
        raise ToolError("ask_user", BLANK)
    options = _options(params.options)
    timeout = TIMEOUT if params.timeout is None else params.timeout
    if not SHORTEST <= timeout <= LONGEST:
        raise ToolError("ask_user", f"timeout must be {SHORTEST} to {LONGEST} seconds, not {timeout}")
    default = None if params.default is None else params.default.strip()
    if options and default is not None and default not in options:
        raise ToolError("ask_user", f"default must be one of the options, not {default!r}")
    question_id = questions.insert(
        tx,
        context.lane,
        context.run_id,
        context.principal.person_id,
        params.question.strip(),
        options=options,
        default=default,
        timeout_s=timeout,
        now=context.clock.now(),
        tainted=context.is_tainted(tx),
    )
    return {"question_id": ref("q", question_id), "status": "asked"}


def _options(given: list[str] | None) -> list[str]:
    options = [" ".join(option.split()) for option in given or []]
    if given is not None and not 1 <= len(options) <= MOST_OPTIONS:
        raise ToolError("ask_user", f"give 1 to {MOST_OPTIONS} options, or none at all, not {len(options)}")
    if any(not 1 <= len(option) <= LONGEST_OPTION for option in options):
        raise ToolError("ask_user", f"each option has 1 to {LONGEST_OPTION} characters")
    if len({folded(option) for option in options}) < len(options):
        raise ToolError("ask_user", "the options must differ from each other")
    if not all(any(character.isprintable() and not character.isspace() for character in one) for one in options):
        raise ToolError("ask_user", "each option must have something to see")
    return options
