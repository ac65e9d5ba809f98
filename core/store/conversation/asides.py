"""Who may see a line of the transcript (`message.aside`; 0 is for all who are in its chat), whose words it has
(`message.tainted`; 0 is those of who says it), and which lines models see."""

from __future__ import annotations

# What a line of the transcript is beside what was said in the open: to others, between one person and the bot, or a
# word of ours about ourselves, which no model needs; or both of these.
OVERHEARD, WHISPERED, NOTICE, WHISPERED_NOTICE = 1, 2, 3, 4

# A line has words of others; or a run said it that had such a line before it, and may repeat what that says: a model,
# or a command that does what a model asked by a button. Both bind a model that sees them. What is said beside the
# second kind alone is of no kind, or each answer would bind the next one for ever.
OF_OTHERS, BESIDE_OTHERS = 1, 2

# What of the past of a lane models see: behind the last `/new`, and behind what was cut because it grew too long.
IN_CONTEXT = (
    "id > (SELECT CASE WHEN history_after > context_after THEN history_after ELSE context_after END FROM lane"
    " WHERE id = :lane_id)"
)
