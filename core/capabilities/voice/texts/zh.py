"""语音消息，中文。"""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "voice_failed": "这条我没能听：{why}",
    "voice_unset": (
        "我还不能听语音消息。运行我的人可以设置：在 config.yaml 里写 voice.provider，用服务商的接口，"
        "或在本机转写（make voice）。在那之前请打字。"
    ),
    "voice_long": "太长了，短一些的可以。",
    "voice_limit": "你这一小时的语音额度用完了，下个小时再试，或者打字。",
    "voice_key": "转写服务不接受我的密钥，请让运行我的人检查 voice.api_key。",
    "voice_setup": "转写没有设置好，请让运行我的人执行 `teller doctor`。",
    "voice_busy": "转写服务现在太忙，请稍后再试，或者打字。",
    "voice_down": "转写服务没有回应，请稍后再试，或者打字。",
    "voice_refused": "转写服务不接受这段录音。",
    "voice_format": "转写服务的回答我看不懂。",
    "voice_nothing": "我没有听到话。",
    "voice_slow": "花的时间太长了，短一些的可以。",
    "voice_damaged": "这段录音读不出来。",
    "voice_lost": "这段录音已经不在了。",
    "voice_broken": "这里出了点问题。",
}
