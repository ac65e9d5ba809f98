"""Every scenario is right once with its scripted model; `make evals` plays them again and again, and real models."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.evals.player import play
from tests.evals.scenario import Scenario, scenarios

SCENARIOS = scenarios()


@pytest.mark.parametrize("scenario", SCENARIOS.values(), ids=SCENARIOS.keys())
async def test_the_conversation_comes_to_what_the_scenario_says(scenario: Scenario, tmp_path: Path) -> None:
    outcome = await play(scenario, tmp_path)
    assert outcome.faults == []
    # Of what is stopped no answer is counted, and what recurs is asked each time.
    assert scenario.timed or outcome.calls == scenario.calls
