"""assistant.threads.*: the line that says what the bot is doing, prompts to press, the title of a thread."""

from __future__ import annotations

from tests.emulators.slack_asking import Ask, Method
from tests.emulators.slack_rules import ApiError, bad_arguments
from tests.emulators.slack_world import Json

# assistant.threads.setStatus, "loading_messages" and "status"; setSuggestedPrompts.
LOADING_MESSAGES, STATUS_SECONDS, PROMPTS = 10, 120.0, 4


class Assistant:
    """The methods of an assistant in a thread."""

    def table(self) -> dict[str, Method]:
        """Return the methods by name."""
        return {
            "assistant.threads.setStatus": self._status,
            "assistant.threads.setSuggestedPrompts": self._prompts,
            "assistant.threads.setTitle": self._title,
        }

    def _status(self, ask: Ask) -> Json:
        ask.need("chat:write", "assistant:write")
        place = _place(ask)
        loading = ask.params.get("loading_messages") or []
        if not isinstance(loading, list) or len(loading) > LOADING_MESSAGES:
            raise bad_arguments(f"no more than {LOADING_MESSAGES} items allowed [json-pointer:/loading_messages]")
        if not ask.params.get("status"):
            ask.team.statuses.pop(place, None)
            return {}
        until = ask.world.now() + STATUS_SECONDS
        ask.team.statuses[place] = {"status": ask.params["status"], "loading_messages": loading, "until": until}
        return {}

    def _prompts(self, ask: Ask) -> Json:
        ask.need("assistant:write")
        place = _place(ask)
        prompts = ask.params["prompts"]
        if not isinstance(prompts, list) or not 0 < len(prompts) <= PROMPTS:
            raise bad_arguments(f"1 to {PROMPTS} items allowed [json-pointer:/prompts]")
        for prompt in prompts:
            if not isinstance(prompt, dict) or prompt.keys() != {"title", "message"} or not all(prompt.values()):
                raise bad_arguments("must have title and message [json-pointer:/prompts]")
        if not place[1] and not ask.world.app.agent:
            # Found by others who tried: the prompts of an assistant stand in a thread.
            raise ApiError("not_agent_app")
        if not (place[1] and ask.world.app.agent):
            # "Including [thread_ts] in a call for an agent app will cause the call to silently fail."
            ask.team.prompts[place] = {"title": ask.params.get("title", ""), "prompts": prompts}
        return {}

    def _title(self, ask: Ask) -> Json:
        ask.need("assistant:write")
        ask.team.titles[_place(ask)] = ask.params["title"]
        return {}


def _place(ask: Ask) -> tuple[str, str]:
    """Return the channel and the root of the thread, empty for the conversation itself."""
    channel = ask.joined(ask.params["channel_id"])
    thread: str = ask.params.get("thread_ts") or ""
    if thread and thread not in channel.messages:
        raise ApiError("invalid_thread_ts")
    return channel.id, thread
