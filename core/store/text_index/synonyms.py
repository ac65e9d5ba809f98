"""Everyday words that people use for one another: who asks for "father" wants to find "dad" as well.

A line is a group whose words all stand for one another, or a word and, after ">", what is of its kind or goes with it:
who asks for a pet wants to find the dog, who asks for the dog does not want the cat. They widen questions only, so
nothing that is indexed depends on them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

_ENGLISH = """
mother mum mom mama mommy mummy
father dad daddy papa
grandmother grandma granny nana gran
grandfather grandpa granddad
parents > mother father mum mom dad
child > kid son daughter baby toddler
children kids sons daughters
sibling > brother sister
wife husband spouse partner
girlfriend boyfriend partner
married > marry wedding husband wife
engaged > engagement propose ring
divorce separated breakup split
relative > uncle aunt cousin nephew niece
pregnant > baby birth born expecting
born > birth birthplace hometown
pet > dog cat puppy kitten animal rabbit hamster
dog puppy
cat kitten
breed > terrier retriever poodle shepherd greyhound labrador
job work career profession occupation position post
employer company firm boss
boss manager supervisor chief
colleague coworker workmate teammate
fired laid dismissed
quit resign leave
hire hired employ
interview > application apply
promotion promoted raise
salary wage pay income
earn earnings money sold profit raised
money > cash pounds dollars euros
price cost expensive cheap paid
donate donation charity fundraiser raise cause
charity > fundraiser hospice cause donate
volunteer > volunteering shelter charity
school > class college university
teacher teach professor instructor tutor
student pupil
degree > graduate diploma university
study learn course class lesson
exam test
home > house flat apartment
flatmate roommate housemate
live lived living resident
move moved relocate moving
rent landlord lease
neighbour neighbor next
room > bedroom kitchen bathroom
furniture > sofa couch table chair
city town village
country abroad nation
travel > trip journey holiday vacation
holiday vacation trip break
visit visited went
camp camping tent
hike hiking trail walk mountain
beach sea coast ocean
flight plane airport fly
train railway station
car vehicle drive
bike bicycle cycling
boat ferry ship
hotel hostel accommodation
doctor physician hospital clinic
nurse ward hospital
hospital clinic ward emergency
operation surgery operated surgeon
illness sick ill disease fever flu
medicine medication drug pill tablets
injury > injured hurt sprained broke wound
accident > crash fell fall
pain ache sore hurt
recover recovery heal rehab better
allergy allergic intolerant
therapy therapist counselling counseling
mental anxiety depression stress
exercise workout gym training fitness
sport > game match
run running jog marathon race
race marathon run competition
swim swimming pool
climb climbing bouldering
football soccer
yoga meditation
music song band concert
instrument > piano guitar violin cello drums trumpet flute
concert gig show performance
sing singing choir
paint painting art artist
art artwork painting drawing
pottery ceramics clay
photo photograph picture camera
book novel read reading
author writer wrote written
publish publisher published editor
movie film cinema
series show episode
game > videogame gaming console
hobby pastime interest activity
food > dish meal eat
meal dinner lunch breakfast supper
cook cooking recipe bake
dessert cake sweet pie
drink > tea coffee beer wine
restaurant cafe diner
vegetarian vegan meat
fruit > apple berry
bird birds
flower > plant garden
garden gardening yard
gift present
celebrate celebration party birthday
birthday turned
party celebration
friend buddy pal mate
meet met introduced
date dating
start begin began join
begin start
finish complete end done
stop quit end
win won prize award
award prize medal trophy
lose lost
find found discover
buy bought purchase get
purchase bought buy
sell sold sale
give gave
receive got given
get got
make made create
build built construct
break broke broken
fix repair mend
plan planning going
decide decision decided chose choose
choose chose pick picked decide
want wish hope
dream wish hope
like love enjoy favourite favorite
favourite favorite best like love
hate dislike
happy glad excited thrilled
sad upset unhappy heartbroken
afraid scared fear nervous
angry upset annoyed
proud pride
tired exhausted
worry worried nervous anxious
problem trouble issue wrong
difficult hard tough challenge
help support assist
advice advise suggestion suggest recommend
suggest recommend advise
speak talk say said told
say said told
phone call mobile
email mail message
wifi wi wlan
photo photograph picture
computer laptop pc
internet online web
name called named
title name called
address street
age old years
elderly old
young youth kid
year annual
autumn fall
reason because why
big large huge
small little tiny
fast quick speed
colour color
clothes > dress shirt wear outfit
shoes boots sneakers
jewellery > jewelry ring necklace earrings
church temple mosque religion faith
volunteer volunteering
community group club organization organisation
group club committee team
event festival fair conference
meeting appointment
weather > rain sun snow storm
police > theft stolen robbed
pass passed died death
die died passed death
funeral died death passed
business shop store startup
shop store market
bookshop bookstore
"""

_CHINESE = """
妈妈 母亲 我妈 老妈 娘
爸爸 父亲 我爸 老爸 爹
父母 > 爸妈 爹妈
爷爷 祖父
奶奶 祖母
外公 姥爷
外婆 姥姥
妻子 老婆 太太 爱人 媳妇
丈夫 老公 先生 爱人
岳父 丈人
岳母 丈母娘
孩子 > 儿子 女儿 小孩 小朋友 宝宝
妹妹 姐妹
兄弟 哥哥 弟弟
男朋友 男友 对象
女朋友 女友 对象
朋友 好友 哥们 闺蜜
同事 同僚 组里
室友 舍友
邻居 隔壁 对门 楼上 楼下
老板 领导 上司 上级 主管 经理
员工 下属 手下
客户 甲方
老师 教师 班主任 教练
医生 大夫
护士 护理
保姆 阿姨 保洁 钟点工
师傅 工人
职业 工作 上班 职务 岗位
公司 单位 企业
上班 通勤 地铁 公交 开车
加班 值班
辞职 离职 跳槽
升职 晋升 提拔
工资 薪水 收入 月薪 薪资
奖金 年终奖
会议 开会 例会 站会
合同 协议 续签 续约
假期 年假 休假 请假 放假
出差 差旅
报销 票据 发票
创业 开公司 入伙
考试 > 考证 证书 考研
学校 > 小学 中学 幼儿园 大学
专业 > 学的是 读研
作业 功课
课程 > 上课 兴趣班 培训
成绩 分数
房子 住房 公寓 住宅
新房 换房 买房
面积 > 平米 平方
房租 租金
房贷 贷款 按揭
住址 地址 住在
搬家 搬到
卧室 房间 书房
厕所 卫生间 马桶 洗手间
厨房 水槽
家具 > 沙发 床 桌子
钥匙 锁 密码 门禁
快递 包裹
物业 管理处
汽车 车子 轿车 开车
限行 尾号
保养 修车 维修
修理 维修 修
停车 车位
轮胎 车轮
机票 航班 飞机
火车 高铁 动车
地铁 轻轨
旅行 旅游 出行 度假 游玩
酒店 宾馆 民宿 旅馆
护照 > 证件 签证
国庆 十一
春节 过年 新年
劳动节 五一
生日 过生日 诞辰
纪念日 > 结婚 婚礼
去世 过世 走了 忌日 离世
爱好 兴趣 喜欢
喜欢 爱 最爱 偏爱
讨厌 不喜欢 反感
害怕 怕 恐惧
礼物 送给 想要
运动 > 锻炼 健身 跑步 羽毛球 篮球 足球 游泳
跑步 慢跑 马拉松
游泳 泳池
打球 球类
音乐 歌曲 唱歌
乐器 > 吉他 钢琴 小提琴
电影 影片
电视剧 剧集 追剧
书 读书 小说 看书 作家
拍照 > 摄影 相机 镜头
画画 绘画 国画
游戏 玩
宠物 > 猫 狗 养
鱼 鱼缸 金鱼
花 > 鲜花 植物
蔬菜 > 番茄 种菜
水果 > 苹果 桃子 芒果
饭店 餐厅 餐馆 馆子
早餐 早饭
午餐 午饭 中饭
晚餐 晚饭
外卖 点菜 点餐
口味 > 味道 辣 甜 咸
忌口 > 不吃 过敏
咖啡 拿铁
喝酒 酒 饮酒
抽烟 吸烟 烟 戒烟
素食 吃素
过敏 > 不能吃 敏感
生病 > 病 患病 发烧 感冒
体检 > 检查 查出
手术 开刀 做过
医院 诊所 看病
药 吃药 服药 药物
疫苗 > 接种 打针
牙医 看牙 牙 洗牙
眼镜 > 近视 视力 度数
睡觉 睡眠 失眠 入睡
起床 醒来 醒
体重 减肥 公斤
受伤 扭伤 摔伤
慢性病 > 高血压 糖尿病 心脏
钱 金额 费用 花费 价格
价格 价钱 多少钱
贵 便宜
借 欠 还钱
归还 还
存款 储蓄
投资 > 基金 股票 理财
收益 赚 亏
保险 > 医疗险 车险 保单
银行卡 > 信用卡 卡
缴费 交钱 付款 续费 扣款
退款 退 取消
到期 过期 截止
电话 手机 号码 联系
联系 联系人 找
微信 消息 短信
电脑 > 笔记本 计算机
网络 宽带 上网
电视 屏幕
早上 早晨 上午 清晨
中午 午间
晚上 夜里 傍晚
周末 星期六 星期天 周六 周日
周六 星期六
周日 星期天 星期日
星期 周 礼拜
今年 本年
原因 为什么 因为
计划 打算 准备 安排
目标 指标 计划
要求 希望 最好
决定 选择
结果 怎么样
负责 管
开始 起
结束 完成
买 购买 购置
卖 出售
丢 丢失 弄丢
坏 损坏 弄坏 故障
放在 存放 位置
帮忙 帮助
"""


def _groups(lines: str) -> Mapping[str, Sequence[str]]:
    groups: dict[str, dict[str, None]] = defaultdict(dict)
    for line in lines.strip().splitlines():
        head, kinds, members = line.partition(" > ")
        for word in line.replace(" >", "").split():
            others = line.split() if not kinds else members.split() if word == head else [head]
            groups[word] |= dict.fromkeys(other for other in others if other != word)
    return {word: tuple(others) for word, others in groups.items()}


ENGLISH, CHINESE = _groups(_ENGLISH), _groups(_CHINESE)
