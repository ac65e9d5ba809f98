"""Who may see a line of the transcript (`message.aside`); 0 is for all who are in its chat."""

from __future__ import annotations

# What a line of the transcript is beside what was said in the open: to others, between one person and the bot, or a
# word of ours about ourselves, which no model needs; or both of these.
OVERHEARD, WHISPERED, NOTICE, WHISPERED_NOTICE = 1, 2, 3, 4
