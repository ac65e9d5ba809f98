"""App Home: what somebody sees of theirs at a glance (https://docs.slack.dev/surfaces/app-home, views.publish)."""

from __future__ import annotations

import logging
import re
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from itertools import islice

from slack_sdk.models.blocks import ButtonElement, HeaderBlock
from slack_sdk.models.views import View
from slack_sdk.web.async_client import AsyncWebClient

from bot.adapters.slack.directory.workspaces import Workspace, Workspaces, user_of
from bot.adapters.slack.render.blocks import ACTION, MOST_SECTION, NOTHING, Block, actions, label, plain, section
from bot.adapters.slack.render.mrkdwn import converted, hold
from bot.adapters.slack.render.sanitize import clean, fallback, repaired
from bot.adapters.slack.send.client import Wire, described
from core.kernel.clean_text import is_blank
from core.kernel.markdown import literal
from core.kernel.types import Keyboard, Page, Sender
from core.language import pick

log = logging.getLogger(__name__)

NEW_TODO = f"{ACTION}new_todo"
# A title as `core.kernel.markdown.quoted` writes it: here it stands in a line of its own, and needs no frame.
_TITLE = re.compile("“`([^`\n]*)`”")
MOST_BLOCKS, MOST_HEADER = View.blocks_max_length, HeaderBlock.text_max_length

Names = Callable[[Workspace, Iterable[str]], Awaitable[Mapping[str, Sender]]]


class Pages:
    """Shows pages. `names` says who people are, by the ids of their users. Nothing here raises."""

    def __init__(self, workspaces: Workspaces, wire: Wire, names: Names) -> None:
        self._workspaces, self._wire, self._names = workspaces, wire, names

    async def show(self, tenant: str, address: str, page: Page) -> None:
        """Show somebody their page; where that fails they see the former one, until something changes again."""
        workspace, user = self._workspaces.get(tenant), user_of(address)
        if workspace is None or not user or self._wire.closed or workspace.rate_limit.resting():
            return
        try:
            known = (await self._names(workspace, [user])).get(user)
            await publish(workspace.client, user, page, pick(known.language if known else "")["slack_todo_title"])
        except Exception as error:
            log.debug("a page was not shown: %s", described(error))


async def publish(client: AsyncWebClient, user_id: str, page: Page, new_todo: str) -> None:
    """Show a page to a user, with a button `new_todo` that opens the window for one; raises what the call does."""
    await client.views_publish(user_id=user_id, view=view(page, new_todo))


def view(page: Page, new_todo: str) -> Block:
    """Return the view of a page; what does not fit is left out."""
    return {"type": "home", "blocks": list(islice(_blocks(page, new_todo), MOST_BLOCKS))}


def _blocks(page: Page, new_todo: str) -> Iterator[Block]:
    face = plain(label(f"＋ {new_todo}", ButtonElement.text_max_length))
    yield {"type": "actions", "elements": [{"type": "button", "action_id": NEW_TODO, "text": face}]}
    for title, items in page.sections:
        yield {"type": "divider"}
        yield {"type": "header", "text": plain(label(title, MOST_HEADER))}
        for item in items:
            text, below = section(markup(item.text)), actions(Keyboard(buttons=item.buttons))
            if len(item.buttons) == 1:
                # One button stands beside the text, several below it.
                text, below = {**text, "accessory": below[0]["elements"][0]}, []
            yield from (text, *below)
    yield from actions(Keyboard(buttons=page.buttons))


def markup(text: str) -> str:
    """Return Markdown as Slack's own markup, short enough for a section."""
    held, people = hold(clean(_TITLE.sub(lambda found: f"“{literal(found[1])}”", text)))
    shown = converted(repaired(held), people)
    if len(shown) > MOST_SECTION or is_blank(shown):
        shown = fallback(text, MOST_SECTION)
    return NOTHING if is_blank(shown) else shown
