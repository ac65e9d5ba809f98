"""What people ask in few words in Chinese, as `noted` writes the wish; and what is left alone."""

from __future__ import annotations

UNDERSTOOD = {
    # Adding, taking off, ticking.
    "再加鸡蛋到清单": "todo.add: 鸡蛋",
    "再加两盒牛奶到购物清单": "todo.add: 两盒牛奶 / on 购物",
    "购物清单再加点葱": "todo.add: 葱 / on 购物",
    "购物清单里记一下洗衣液": "todo.add: 洗衣液 / on 购物",
    "清单加瓶醋": "todo.add: 瓶醋",
    "往清单里写个灯泡": "todo.add: 灯泡",
    "待办加一条：给我妈买药": "todo.add: 给我妈买药",
    "清单里把牛奶删了": "todo.remove: 牛奶",
    "购物清单里把鸡蛋去掉吧": "todo.remove: 鸡蛋 / on 购物",
    "面包不用买了从清单里删掉": "todo.remove: 面包",
    "面包不要了，从购物清单里删掉吧": "todo.remove: 面包 / on 购物",
    "购物清单不要酱油了": "todo.remove: 酱油 / on 购物",
    "清单上不要面粉了": "todo.remove: 面粉",
    "删掉待办第二条": "todo.remove: 第二条",
    "酱油勾掉": "todo.done: 酱油",
    "勾掉酱油": "todo.done: 酱油",
    "给酱油打勾": "todo.done: 酱油",
    "酱油打勾": "todo.done: 酱油",
    "把酱油划掉吧": "todo.done: 酱油",
    "清单上划掉酱油": "todo.done: 酱油",
    "完成待办第一条": "todo.done: 第一条",
    # Asking about a list.
    "我的待办有哪些": "todo",
    "待办有什么": "todo",
    "待办第一条": "todo",
    "待办第一条是什么": "todo",
    "购物清单第二项": "todo: on 购物",
    # Moving.
    "把看牙推迟半小时": "move: 看牙 / to +半小时",
    "把看牙往后推一个小时": "move: 看牙 / to +一个小时",
    "看牙的提醒推迟两天": "move: 看牙 / to +两天",
    "把看牙提前二十分钟": "move: 看牙 / to -二十分钟",
    "七点的闹钟推迟十分钟": "move: 7:00 / to +十分钟",
    "看牙改成下周一提醒": "move: 看牙 / to 下周一",
    "把看牙改到12月11号": "move: 看牙 / to 12月11号",
    # Alarms and timers.
    "倒计时8分钟": "remind: 8分钟后 倒计时",
    "8分钟倒计时": "remind: 8分钟后 倒计时",
    "25分钟的番茄钟": "remind: 25分钟后 番茄钟",
    "番茄钟25分钟": "remind: 25分钟后 番茄钟",
    "闹钟设到五点五十": "remind: 五点五十 闹钟",
    "把闹钟定在6点半": "remind: 6点半 闹钟",
    "午睡40分钟到点叫我": "remind: 40分钟后 午睡",
    "午睡40分钟，到点叫我": "remind: 40分钟后 午睡",
    "再过十分钟提醒我关火": "remind: 再过十分钟关火",
    # What is on.
    "今天有啥事儿": "today",
    "明天有啥事儿吗": "today: tomorrow",
    "接下来有什么安排": "today",
    "下周忙不忙": "today: next week",
    "下周我有空吗": "today: next week",
    "我周五忙不忙": "today: Friday",
}
# They ask when.
WITHOUT_A_TIME: frozenset[str] = frozenset()
LEFT_ALONE = (
    # Something is said about a list.
    "购物清单加长了也没用", "清单写得太乱了", "购物清单写得再长也没用", "清单补起来真麻烦", "清单记得带上",
    "购物清单记得带", "购物清单总是忘带", "待办越来越多", "待办第一条太难了", "购物清单加密怎么弄", "清单里写着呢",
    "清单写完就睡", "购物清单不要太长了", "清单不要忘带了", "清单加起来一共一百块", "清单里加了太多东西",
    "清单上不要写人名了",
    # Something else is put off, or said to be.
    "老板把会议推迟半小时了", "会议推迟半小时", "航班推迟一个小时", "他们把婚礼改到12月11号", "把会议推迟半小时了",
    "我想把看牙推迟半小时行不行呢",
    # Something is said about alarms.
    "番茄钟好用吗", "番茄钟25分钟太长了", "倒计时8分钟真刺激", "闹钟设到五点五十太早了", "午睡40分钟最舒服",
    "午睡40分钟到点叫我妈",
    "差一刻五点了", "每天上午10点到下午6点营业", "工作日九点到十八点每小时一班车",
    "接下来怎么办", "接下来有雨吗", "下周忙死了", "下周忙完再说", "今年春节过得真快", "春节是几号放假",
)  # fmt: skip
