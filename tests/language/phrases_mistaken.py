"""Phrases that look like what they are not, and those that looked like nothing: what a grammar makes of each."""

from __future__ import annotations

# What is no wish, or none that is understood whole: a model reads it, or somebody is asked.
LEFT_ALONE: dict[str, tuple[str, ...]] = {
    "en": (
        # Of what was said before.
        "remind me at 5 instead",
        "remind me at 5 as well",
        # A time that goes on, or is a name for one.
        "remind me tomorrow around 5 to call", "remind me tomorrow about 5 to call", "remind me tomorrow early to call",
        "remind me tomorrow about five to call", "remind me tomorrow at lunch to call",
        "remind me on Friday at lunchtime to call", "remind me every day at sunset to call",
        "remind me tomorrow at 9.5 to call", "remind me tomorrow first thing to call",
        "remind me Monday week to call Oma", "remind me on Friday week to call", "remind me at 12 midnight to call",
        "remind me every weekday this month to water", "remind me daily this week to drink",
        "remind me every day at 9 for a while to drink",
        # The time is of the thing.
        "remind me at 9 that Bob comes tomorrow", "remind me about tomorrow's meeting at 9",
        "remind me at 9 tomorrow's the exam",
        "remind me about my 9 o'clock tomorrow", "remind me to renew my passport expiring 5 May",
        "remind me to pay the bill dated 5 May", "remind me to watch the match starting at 9",
        "remind me to cancel the subscription ending on Friday",
        # Questions.
        "Remind me: is the meeting tomorrow at 9?", "remind me is the meeting on Friday",
        "remind me again how to fly in 2 hours", "remind me please: where do we meet at 9",
        "remind me please where we meet at 9", "remind me once again who comes on Friday",
        "remind me quickly what happened on Friday", "remind me of the time we met at 9",
        "remind me to whom this belongs", "remind me at 9 to call Oma?",
        # What is called a reminder, and news.
        "create a reminder app for me in 2 weeks", "make a reminder poem at 9",
        "set a reminder every day at 9 with the weather", "alert me every hour about the weather",
        "notify me about new mails every hour", "notify me of changes every day",
        "every hour notify me about the weather",
        # Nothing by name, and any list.
        "mark this as done", "mark everything as done", "remove an item from a list", "remove an item from my list",
        "take it off the list", "add it to my list", "add this to my list", "add two numbers in a list",
        "append x to a list", "put an item in a list", "add milk to my list soon",
        "Task: translate the following text into German: hello", "task: explain this: a = b",
    ),
    "zh": (
        # One or two, five or six.
        "提醒我一两个小时后吃药", "五六分钟后提醒我关火", "提醒我三五天后浇花", "每两三天提醒我浇花",
        "每三四天提醒我浇花", "提醒我吃药一两个小时后",
        # What others do.
        "今天没人提醒我", "今天老师提醒我", "每天早上妈妈叫我", "今天领导叫我", "今天9点老板叫我", "每天都有人提醒我",
        "明天谁提醒我", "周一开会老师提醒我", "周一开会老师提醒我们", "周一开会提醒大家",
        # Questions.
        "提醒我明天几点开会", "提醒我今天有什么安排", "提醒我明天天气怎么样", "提醒我今天星期几", "提醒我下周有几个会",
        "提醒我明天谁来", "每天提醒我的人是谁", "提醒我三点水是什么", "提醒我们明天几点出发",
        "待办：什么是人工智能？", "待办：什么是人工智能", "待办：买什么菜？",
        # Clocks cut in two, two wishes, and an end.
        "提醒我明天25点吃药", "提醒我今天26点吃药", "提醒我明天8.30吃药", "提醒我8点零5吃药",
        "提醒我8点吃药，9点出门", "提醒我8点吃药9点出门", "提醒我明天8点吃药和9点出门",
        "每天8点提醒我吃药，吃一个月", "每天8点提醒我吃药吃一个月",
    ),
}  # fmt: skip

# And what is one, with its line.
UNDERSTOOD: dict[str, dict[str, str]] = {
    "en": {
        "remind me of this in 2 hours": "remind: of this in 2 hours",
        "remind me to do that at 5": "remind: to do that at 5",
        "remind me to call her tomorrow": "remind: to call her tomorrow",
        "remind me tomorrow about the party": "remind: tomorrow about the party",
        "remind me tomorrow about lunch with Bob": "remind: tomorrow about lunch with Bob",
        "remind me about the time change tomorrow": "remind: about the time change tomorrow",
        "remind me do the dishes at 9": "remind: do the dishes at 9",
        "remind me every day at 9 about the pills": "remind: every day at 9 about the pills",
        "remind me in seventeen minutes to call": "remind: in seventeen minutes to call",
        "remind me on Friday the 13th to hide": "remind: on Friday the 13th to hide",
        "remind me at 9 to prepare tomorrow's meeting": "remind: at 9 to prepare tomorrow's meeting",
        "remind me tomorrow that Bob comes at 9": "remind: tomorrow that Bob comes at 9",
        "remind me to prepare tomorrow's meeting in 2 hours": "remind: to prepare tomorrow's meeting in 2 hours",
        "remind me every 15th to pay rent": "remind: every 15th to pay rent",
        "remind me @5 tea": "remind: @5 tea",
        "notify me at 9 about the party": "remind: at 9 about the party",
        "set a reminder every day at 9 to drink": "remind: every day at 9 to drink",
        "set a reminder: call Oma at 9": "remind: call Oma at 9",
        "add milk to my list tomorrow": "todo.add: milk tomorrow",
        "add milk to my list on Friday at 5": "todo.add: milk on Friday at 5",
        "task: milk": "todo.add: milk",
        "todo: buy: milk": "todo.add: buy: milk",
        "don't write from 10 to 12": "quiet: 10:00-12:00",
        "don't bother me from 9 to 5": "quiet: 21:00-05:00 / 09:00-17:00",
        "quiet from 9pm to 6": "quiet: 21:00-06:00",
    },
    "zh": {
        "请在8点提醒我吃药": "remind: 8点吃药",
        "请于明天8点提醒我吃药": "remind: 明天8点吃药",
        "明天8点的时候提醒我吃药": "remind: 明天8点吃药",
        "请你在明天上午8点的时候提醒我吃药": "remind: 明天上午8点吃药",
        "8点时提醒我吃药": "remind: 8点时吃药",
        "你明天8点提醒我吃药": "remind: 明天8点吃药",
        "我想让你明天8点提醒我吃药": "remind: 明天8点吃药",
        "周一至周五早上7点提醒我跑步": "remind: 周一至周五早上7点跑步",
        "工作日每天8点提醒我站会": "remind: 工作日每天8点站会",
        "提醒我八点零五吃药": "remind: 八点零五吃药",
        "提醒我明天问他几点来": "remind: 明天问他几点来",
        "提醒我明天买几个苹果": "remind: 明天买几个苹果",
        "提醒我明天8点讨论两点建议": "remind: 明天8点讨论两点建议",
        "周一开会，提醒我们": "remind: 提醒我们周一开会",
        "每天8点提醒我吃药，休息30分钟": "remind: 每天8点吃药，休息30分钟",
        "明天8点开会记得提醒我一下": "remind: 明天8点开会",
        "待办：买菜": "todo.add: 买菜",
    },
}
