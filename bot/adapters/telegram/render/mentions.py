"""Naming people so that Telegram tells them (https://core.telegram.org/bots/api#messageentity, text_mention).

In Markdown a mention is a link to the user (https://core.telegram.org/bots/api#formatting-options); it goes out as an
entity. The server tells only who has written to the bot or is in the group.
"""

from __future__ import annotations

import re

from bot.adapters.telegram.parse.fields import PREFIX, USERNAME, user_id
from core.kernel.markdown import called, literal

USER_LINK = "tg://user?id="
# How the server finds a user in a link, whatever else is in it.
OF_A_USER = re.compile(r"tg:(?://)?user(?:[/?#]|\Z)", re.IGNORECASE)
# A text that came from anybody may name people too: it shall not call a whole group together.
MOST_MENTIONS = 20
# In the text of a link these signs end it, or begin a formula or a footnote: nobody's name needs them as they are.
PLAIN = str.maketrans("[]\\^", "()/ˆ")


def mention(address: str, name: str) -> str:
    """Return Markdown that names somebody by their address: `tg:1001` or `tg:@anna`; others are only called by name."""
    user, handle = user_id(address), address.removeprefix(f"{PREFIX}@")
    if user:
        return f"[{called(name.translate(PLAIN), address)}]({USER_LINK}{user})"
    is_handle = handle != address and USERNAME.fullmatch(handle)
    return literal(f"@{handle}") if is_handle else called(name, address)
