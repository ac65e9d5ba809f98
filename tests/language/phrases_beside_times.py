"""Wishes that once were read wrongly by what stood beside their time, by what was wrong; and such as are right."""

from __future__ import annotations

# A model reads them, or somebody is asked.
REFUSED: dict[str, tuple[str, ...]] = {
    "an hour before a day": (
        "remind me to call Bob 9 tonight",
        "remind me to ring Ann 730 tomorrow",
        "remind me to water the plants 8 this evening", "remind me to feed the cat six tomorrow morning",
        "remind me to take out the bins 10 on Friday", "remind me to phone Zoe 7pm-ish tomorrow",
        "remind me tomorrow to ring Ann 9", "remind me on Friday wash the car 10",
    ),
    "half of a range, or a bound": (
        "remind me to walk the dog 5 to 6pm", "remind me at 5 to 6pm to walk the dog",
        "remind me tomorrow 5 to 6pm to rest",
        "remind me to call Ann from 13 to 15 July", "remind me to visit the zoo between 3 and 5 pm",
        "remind me to call the bank after 2 pm", "remind me after 2 pm to call the bank",
        "remind me to leave no later than 5pm", "remind me to phone from 9 until 11 am tomorrow",
        "remind me after lunch to stretch tomorrow", "remind me tomorrow after 2 to call the bank",
    ),
    "a word that makes it another day": (
        "remind me to shop on black friday", "remind me to shop Black Friday",
        "remind me to buy a tv on Cyber Monday at 9",
        "remind me to go to church Palm Sunday", "remind me to eat pancakes Shrove Tuesday",
        "remind me to meet on the third Friday",
    ),
    "a word left hanging": (
        "remind me to call Ann late tonight", "remind me to call Ann around next tuesday",
        "remind me to call Ann first thing tomorrow", "remind me tomorrow first thing to call Ann",
        "remind me tomorrow to call Ann first thing", "remind me to call Ann on coming Thursday",
        "remind me to call Ann sometime tomorrow", "remind me tomorrow sometime to call Ann",
        "remind me to call Ann early on Friday", "remind me to send it roughly at 9",
        "remind me to do it at the latest tomorrow",
    ),
    "something between a time in front and to": (
        "remind me 3 oclock am to call", "remind me 4pm CET to call",
        "remind me tomorrow morning Berlin time to call",
        "remind me on Friday noonish to call", "remind me at 9 in Paris to call",
        "remind me friday the 23rd at 4 in the pm to call", "remind me at five hours to call Ann",
    ),
    "a number of something else": (
        "remind me to check version 1.1.30", "remind me to install 20.11.26", "remind me to call at five hours",
        "remind me to read up on release 2.3.28", "remind me to update to 3.10.27", "remind me to test build 7.7.29",
    ),
    "Chinese": (
        "后天凌晨提醒我给妈妈打电话", "提醒我后天凌晨给妈妈打电话", "提醒我明天深夜关灯", "提醒我今天半夜看球",
        "提醒我周五夜里值班", "提醒我每年春节给奶奶打电话", "提醒我每年中秋买月饼",
        "提醒我每年母亲节送花", "提醒我每年生日买蛋糕", "提醒我每年冬天换轮胎", "提醒我8点30分50秒出门",
        "8点20分50秒提醒我出门", "提醒我9点二刻开会", "提醒我明天左右开会", "提醒我明天晚些时候买票",
        "提醒我明天开会9", "提醒我明天AM8:00开会", "提醒我下周末尾交报告", "提醒我最晚明天交报告",
    ),
}  # fmt: skip

# What is right beside a time.
READ: dict[str, str] = {
    "remind me tomorrow to go to bed": "go to bed",
    "remind me tomorrow drive to work": "drive to work",
    "remind me tomorrow at 9 call Oma": "call Oma",
    "remind me to log in at 9": "log in",
    "remind me to turn it on tomorrow": "turn it on",
    "remind me in 2 hours to take pill 2": "take pill 2",
    "remind me to take bus 5 tomorrow": "take bus 5",
    "remind me to think about that tomorrow": "think about that",
    "remind me on Friday to finish it by 5pm": "finish it by 5pm",
    "remind me at five minutes to six pm to leave": "leave",
    "remind me on 27.11.26 to call Oma": "call Oma",
    "提醒我8:00 a.m.给妈妈打电话": "给妈妈打电话",
    "提醒我明天8:00PM给妈妈打电话": "给妈妈打电话",
    "提醒我明天凌晨3点看球": "看球",
    "提醒我每年体检": "体检",
    "提醒我每年5月3日体检": "体检",
    "提醒我20时1刻出门": "出门",
    "提醒我明天3个人开会": "3个人开会",
    "提醒我明天早餐前吃药": "早餐前吃药",
    "设置明天早晨的闹钟": "闹钟",
    "定个后天早晨七点的闹钟": "闹钟",
}

# Whole lines.
WISHES: dict[str, str | None] = {
    "谁要带蛋糕来着？": "history",
    "安娜关于旅行说了什么？": "history",
    "我们什么时候聊过罗马？": "history",
    "我错过了什么？": "summary",
    "帮我总结一下群聊": "summary",
    "谁是总统？": None,
    "把牛奶添加到清单": "todo.add: 牛奶",
    "把牛奶添加到列表": "todo.add: 牛奶",
    "把鸡蛋添加到购物清单": "todo.add: 鸡蛋 / on 购物",
    "把面包添加进待办列表": "todo.add: 面包",
    "请把纸巾添加到我的清单": "todo.add: 纸巾",
    "把洗衣液加到列表里": "todo.add: 洗衣液",
    "将写到一半的信放到清单上": "todo.add: 写到一半的信",
    "time zone in france": None,
    "timezone of Japan": None,
    "what's the time zone in Spain?": None,
    "time zone for Rome": None,
    "timezone Berlin": "timezone: Berlin",
    "set my timezone to Berlin": "timezone: Berlin",
}
