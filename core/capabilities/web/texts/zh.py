"""网页，中文。"""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "web_what": "要我读什么？请发来网页或文档的地址。",
    "web_bad_url": "这不是我能读的地址。请像浏览器里那样写，比如 https://example.org/page。",
    "web_forbidden_address": ("这个我不读：它不在公共网络上。运行我的人可以允许自己的网络（web.own_networks）。"),
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
    "web_more": "后面还有",
    "web_read_forms": (
        "总结|总结一下|总结这个|总结一下这个|帮我总结|帮我总结一下|概括|概括一下|"
        "读|读一下|读一下这个|看看|看一下|看看这个|这是什么|这讲的是什么|这说了什么|讲了什么|说了什么|摘要"
    ),
    "did_url_fetch": "存下了网上的内容",
    "search_what": "要在网上搜什么？",
    "search_found": "🔎 **{words}**",
    "search_nothing": "没有找到关于 {words} 的结果。",
    "search_off": "这里关闭了网络搜索。",
    "search_ended": "{why}。",
    "search_other": "这里没有配置 {provider}。",
    "search_blocked": (
        "没有密钥时没有搜索引擎回应这台服务器：很多引擎拒绝服务器的地址。运行我的人可以配置 web.search，"
        "比如自建的 SearXNG，或 Tavily、Brave、Exa 的密钥。"
    ),
    "search_key": "{provider} 不接受配置的密钥。请让运行我的人检查 web.search。",
    "search_busy": "{provider} 现在不接受更多搜索，请稍后再试。",
    "search_down": "{provider} 现在没有回应，请稍后再试。",
    "search_format": ("{provider} 的回应我读不了。SearXNG 需要允许 json 格式（settings.yml 的 search.formats）。"),
    "web_search_forms": ("上网搜索|上网搜一下|上网搜|网上搜索|网上搜一下|网上搜|上网查一下|上网查|百度一下|谷歌一下"),
}
