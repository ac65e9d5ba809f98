"""Chinese: what people say to ask for the time or the date."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.language.grammar import PhraseTable

MACROS: Mapping[str, str] = {
    "TIME_NOW": "(几点 (几分)? 钟?|什么<clocktime>|多少点|<clocktime>是? (多少|几点))",
    "NOW": "现在|目前|当前|此刻|这会儿?|这个? <moment>",
    # "What is 3 pm there" asks for no time of now.
    "PLACE": "(?!<y:some>? (<number> [点:时]|<longpart>|[明后昨]天)) <place:some>",
    "WHICH_DAY": "(几月)? (几号|几日|多少号|星期几|周几|礼拜几|什么日期|什么日子|哪天|哪一天|礼拜几|几月几号|几月"
    "|哪一?年)",
}
ROWS: Mapping[str, Sequence[str]] = {
    "date": (
        "((现在|目前)? (是|到)? (WHICH_DAY) (了|来着)?|(WHICH_DAY) 了? (今天|现在)) END_Q BESIDES",
        "(LOOK|告诉我)? (DAY)? (的|是)? 日期 (是? (什么|多少|几号))? END_Q",
        "(从? (今天|现在) (起|开始|算起|往后)? ,?)? (DAY) (是|是在|在|又是|到底是)? (什么)? (日子|几月)? (WHICH_DAY)"
        " (了|来着)? END_Q BESIDES",
        "(DAY) 是? (WHICH_DAY) [,]? (WHICH_DAY) END_Q|(DAY) 是 不?是? (周|星期|礼拜) <weekdaysign> ([吗吧]|,?"
        " 对[吧吗么])? END_Q|(DAY) (周|星期|礼拜) <weekdaysign> ([吗吧]|,? 对[吧吗么]) END_Q|今年 是? (哪一?年|几几年)"
        " END_Q BESIDES|(DAY) [是在] 什么<moment> END_Q|(什么<moment>|哪一?天) [是到过] (DAY) END_Q|(离|距离|距|到)?"
        " <when:time> 还 (有|剩|要|差)? (几|多少) (天|日|个?星期|个?礼拜|周) 了? END_Q|还 (有|剩|要) (几|多少) 天 (到"
        "|过|才到|就是|是) <when:time> END_Q",
        "(这周|本周|今天|现在)? 是? (今年)? 的? 第几 (week=周|个?星期|个?礼拜) 了? (这是)? END_Q|(这周|本周|今天) 是"
        " 不?是? (week=[单双]周) 吗? END_Q|<when:time> 是 (今年)? 的? 第几 (week=周|个?星期|个?礼拜) END_Q",
    ),
    "time": (
        "((LOOK) 表?|你?知道|告诉我)? (现在|当前|此刻|目前|这会儿|今天)? (是|都|已经)? ((TIME_NOW) (了|啦)? ,?){1,2}"
        " 不? (现在)? END_Q BESIDES|(LOOK|报一?下|报|告诉我)? (现在|当前|目前)? 的? (<clocktime>|时刻) (了)? (是? (多少"
        "|几点))? END_Q|报 (个|一下)? 时 TAIL|现在 是? 什么 <moment> 了? END_Q|(NOW)? 是? PLACE (那边|当地|那里|这边"
        "|那儿)? (NOW|今天)? (是|都|的)? (TIME_NOW) (了|啦)? (现在)? END_Q BESIDES",
        "(LOOK|告诉我)? PLACE (那边|的|当地|现在|当前|那里){0,2} (的)? <clocktime> (现在)? (是? (多少|几点) 了?)? END_Q"
        "|(NOW|(NOW)? <place:some> (那边)? (NOW)?) 是? 白天 还是 (晚上|黑夜|夜里) END_Q|PLACE [在是属用] 于? (哪个"
        "|什么) 时区 END_Q|PLACE ([跟和与比] (我|我们|咱们?|这边|这里|这儿) (这边|这里|这儿)?)? (有? 时差 是? (多少"
        "|几个小时|吗)|[差早晚快慢] (几|多少) 个? (小时|钟头)) END_Q",
    ),
}
PHRASES = PhraseTable(macros=MACROS, rows=ROWS)
