"""Chinese as the grammar looks at it: one width, one script, no spaces between characters; and its numerals."""

from __future__ import annotations

import re

# One character for one, so that a place in the folded text is a place in the original.
_SIGNS = str.maketrans("。、「」『』“”《》‘’　～〜—–−〇", '.,""""""""\'\' ~~---零')
_TRADITIONAL = (
    "點後週禮個鐘鍾時兩號間過內說請煩幫讓給設單辦買劃務麼聯繫簡報擾別沒嗎為這從記誰們雙淩開還來項顯創鬧鈴對靜該刪標鉤畫"
    "寫裡裏進當計認識訂錄會無總終媽爺師闆員體組幾準於發約見勞駕應隨與購現區東雞麵藥電話車門馬學長錢書頭飯運動關機場國華"
    "溫灣紐倫舊聖誕節歲歷曆檔確讀聽試題護證簽樓廚衛條滿熱掃遞醫檢驗練習賬費繳兒孫婦髮燈遲換轉達邊選擇歡樂頓鹽魚貓爾羅蘇"
    "臺網頁紅黃隻張趕檯響啟業問陰陽離覺傳圖館葉備钩價剛劉參團塊將導層帶幹庫廣廳強復慶搶數斷暫棟樣樹櫃歸氣決況減測湯漢環"
    "畢盡碼稱積範納級細經線續聞聲臘萬處裝製複褲襪親觸訊討許訴評語課調談論譯議變豐負貨責貼賀趙較輛輪農迴連遊適郵鄉釋銷錯"
    "閉閒陣陳陸隊雜韓須預領願顧飛餅餘鮑鮮齊龍覆俺燉託謝匯寶愛腦詢磯視紀軟錶額類麥廠澆種窮籤著補資賣鐵閑順頻餵優妳唸貪嘅"
    "咗冇睇俾畀喺嗰攞餸啲咩佢瞓搵嚟吖㗎係"
)
_SIMPLIFIED = (
    "点后周礼个钟钟时两号间过内说请烦帮让给设单办买划务么联系简报扰别没吗为这从记谁们双凌开还来项显创闹铃对静该删标勾划"
    "写里里进当计认识订录会无总终妈爷师板员体组几准于发约见劳驾应随与购现区东鸡面药电话车门马学长钱书头饭运动关机场国华"
    "温湾纽伦旧圣诞节岁历历档确读听试题护证签楼厨卫条满热扫递医检验练习账费缴儿孙妇发灯迟换转达边选择欢乐顿盐鱼猫尔罗苏"
    "台网页红黄只张赶台响启业问阴阳离觉传图馆叶备勾价刚刘参团块将导层带干库广厅强复庆抢数断暂栋样树柜归气决况减测汤汉环"
    "毕尽码称积范纳级细经线续闻声腊万处装制复裤袜亲触讯讨许诉评语课调谈论译议变丰负货责贴贺赵较辆轮农回连游适邮乡释销错"
    "闭闲阵陈陆队杂韩须预领愿顾飞饼余鲍鲜齐龙复我炖托谢汇宝爱脑询矶视纪软表额类麦厂浇种穷签着补资卖铁闲顺频喂优你念贪的"
    "了没看给给在那拿菜些啥他睡找来啊啊是"
)
_FOLD = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | _SIGNS | str.maketrans(_TRADITIONAL, _SIMPLIFIED)
# Signs that sound alike and are typed for those of a key word; as long as it.
_MISTYPED = {f"提{sign}我": "提醒我" for sign in "性型行星心姓幸"} | {f"{sign}醒": "提醒" for sign in "题体"} | {
    "分中后": "分钟后", "听朝": "明早", "听晚": "明晚", "唔使": "不用", "唔好": "不要", "而家": "现在", "打✅": "打勾",
    "个✅": "个勾", "闹种": "闹钟", "倒记时": "倒计时", "俩小时": "两小时", "星其": "星期", "青单": "清单",
}  # fmt: skip
_TYPED = re.compile(rf"(?!听朝[阳鲜闻花夕]|听晚[会间报安风课自]|提[心姓幸]我[也们的])(?:{'|'.join(_MISTYPED)})")

# A text in Chinese, or of figures alone: those with Latin letters are for others to read, Japanese as well.
OURS = re.compile(
    r"(?!.*[\u3041-\u30ff\uac00-\ud7af])(?:.*[\u3400-\u9fff]|(?:\d{4}-\d\d-\d\dT)?[\d\s:./-]*$)", re.DOTALL
)
NUMBER = "(?:[0-9]{1,4}|[零一二两三四五六七八九十百廿]{1,6})"
_PAIR, _DIGITS = 2, {sign: value for value, sign in enumerate("零一二三四五六七八九")} | {"两": 2}
_NUMERAL = re.compile(r"(?:(?P<hundreds>.)百零?)?(?P<tens>[^十])?(?P<ten>十)?(?P<ones>[^十])?")


def fold(text: str) -> str:
    """Full-width signs and digits narrow, traditional characters simplified, typing errors of key words mended; as
    long as before."""
    return _TYPED.sub(lambda found: _MISTYPED[found[0]], text.translate(_FOLD))


def number(text: str) -> int | None:
    """The number that digits or a Chinese numeral up to 999 stand for ("27", "二十七"); None for what is none."""
    text = text.removeprefix("零").replace("廿", "二十") or text
    if text.isascii():
        return int(text) if text.isdigit() else None
    if len(text) > 1 and set(text) <= set(_DIGITS):
        # Signs for digits in a row, as in a year. Two of them are a guess: "一两" is one or two.
        guess = len(text) == _PAIR and "零" not in text
        return None if guess else int("".join(str(_DIGITS[sign]) for sign in text))
    found = _NUMERAL.fullmatch(text)
    if found is None:
        return None
    hundreds, tens, ones = (_DIGITS.get(found[name] or "零") for name in ("hundreds", "tens", "ones"))
    if hundreds is None or tens is None or ones is None:
        return None
    if not found["ten"]:
        # Without 十 a lone digit is the ones; the pattern has called it the tens.
        return hundreds * 100 + (tens or ones)
    return hundreds * 100 + (tens if found["tens"] else 1) * 10 + ones
