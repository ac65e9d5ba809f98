"""`make evals`: every scenario with its scripted model; `--hard`: five times each, with shuffled timings and a kill -9;
`--model NAME`: with a real model, which costs money, and a table of how it did (docs/evals.md)."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from tests.evals.player import Manner, Outcome, play
from tests.evals.scenario import Scenario, scenarios

TIMES = 5
AT_ONCE = max(2, os.cpu_count() or 2)
OWN_HOST = "api.openai.com"
NO_KEY = (
    "evals: no key for {host}. Set TELLER_LLM__API_KEY (and TELLER_LLM__BASE_URL for another provider or a model of"
    " your own, such as http://127.0.0.1:11434/v1), then run this again. Nothing was asked and nothing was paid."
)


@dataclass(frozen=True)
class Play:
    """One play of a scenario, by the name of its file."""

    name: str
    scenario: Scenario
    manner: Manner
    outcome: Outcome


def main() -> int:
    """Play what is asked for, print what came of it, and return 1 when anything was wrong."""
    parser = argparse.ArgumentParser(prog="make evals ARGS=…", description=__doc__)
    parser.add_argument("names", nargs="*", help="scenarios by the names of their files; all of them when left out")
    parser.add_argument("--hard", action="store_true", help=f"{TIMES} times each, shuffled, with a kill -9")
    parser.add_argument("--seed", type=int, default=0, help="where the shuffling of --hard begins")
    parser.add_argument("--model", default="", help="a real model by its name at the provider")
    parser.add_argument("--effort", default="", help="how much the real model is to think")
    options = parser.parse_args()
    known = scenarios()
    unknown = [name for name in options.names if name not in known]
    if unknown:
        parser.error(f"no such scenario: {', '.join(unknown)}; there are {', '.join(known)}")
    chosen = {name: known[name] for name in options.names or known}
    manners = [Manner()]
    if options.model:
        chosen = {name: one for name, one in chosen.items() if not one.timed}
        settings = real(options.model, options.effort, os.environ)
        if settings is None:
            return 2
        manners = [Manner(model=settings)]
    elif options.hard:
        manners = [Manner(seed=options.seed + n) for n in range(TIMES)]
    plays = asyncio.run(_all(chosen, manners))
    _print(plays)
    return int(any(one.outcome.faults for one in plays))


def real(name: str, effort: str, environment: Mapping[str, str]) -> dict[str, str] | None:
    """Return the settings of a real model; say so and return None without a key for a host that surely wants one."""
    given = {key.removeprefix("TELLER_"): value for key, value in environment.items() if key.startswith("TELLER_LLM__")}
    given.setdefault("LLM__BASE_URL", f"https://{OWN_HOST}/v1")
    host = urlsplit(given["LLM__BASE_URL"]).hostname or ""
    if not given.get("LLM__API_KEY") and host not in {"localhost", "127.0.0.1", "::1"}:
        print(NO_KEY.format(host=host), file=sys.stderr)
        return None
    return given | {"LLM__MODEL": name} | ({"LLM__EFFORT": effort} if effort else {})


async def _all(chosen: Mapping[str, Scenario], manners: Sequence[Manner]) -> list[Play]:
    """Play all scenarios in all manners, as many at once as there are cores."""
    room = asyncio.Semaphore(AT_ONCE)

    async def one(name: str, manner: Manner) -> Play:
        async with room:
            with tempfile.TemporaryDirectory(prefix="teller-evals-") as folder:
                outcome = await _outcome(chosen[name], Path(folder), manner)
            told = (
                "." if not outcome.faults else f"\n{name} (seed {manner.seed}): " + "\n  ".join(outcome.faults) + "\n"
            )
            print(told, end="", flush=True)
            return Play(name, chosen[name], manner, outcome)

    return await asyncio.gather(*(one(name, manner) for manner in manners for name in chosen))


async def _outcome(scenario: Scenario, folder: Path, manner: Manner) -> Outcome:
    """Play a scenario; a play that breaks off is one that went wrong."""
    try:
        return await play(scenario, folder, manner)
    except (AssertionError, StopIteration, TimeoutError) as error:
        return Outcome(faults=[f"broken off: {type(error).__name__}: {error}"])


def _print(plays: Sequence[Play]) -> None:
    """Print the table: right, wrong, calls, tokens, money and seconds, in all and for the everyday requests."""
    print()
    print(f"{'':<24}{'right':>7}{'wrong':>7}{'calls':>7}{'tokens':>9}{'dollars':>10}{'seconds':>9}")
    everyday = [one for one in plays if one.scenario.everyday]
    for what, some in (("all conversations", plays), ("everyday requests", everyday)):
        outcomes = [one.outcome for one in some]
        wrong = sum(bool(one.faults) for one in outcomes)
        costs = [one.cost for one in outcomes]
        cost = "unknown" if None in costs else f"{sum(filter(None, costs)) / 1e6:.4f}"
        calls, tokens = (sum(getattr(one, name) for one in outcomes) for name in ("calls", "tokens"))
        seconds = sum(one.seconds for one in outcomes)
        print(f"{what:<24}{len(some) - wrong:>7}{wrong:>7}{calls:>7}{tokens:>9}{cost:>10}{seconds:>9.1f}")
    for name in dict.fromkeys(one.name for one in plays if one.outcome.faults):
        print(f"wrong: {name}")


if __name__ == "__main__":
    sys.exit(main())
