"""网页，中文。"""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "web_what": "要我读什么？请发来网页或文档的地址。",
    "web_bad_url": "这不是我能读的地址。请像浏览器里那样写，比如 https://example.org/page。",
    "web_forbidden_address": ("这个我不读：它不在公共网络上。管理员可以允许自己的网络（web.own_networks）。"),
    "web_unknown_host": "没有叫这个名字的服务器。",
    "web_refused": "服务器不接受连接，或中断了连接。",
    "web_timeout": "服务器没有及时回应。请稍后再试。",
    "web_too_many_redirects": "服务器不停地转向，我放弃了。",
    "web_bad_answer": "服务器的回应我读不了。",
    "web_bad_request": "不能这样请求服务器。",
    "web_limit": "这个小时的网页阅读量用完了，下个小时再试。",
    "web_status": "我没能读到：服务器返回 {status}。地址还对吗？",
    "web_words": "{n} 个词",
    "web_signs": "{n} 个字",
    "web_read_forms": (
        "总结|总结一下|总结这个|总结一下这个|帮我总结|帮我总结一下|概括|概括一下|"
        "读|读一下|读一下这个|看看|看一下|看看这个|这是什么|这讲的是什么|这说了什么|讲了什么|说了什么|摘要"
    ),
    "did_url_fetch": "我存下了网上的内容",
}
