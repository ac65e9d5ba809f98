"""What Slack refuses of an app's manifest, as far as the bot's own one can fall foul of it.

From docs.slack.dev/reference/app-manifest and docs.slack.dev/ai/migrating-to-agent-messaging; the limits of a
description are those of the older `assistant_view`.
"""

from __future__ import annotations

from collections.abc import Iterator

from tests.emulators.slack_world import Json

FEATURES = frozenset({"app_home", "agent_view", "assistant_view", "bot_user", "shortcuts", "slash_commands"})
MOST_PROMPTS, LONGEST_DESCRIPTION = 4, 300
# Those of the older kind of conversation, which an agent is never told of.
OLDER = frozenset({"assistant_thread_started", "assistant_thread_context_changed"})
AGENTS_EVENTS = frozenset({"app_home_opened", "app_context_changed", "message.im"})


def refusals(manifest: Json) -> Iterator[str]:
    """Yield what is wrong with a manifest, nothing for one that Slack takes."""
    features = manifest.get("features", {})
    yield from (f"features.{name}: no such feature" for name in sorted(features.keys() - FEATURES))
    if "agent_view" not in features:
        return
    if "assistant_view" in features:
        yield "features: agent_view or assistant_view, not both"
    yield from _view(features["agent_view"])
    if not features.get("app_home", {}).get("messages_tab_enabled"):
        yield "features.agent_view: needs app_home.messages_tab_enabled"
    if "assistant:write" not in manifest["oauth_config"]["scopes"]["bot"]:
        yield "features.agent_view: needs the scope assistant:write"
    told = set(manifest["settings"]["event_subscriptions"]["bot_events"])
    yield from (f"features.agent_view: needs the event {name}" for name in sorted(AGENTS_EVENTS - told))
    yield from (f"{name}: not for an agent" for name in sorted(OLDER & told))


def _view(view: Json) -> Iterator[str]:
    if view.keys() - {"agent_description", "suggested_prompts"}:
        yield "features.agent_view: unknown fields"
    if not 0 < len(view.get("agent_description", "")) <= LONGEST_DESCRIPTION:
        yield f"features.agent_view.agent_description: 1 to {LONGEST_DESCRIPTION} characters"
    prompts = view.get("suggested_prompts", [])
    if len(prompts) > MOST_PROMPTS:
        yield f"features.agent_view.suggested_prompts: {MOST_PROMPTS} at most"
    if any(prompt.keys() != {"title", "message"} or not all(prompt.values()) for prompt in prompts):
        yield "features.agent_view.suggested_prompts: each has a title and a message"
