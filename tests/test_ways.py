"""What runs of ours from what somebody does to what they see may only become less: tests/bench/ways.json has the most.

Whoever brings a figure down writes the new one there. They were raised five times: since there is memory, each message
is put into the text index, asked whether it is to be remembered, and told what is remembered of it, in the same
transactions; since there is work in the background, each look at what is due asks what of that is; since there are
calendars, who sets a reminder is told what else is on then; since "yes" in words may be the press of a button, each
message is asked whether it is, and each event of a calendar whether its person has access; and since capabilities read
the slots of their phrases, these are an object. Since what is said differs each time, seven functions more are counted
where words are read: before, the same text was known.
A press of Undo takes six write transactions, and a seventh that finds nothing to send where its edit is still on its
way when the run ends.
"""

from __future__ import annotations

import json
from pathlib import Path

from tests.bench import ways

MOST = json.loads((Path(ways.__file__).with_name("ways.json")).read_text())
# What a slow machine has run beside a way, such as a second look at the clock, it does not have run each time.
TRIES = 3


async def test_no_way_of_a_message_grows() -> None:
    grown: dict[str, dict[str, int]] = MOST
    for _ in range(TRIES):
        if not grown:
            break
        found = await ways.apart()
        assert found.keys() == MOST.keys()
        grown = {
            way: figures
            for way, figures in found.items()
            if any(figures[name] > most for name, most in MOST[way].items())
        }
    assert grown == {}
