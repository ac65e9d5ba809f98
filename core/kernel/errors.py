"""Every error of the project on one page.

TellerError
├── ConfigError             the configuration is wrong; the text says what to change
├── StorageError            the database said no
│   ├── StorageAway         it cannot be used now, which is no fault of what it was asked
│   │   ├── StorageFull     no space left: stop accepting, keep what is there
│   │   └── StorageBusy     another process holds the data
│   └── LockOrder           a transaction locked keys out of order (a bug)
├── BadRow                  the database does not take these data: they, or we, are wrong
├── SenderUnknown           the platform does not say now who somebody is: the update has to come again
├── LeaseLost               somebody else holds the lane now; drop everything
├── ModelError              a model call gave no usable answer
│   ├── ModelUnreachable    network, time-out, 5xx, 429: the same call may work later
│   ├── ModelRefused        the provider said no for good (key, model name, request)
│   │   └── RequestTooLong  it has more tokens than the model is shown
│   └── BudgetSpent         the day's tokens are used up
│       └── ShareSpent      a person's share of them is
├── SendError               a message did not go out
│   ├── SendMoved           not sent: the chat has a new id
│   ├── SendUnsent          certainly not sent: try again, after `retry_after` seconds
│   │   └── SendPaced       our own pace; nothing is wrong
│   ├── SendRefused         the platform said no for good
│   └── SendDoubtful        bytes may have left: the rule for doubt decides
├── Refused                 what a person wanted may not be done; a text of that code says why
├── FetchFailed             an attachment could not be fetched
├── Unheard                 what was spoken could not be written down; a text of that code says why
└── ToolError               a tool call failed; the text goes back to the model (seed 004)
    ├── ToolNotFoundError
    ├── ToolDisabledError
    ├── ToolValidationError
    ├── ToolTimeoutError
    ├── ToolPermissionError
    └── RateLimitError
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.kernel.types import Usage


class TellerError(Exception):
    """Base of all our errors."""


class Unheard(TellerError):
    """What was spoken could not be written down: `code` says why, and `detail` what the log may know of it. What is for
    `later` may work when it is tried again, after `retry_after` seconds at the earliest."""

    def __init__(self, code: str, detail: str = "", *, later: bool = False, retry_after: float = 0.0) -> None:
        super().__init__(f"{code}: {detail}" if detail else code)
        self.code, self.detail, self.later, self.retry_after = code, detail, later, retry_after


class ConfigError(TellerError):
    """The configuration is wrong; the text says what to change."""


class StorageError(TellerError):
    """The database refused an operation."""


class StorageAway(StorageError):
    """The database cannot be used now: it is not reached, or takes no writes. What it was asked may be done later."""


class StorageFull(StorageAway):
    """No space is left on the disk of the database."""


class StorageBusy(StorageAway):
    """Another process works on the same data."""


class LockOrder(StorageError):
    """A transaction locked its keys out of sorted order."""


class BadRow(TellerError):
    """The database does not take these data: a constraint is broken, or a value cannot be stored. No try will help."""


class SenderUnknown(TellerError):
    """Whether somebody has access depends on what the platform does not say of them now; the update comes again."""


class LeaseLost(TellerError):
    """The lane is held by another owner or epoch; nothing may be written for it."""


class ModelError(TellerError):
    """A model call gave no usable answer."""


class ModelUnreachable(ModelError):
    """The provider cannot be reached or is overloaded; the same call may work later.

    `pause` is what the provider asked for in seconds, None when it asked for nothing; `limited` when it wants fewer or
    smaller requests. `taken` when the model may have worked on it, so that it may cost something; not `asked` when it
    was not even tried. `before` is what the answers took that the same run had before.
    """

    before: Usage | None = None

    def __init__(
        self,
        message: str,
        pause: float | None = None,
        *,
        taken: bool = False,
        asked: bool = True,
        limited: bool = False,
    ) -> None:
        super().__init__(message)
        self.pause, self.taken, self.asked, self.limited = pause, taken, asked, limited


class QuotaSpent(ModelUnreachable):
    """The account has no credit left: no call works until the operator buys some."""


class ModelRefused(ModelError):
    """The provider refused for good: the key, the model's name or the request is wrong."""


class RequestTooLong(ModelRefused):
    """The request has more tokens than the model is shown: a shorter one may be answered."""


class AccountRefused(ModelRefused):
    """The provider refuses the key or the model's name: no call works until the operator mends that."""


class BudgetSpent(ModelError):
    """The tokens of the day are used up."""


class ShareSpent(BudgetSpent):
    """A person's share of the day's tokens is used up (core.agents.budget)."""


class SendError(TellerError):
    """A message did not go out."""


class SendMoved(SendError):
    """Not sent: the chat is now known as `chat` (Bot API: ResponseParameters.migrate_to_chat_id)."""

    def __init__(self, chat: str) -> None:
        super().__init__(f"the chat is now {chat}")
        self.chat = chat


class SendUnsent(SendError):
    """Certainly not sent. `retry_after` is the pause in seconds the platform asked for, 0 when it named none."""

    def __init__(self, message: str, retry_after: float = 0.0) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class SendPaced(SendUnsent):
    """Not sent yet, by our own pace: the platform was not asked, and nothing is wrong."""


class SendRefused(SendError):
    """The platform refused the message for good (Bot API: 400, 403)."""


class SendDoubtful(SendError):
    """The connection broke after bytes may have left; the message may or may not have arrived."""


class Refused(TellerError):
    """What a person wanted is not done, and nothing of it. `code` is the key of the text that says why, which is filled
    with `values`; the ledger has the code alone."""

    def __init__(self, code: str, **values: object) -> None:
        super().__init__(code)
        self.code, self.values = code, values


class FetchFailed(TellerError):
    """An attachment could not be fetched; `for_good` when another try would not help (too big, gone)."""

    def __init__(self, message: str, *, for_good: bool) -> None:
        super().__init__(message)
        self.for_good = for_good


class ToolError(TellerError):
    """A tool call failed. The text is for the model: it says what to change; `code` is for us and says no words."""

    code = "failed"

    def __init__(self, tool_name: str, message: str) -> None:
        super().__init__(message)
        self.tool_name = tool_name


class ToolNotFoundError(ToolError):
    """No tool has this name."""

    code = "not_found"

    def __init__(self, tool_name: str) -> None:
        super().__init__(tool_name, f'Tool "{tool_name}" not found')


class ToolDisabledError(ToolError):
    """The operator has switched the tool off."""

    code = "disabled"

    def __init__(self, tool_name: str) -> None:
        super().__init__(tool_name, f"{tool_name} tool is disabled")


class ToolValidationError(ToolError):
    """The arguments do not fit the tool's parameters."""

    code = "invalid"

    def __init__(self, tool_name: str, problems: str) -> None:
        super().__init__(tool_name, f"Parameter validation failed: {problems}")


class ToolTimeoutError(ToolError):
    """The tool took longer than it may. `timeout` is in seconds."""

    code = "timeout"

    def __init__(self, tool_name: str, timeout: float) -> None:
        super().__init__(tool_name, f"Tool execution timed out after {round(timeout * 1000)}ms")


class ToolPermissionError(ToolError):
    """The caller's role may not use this tool."""

    code = "not_permitted"

    def __init__(self, tool_name: str, message: str) -> None:
        super().__init__(tool_name, f"Permission denied: {message}")


class RateLimitError(ToolError):
    """Too many calls."""

    code = "too_many"
