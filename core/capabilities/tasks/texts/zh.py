"""Chinese: work in the background."""

from __future__ import annotations

from collections.abc import Mapping

TEXTS: Mapping[str, str] = {
    "did_delegate": "我转交了工作",
    "task_failed": "⚠️ 这件事没有办成：{prompt}\n{reason}",
    "task_in_doubt": "⚠️ 无法确定是否已经发生：{done}。没有重做。",
    "task_error_budget": "它可用的额度已用完。",
    "task_error_day_budget": "今天模型可用的额度已用完。",
    "task_error_gave_up": "它一再被中断。",
    "task_error_no_model": "没有可用的模型。",
    "task_error_refused": "模型的提供方拒绝了它。",
    "task_error_silent": "没有得到任何结果。",
    "task_error_timeout": "它用的时间超过了限制。",
}
