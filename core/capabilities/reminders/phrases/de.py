"""German: what people say to be reminded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.language.grammar import PhraseTable

MACROS: Mapping[str, str] = {
    "WHOM": "uns alle?|alle|((SOMEONE) ,){0,2} (SOMEONE|mich) (und|&) (SOMEONE|mich) (?!zu|<deed>)|SOMEONE|mich|mi",
    # Nothing of it may be of the time behind it: "Bob am letzten Arbeitstag | um 12".
    "UNTIMED": "(?!(?!<article>|<sent>) <timed>|<edges>|<mild>|<any>|<asking>|<condition>|<negation>|dass|an|ans|und"
    "|nichts|niemand|niemanden|für|fürs|zum|zur|vom|von|in|ins|im|auf|aufs|über|wegen|wg|bezüglich|zwecks|diesen|ganzen"
    "|letzten|vorletzten|schlag|uhrzeit|zug|bus|bahn|flug|flieger|fähre|film|sendung|spiel|kino|frist|call|termin"
    "|<event>|<appointment> <timed>) <y:word>",
    # Where names have capitals a small word between one and the time may be of that: "Bob demain | um 9".
    "ODD_MIDDLE": "(UNTIMED){0,6} <name> (?!<name>|<deed>) <unknown> <y:time> zu? <z:word> $",
    # These say what their object is that has a time: "den Tisch um 9 stornieren", "Bob Freitag vorschlagen".
    "OWNS_TIME": "buchen|reservieren|planen|verschieben|verlegen|verpassen|besuchen|stornieren|canceln|bestätigen"
    "|verlängern|organisieren|versprechen|gehen|fahren|starten|schauen|üben|lernen|absagen|abzusagen|zuzusagen"
    "|vorzubereiten|umzubuchen|abzubestellen|anzumelden|anzusehen|anzuschauen|anzubieten|vorzuschlagen|einzuladen"
    "|freizuhalten|einzutragen|aufzunehmen|einzuhalten|abzublasen|umzuleiten",
    # Such a time is surely that of the reminder: "morgen", "in 2 Stunden", "jeden Tag", "um 15 Uhr"; "den Preis um 5
    # senken" and "den Urlaub im August beantragen" are not.
    "OF_REMINDER": "(?=<day>|in (<number>|<length>)|<each>|alle|<adverb>|<y:time>? (<clock>|<hour> _: <minute>))",
    "CLAUSE": "(dass? (?=ich|wir) WE)? (?!das (ich|wir)|ODD_MIDDLE) (rest=(UNTIMED){0,7} (?!<article>) UNTIMED)"
    " (<when:time> (more=<calling>)|OF_REMINDER <when:time> (more=((bei|beim|zum|zur|vom|aus|mit) (UNTIMED){1,2})? zu?"
    " (?!<name>|<timed>|<mild>|OWNS_TIME) <z:word>)) (muss|müssen|soll|will)?",
    "SOMEONE": "<link>|KIN|<name> <name> (?=<y:time>? (AN))|<name> (?!<name> <y:time>? (AN))",
    # "15.12" is rather a day than a clock.
    "NO_DATE": "(?!<hour> _. <hour> (?!<clock>|h|.|_.))",
    "A_NEW": "(INDEF|noch (INDEF)|bitte (INDEF))? (neuen|neue|neuer|zweiten|zweiter|weiteren|kurzer|kleiner|schneller"
    "|schnellen)?",
    "THE_NEW": "den|meinen|die|A_NEW",
    "NEED": "(WE|ick) (brauche|brauch|bräuchte|benötige|will|möchte|hätte gern|hätte gerne|bitte um)|um (?=(INDEF)?"
    " erinnerung (?!<y:many> zu <y:word> $))",
    "MAKE": "(PLEASE (<making>|NEED) ME PLEASE A_NEW)", "SET": "(PLEASE (<making>|NEED) ME PLEASE (THE_NEW))",
    "AT_TIME": "MILD <when:time> MILD", "AT": "(auf|für|in|an|am|von|zu|über|mit|:)?",
    "SOON": "((nachher|später|bald) (?!<y:many> (<any>|<hour>|<day>|<singleday>|<edges>)))?",
    # What is left of a time does not begin a text: "um halb", "zehn Zahnarzt".
    "NO_TIME": "(?!,|.|<month>|<nthword> (<month>|um)|_:|_.|_-|_/|<any>|<edges>|<clock>|<unit>|<partnoun>|<partadverb>"
    "|<singleday>|<day>|(?!ein|eine|eins) (<hour>|<number>))",
    # To a timer "20" is rather a length than an hour, to others "1h15" is none.
    "WHEN": "(?!<hour> (h <minute> (?!<timing>)|<timing>)) <when:time>",
    "NO_HOUR": "(?!<timing> (auf|für|von|mit)? (<hour>|<one> _: <minute>) (<filler>|ein|an|für|mit|zum|wegen|:|$)"
    "|<timing> AT <two> h|(?!<timing>) <alarm> (AT <hour> h <minute>|in <hour> $))",
    "SHORTLY": "MILD (?=um|punkt|in (<number> (<minutes>|<hours>|<seconds>)|<length>)|<y:time> (um|<clock>))"
    " <when:time>",
    # "Timer 5 min left" is English, and "alarm 6:30 mon, wed, fri".
    "ENGLISH": "left|ago|done|still|again|pause|running|mon|tue|wed|thu|fri|sat|sun",
    "NOT_FORGOTTEN": "nicht vergessen|((INDEF)? neue)? erinnerung (erstellen|anlegen|setzen|für mich)?|erinnern",
    "BECAUSE": "(wegen|wg|bzgl|bezüglich|betreffs|zwecks) .?",
    # What somebody else shall do: "dass er den Müll rausbringen soll", "sie soll anrufen".
    "THEIR_DUTY": ",? (dass (er|sie) (rest=<y:plain>) (soll|muss|sollen|müssen)|dass? (er|sie) (soll|muss) MILD"
    " (rest=<y:plain>))",
    "THEIR_NEWS": ",? (rest=dass (das|der|die|es) (?!du|ihr|<y:many>? (dir|dich|<yours>)) <y:many>)",
    # A day with an hour, which a second hour would lose; a day alone, or an hour alone.
    "OTHER_HOUR": "am? (<day>|<singleday>) (um|<any>|mittag|nachmittag)",
    "ONE_PART": "am? (<day>|<singleday>) früh?|um <y:hour> <clock>?",
    # Whom news are for: "höflich" may be said in that place, too.
    "KNOWN": "(<name>|KIN) ((,|und) (<name>|mama|papa)){0,2}",
    "TO_THEM": "((der|dem)? (who=A_NAME)|(who=<link>)) AT_TIME MILD",
    "A_NAME": "(?!nix|ja|nein|danke|hallo|denen|allen|keinem|jedem|nichts|leise|laut|höflich|freundlich|deutlich"
    "|schriftlich) (<name>|<unknown>|KIN) ((,|und) (<name>|<unknown>|mama|papa)){0,2}",
    "ASK_A_SIGN": "((gib|sag) (who=mir|uns)? (<filler>{0,2} (da|dann) <filler>{0,2} bescheid|(da|dann|<filler>){0,3}"
    " <signal>)|(POKE) (who=mich|uns) (da|dann|bitte|mal|an){0,3})",
    "POKE": "hau|ping|pinge|stups|stupse|nerv|nerve|pling|pieps|piepse",
    # "Müll rausbringen erinnern", but not "Bob erinnern", nor "den Chef erinnern".
    "NOBODY": "(?!<article>|<y:time> (INDEF) <noting>|zum|zur|für|von|vom|(AN) (<article>|(?!<timed>)|<y:time>"
    " <noting>)|<y:many> (AN|BECAUSE|zu|über|als|(?!das) <pronoun>|<asking>|<modal>|<being>|<negation>|<condition>|dass"
    "|aber|oder|statt|(bitte|und|,|:|;) (um|eine|ne)? <noting>|((<article>|<mine>) <z:word>|(<any>|<timed>) (<name>"
    "|SOMEBODY|<stress>|<filler>|<z:word> und <z:word>)) <noting>))",
    "TO_ME": "(?!bitte? (alle|ihr|du|denkt|<yours>))",
    "NO_NEWS": "(?!wegen|(der|die|das) alte|(<mild>|<just>|nicht|nie|so|zu){0,3} (<infinitive>|<state>|<doneness>"
    "|verlängern) bitte? $)",
    "NO_CHANGE": "(?!(<y:some>)? (<dropping>|OUT|verschieben|verlegen|ändern|umstellen|absagen|canceln|ausschalten"
    "|abstellen|abbrechen|<doneness>|<state>|gelöscht|gestrichen|storniert|passt|klappt|schicken) (bitte|danke)? $)",
    "NO_TALK": "(?!ich|wir|du|er|<filler>|<nice>|<greeting>|liebe|lieber|sorry|alles|guten|danke|nein|perfekt|stimmt"
    "|passt|gern|gerne|<y:word> (,|;|.|-)|<y:some> (sagt|sagte|meint|meinte|schreibt|schrieb|will|fragt) (,|:))",
    "SOMEBODY": "KIN|mutter|vater|chef|chefin|frau|mann|kinder|kollegen|kunden|team|leute"
    "|eltern|nachbarn|alle",
    "BEFORE_THE": "<before:time> vor (dem|der|den|meinem|meiner|meinen|unserem|unserer)? (?!<timed>)",
    "BEFORE_IT": "(before=<number> <unit>|<length>) (vorher|davor|zuvor|im voraus|früher)|am <ahead:theday> (davor"
    "|vorher|zuvor)|(?=am vortag) am <ahead:theday>",
    "ELSE": ",? sonst (vergess|vergesse|vergessen|verpass|verpasse|verpassen|krieg|kriege|kriegen|bekomm|bekomme"
    "|bekommen|gibts|gibt|verpenn|verschlaf|verschlafe|verschwitz) (?!(<y:some>)? (,|oder|und)) <y:few>",
    "ASIDE": "(und)? (CAN_YOU)? MILD ((REMINDS_ME|(gib|sag|ping|stups) ((who=mir|mich|uns)|<filler>)|(eine|ne)?"
    " (erinnerung|reminder)) MILD (daran|dran)? (BEFORE_IT) (daran|dran|bitte|an|bescheid)?|(who=mich|mir|uns)? MILD"
    " (BEFORE_IT) MILD (daran|dran)? (erinnern|melden|bescheid (sagen|geben)|<ringing>))",
    # Neither for whom it is, nor from when: "für Bob", "Urlaub ab Montag". "Ein" counts, and is no hour.
    "AN_EVENT": "(?!<filler>? <yours>|<loose>|<y:some>? (ab|bis|seit|zwischen|vor|nach) <timed>)",
    "NO_COUNT": "(?!<y:time>? <clock> <any> <unknown> (?!ein|eintragen)|(<day>|<singleday>)? <hour> (?!<clock>|h|_:|_."
    "|.|<month>|<unit>|<partadverb>))",
    # What reminds of something, or what is remembered; and habits, and what comes later in a tale.
    "NO_STORY": "(?!erinnert (mich|uns) (heute|jetzt|immer)? AN|<reminding> (mich|uns) ((<y:few>)? (gern|gerne|mehr"
    "|bisschen) (?=AN)|<filler>? (morgens|abends|nachts) (?=AN|zu)|(<number> <unit>|<length>) später))",
    "TO_SET": "PLEASE (schicken|senden|machen|setzen|stellen|einstellen|erstellen|anlegen|einrichten|eintragen)",
    "FORGET_NOT": "(vergiss|vergesst|vergessen sie) PLEASE nicht|(denk|denke|denken sie) PLEASE (dran|daran)",
    "ASKING_TO": "FORGET_NOT|nicht vergessen|(ich|wir)? (darf|dürfte|möchte|muss|bitte) (you=dich|sie) bitten?"
    "|(you=wäre|wär) es (dir|ihnen|euch)? möglich",
    "REMINDS_ME": "<reminding> sie? (who=mich|mi|uns)|(you=erinnerst) du (who=mich|uns)",
    "CALENDAR": "(in|ins|im|(?!auf (der|die) agenda) auf) (THE)? (calendar=<calendar>)|(calendar=in|ins) <calendar>",
}  # fmt: skip
ROWS: Mapping[str, Sequence[str]] = {
    "remind": (
        # What stands behind its verb, before it, and around it.
        "NO_STORY (<reminding> sie?|(you=erinnerst|erinnerste) du?) (bitte|mal|doch|nochmal){0,2} ((die|den) (?=<name>"
        " MILD <y:time> (AN)))? (?!(<link>|<name>) ,? (dass|das|daran) (dass)? (ich|wir)) (who=WHOM) ,? MILD !{0,3}"
        " <rest:text>|<when:time> ,? (erinner|erinnere|(you=erinnerst) du|erinnern sie (?=mich bitte|uns bitte)) MILD"
        " ((who=mich|mi|uns)|(who=WHOM) (?=MILD (AN))) MILD <rest:text>|(erinner|erinnere) AT_TIME (who=WHOM) (?=AN)"
        " <rest:text>|(rest=(an|ans) <y:some>) (you=erinnerst) du (who=mich|uns) MILD <more:time>",
        # In a clause the time stands before the verb: "daran, Bob morgen um 9 anzurufen".
        "NO_STORY (<reminding> sie?|(you=erinnerst|erinnerste) du?) (bitte|mal|doch){0,2} (who=WHOM) MILD ((daran|dran)"
        " ,?|,) CLAUSE|(who=WHOM) MILD (daran|dran) (you=erinnern) ,? CLAUSE|WE (muss|müssen|soll|sollen|möchte|will)"
        " CLAUSE ,? und? MILD (REMINDS_ME MILD (daran|dran)?|(CAN_YOU) MILD (who=mich|uns) MILD (daran|dran)? MILD"
        " erinnern) MILD",
        "(?!OTHER_HOUR) <when:time> <wakes:wake> (who=mich|uns) MILD (more=<y:time>) auf?|(?=<day>|<singleday>)"
        " (?!OTHER_HOUR) <when:time> (INDEF|den)? (?!<timing>) <wakes:alarm> (more=(?=um|<hour> (<clock>|_:))"
        " <y:time>) PLEASE",
        "(<wakes:wake>|(you=<wakes:wakes>)) (who=mich|uns) auf? ,? MILD <when:time> auf? (, (ich|wir) (?!<y:many>?"
        " (mein"
        "|meine|um|<any>|<hour>|<condition>|<negation>)) <y:many>)?|MILD (who=mich|uns)? AT_TIME"
        " <wakes:waken>|(einmal|bitte)? <wakes:waken> MILD <when:time>|<wakes:waken>|(schmeiß|schmeiße|wirf|hol|hole"
        "|kick|klingel|klingle) (who=mich|uns) AT_TIME <wakes:bed>|(who=mich|uns) AT_TIME <wakes:bed> (schmeißen|holen"
        "|werfen|klingeln)",
        "(ich muss (?=ONE_PART (raus|aufstehen|hoch)) <when:time>|(?=ONE_PART (muss|aufstehen)) <when:time> (muss ich"
        "|(?=aufstehen))) (raus|aufstehen|hoch) ,? MILD <wakes:wake> (who=mich) MILD (more=<y:time>) MILD|((ich muss"
        "|wir müssen) <when:time>|<when:time> (muss ich|müssen wir|(?=aufstehen))) (raus|aufstehen|hoch) ,? MILD"
        " (<wakes:wake> (who=mich|uns) MILD (da|dann)? MILD|(who=mich|uns)? MILD <wakes:waken>) MILD|(ich|wir)? (bin"
        "|sind|geh|gehe|leg|lege|schlaf|schlafe) <y:few> ((,|.|;|-) MILD|(?=<wake>)) (<wakes:wake> (who=mich|uns)"
        " AT_TIME"
        "|<when:time> MILD <wakes:waken> MILD)|(gib|sag) (mir|uns|<filler>)? MILD (SHORTLY (<wakes:alerting>"
        "|<wakes:signal>)|(<wakes:alerting>|<wakes:signal>) SHORTLY)|<wakes:alerting> (mich|uns) SHORTLY an?"
        "|<wakes:ringing> SHORTLY|lass (es)? SHORTLY MILD ((THE)? <alarm>)? <wakes:ringing>|SHORTLY MILD"
        " <wakes:ringing> lassen",
        "<wake> (mich|uns) MILD (?=in|<y:time>? (früh|morgens)) <when:time> ((,|-|:)|(?=(ich|wir) (leg|lege|geh|gehe"
        "|muss|mach|mache|hab|habe|will|bin))) (?=ich|wir|bin|hab|habe|muss|will|sonst) <x:text>|((ich|wir) (will"
        "|wollen|möchte|möchten|muss) <when:time>|<when:time> (will|möchte|muss) (ich|wir)) (?!wecken|aufwecken"
        "|weckst) <wakes:waken>",
        "(mir|mich|uns)? SHORTLY MILD (<wakes:alerting> (sagen|geben)|<wakes:ringing>)",
        "(mir|mich|uns)? SHORTLY MILD (bescheid (sagen|geben)|<ringing>) ((,|-|:|!|.){1,2}|BECAUSE) NO_TIME (?!und|oder"
        "|aber|nein|doch|danke|damit|dann|sagt|meint|sagte) <x:plain>",
        "(?!<y:word> (mir|uns) <y:many> dass (<name>|SOMEBODY) <y:many> (ist|sind|war|hat) $|(gib|sag) (<name>|<link>)"
        " <y:many> dass (ich|wir)) ((gib|sag) ((who=mir|uns|<link>)|(der|dem)? (who=KNOWN)|<filler>) AT_TIME (bescheid"
        "|(INDEF) hinweis|<signal>)|(you=sagst|gibst) du MILD ((who=mir|uns|<link>)|(der|dem)? (who=KNOWN)) AT_TIME"
        " bescheid|((who=mir|uns)|<filler>) AT_TIME bescheid (sagen|geben)|(schreib|ping|stups) (who=mich|uns) MILD"
        " <when:time> an|(schreib|schreibe) (who=mir|uns) MILD (?=um|in|<y:time> <clock>) <when:time>) ,? (rest=dass"
        " (?!du|ihr|alles|<y:many>? (dir|dich|<yours>)) <y:text>)|sag mir MILD (?=um|in|morgen|<y:time> <clock>)"
        " <when:time> ,? dass (ich|wir) <x:text>|(sag mir SHORTLY|mir SHORTLY sagen) ,? dass (ich|wir|(?=<article>"
        "|<mine>)) (?!<y:many> (war|waren) $) <x:text>",
        "(sag|sage|gib|schreib|schreibe|richte) MILD TO_THEM (bescheid|aus)? THEIR_DUTY|((sag|sage|gib|schreib"
        "|schreibe|richte)|(you=sagst|gibst|schreibst) du) MILD (der|dem)? (who=KNOWN) AT_TIME (bescheid|aus)?"
        " THEIR_NEWS|TO_THEM (bescheid)? (sagen|geben|schreiben|ausrichten) THEIR_DUTY|(der|dem)? (who=KNOWN) SHORTLY"
        " MILD (bescheid)? (sagen|geben|schreiben) THEIR_NEWS|(you=sagst|gibst|schreibst) du MILD TO_THEM (bescheid)?"
        " THEIR_DUTY|(who=<link>|<name>) (muss|soll|sollte) MILD (rest=<y:time> <z:plain>) (,|;|.|-|!){1,3} MILD"
        " (<reminding> sie? (ihn|sie)|(gib|sag) (ihm|ihr) (da|dann) bescheid|(POKE) (ihn|sie) an?) MILD (daran|dran"
        "|da)? MILD|(schreib|schreibe|sag|sage) (who=mir|uns) AT_TIME ,? dass? (ich|wir) (soll|sollen|muss|müssen"
        "|sollte) MILD (rest=<y:plain>)",
        "(schick|schicke|send|sende) ME MILD (für)? <when:time> MILD (INDEF) ((erinnerung|reminder|ping) (an|ans|für"
        "|fürs|zum|zur)|(nachricht|erinnerung|reminder|ping) (:|BECAUSE|,? dass (ich|wir))) NO_TIME <x:text>|ME"
        " AT_TIME (INDEF) (nachricht|ping|erinnerung|reminder) (schicken|senden|schreiben) ,? (an|ans|für|BECAUSE|dass"
        " (ich|wir)|:) NO_TIME <x:text>|<wakes:report> dich (bei (mir|uns))? SHORTLY MILD (bei (mir|uns))?",
        "((POKE) (mich|uns) an? AT_TIME|((meld|melde) dich (bei (mir|uns))?|(gib|sag) (mir|uns) MILD (?=<y:time>"
        " (bescheid|<signal>))|(schreib|schreibe) (mir|uns)) (?=MILD <y:time>? (um|punkt|in|<clock>)) AT_TIME) (bei"
        " (mir|uns))? (an|bescheid|<signal>|(INDEF) nachricht)? (BECAUSE|:) <x:text> (an|(INDEF) nachricht|bei (mir"
        "|uns))?",
        "(<when:time> (musst|sollst|kannst|könntest) du|musst|sollst) (who=mich|uns) MILD (rest=(<y:time> MILD)? (AN)"
        " <y:few>) (you=erinnern)|(musst|sollst) (who=mich|uns) AT_TIME (daran|dran) erinnern ,? <rest:text>",
        "(denk|denke) PLEASE für (mich|uns) (mit)? (dran|daran) (:|,) <line:text>|(damit|dass) (ichs|wirs|(ich|wir)"
        " (es|das)) nicht (vergesse|vergessen|verpenne|verpasse|verpassen) (:|,) <line:text>",
        "(?!<y:many> (an|ans) <y:many> erinnern , <y:word> $) (who=mich|mi|uns alle?|alle (?=<timed> <y:some>? <noting>"
        " (:|,))|<link>) MILD <rest:many>? ,? (erinnern|erinnerst) (könntest|würdest|kannst|könnten|würden|bitte|danke"
        "|ok|okay)? (,|:)? <more:text>?",
        "AT_TIME (who=alle|uns|<link>) MILD (rest=(an|ans) <z:few>) (you=erinnern) PLEASE|(you=CAN_YOU) MILD"
        " <when:time>? MILD ((die|den) (?=<name> <y:time> (AN)))? (who=WHOM) MILD ((rest=<y:few>? (AN) <y:few>)"
        " erinnern MILD|(?=<y:time> (AN)) (rest=<y:time> (AN)) erinnern ,? <more:text>)|(who=WHOM) MILD (rest=<y:few>?"
        " (AN) <y:few>) (you=erinnerst)",
        "MILD (rest=<y:time> MILD (an|ans) (?!dich|euch) <z:few>) (you=erinnern) (until=,? bis ich? es? (erledigt"
        "|fertig|gemacht) (ist|hab|habe|bin)?)? (bitte|danke|ok|okay|ja|gell|ELSE)?|((WE)? <modal>)? NO_TALK"
        " (rest=((am|jeden) letzten)? <y:plain>) (,|;|.|-|:|!){1,3} MILD ((<reminding> sie?|ping|stups) (who=mich|uns)"
        " AT_TIME (da|daran|dran|an)?|(gib|sag) (who=mir|uns) AT_TIME bescheid|(schick|schicke|schreib|schreibe)"
        " (who=mir|uns) AT_TIME (INDEF) (nachricht|erinnerung|ping)|(who=mich|uns)? AT_TIME (daran|dran)? erinnern"
        "|(eine|ne)? (<noting>|wiedervorlage) MILD (gern|gerne|für|am|auf)? <when:time>)",
        "NO_TALK (rest=<y:plain>) (,|;|.|-)? (da|daran) (musst|sollst|kannst|könntest) du (who=mich|uns) AT_TIME (daran"
        "|dran) (you=erinnern) MILD",
        "(?!<y:time> (<modal> es|(bin|sind) (ich|wir) <state>)|<y:many> (war|waren|wäre|wären|begann|hatte|hatten)"
        "|vielleicht? <y:word> (ich|wir)) ((WE)? <modal> (nicht vergessen ,?)?)? <line:text> (,|;|:|.|-|!){0,3} MILD"
        " (<reminding> sie? (who=WHOM)|FORGET_NOT ,? (who=mich|uns) MILD (daran|dran)? zu erinnern|(you=erinnerst) du?"
        " (who=mich|uns)|(you=<can>) du? (who=mich|uns) MILD (da|daran|dran){0,2} erinnern) MILD (da|daran|dran)? MILD",
        "(?!(<y:many>)? ((?!das|hier|es|alles) <pronoun>|<modal>|<being>|<can>|nicht) <y:many>? (,|;|:|.|-|!) MILD"
        " (gib|sag|ping|stups)) (line=<y:many> (<deed>|<getting>|in (<number> <y:word>|<length>))) ((,|;|:|.|-|!){1,3}"
        " MILD|(?=sag mir (da|dann))) ((ASK_A_SIGN)|(gib|sag) (who=mir|uns)? bescheid)|(WE)? (muss|müssen|soll) MILD"
        " (line=<y:time> (?!wissen|hören) <z:plain>) (,|;|.|-|!){0,3} MILD (ASK_A_SIGN) (daran|dran)? MILD|ich? muss"
        " MILD (?=um|in (<number> (<minutes>|<hours>)|<length>)) (line=<y:time> (?!wissen|hören) <z:plain>) (,|;|.|-"
        "|!){0,3} MILD (gib|sag) mir? bescheid|(?!<y:many> (du|ihr|jemand)|(<y:word>)? (du|ihr|jemand)) <line:text> (,"
        "|;|:|.|-) MILD (mach|schreib|stell|setz) (who=mir|uns) (da|dazu|dafür)? (INDEF) erinnerung (rein)?",
        "(?=<y:few>? (um|in|<hour> (<clock>|_:|_.))|(?!<y:many> <alarm>)) (?!<y:some> (ist|sind|beginnt|startet"
        "|findet) <y:many> vergessen) <line:text> ((,|;|:|[(]|-) bitte?|bitte) (bitte|um|eine|ne|als|da|daran|dran"
        "|merken|und|wiederkehrende|tägliche|wöchentliche|monatliche|regelmäßige){0,4} (<noting>|<alarm>|nicht"
        " vergessen) (lassen|bitte|pls|plz|danke|an|setzen|stellen|einstellen|anlegen|einrichten){0,3} (.|[)])?"
        "|(?=<y:few>? (um|in|halb|<hour> (<clock>|_:|_.))) <line:text> (,|;|-) MILD (anstupsen|anpingen) PLEASE"
        "|<line:text> (,|;|.|-|!) (you=CAN_YOU) (mir|uns|das|es|da|dafür|dazu|als|eine|ne|<filler>){0,5} erinnerung"
        " (machen|setzen|stellen|einstellen|anlegen|einrichten|eintragen|erstellen)",
        "NOBODY (line=<y:some> (<deed>|<getting>) ,? <z:time>) MILD <noting> MILD|NOBODY (line=<y:time> ,? <z:few>)"
        " (pls|plz)? <noting> MILD|(line=<y:time> ,? TO_ME <z:words> (<deed>|<getting>|laden)) nicht vergessen MILD"
        "|(?=<day> <y:time> <clock>) (line=<y:time> TO_ME <z:word>) nicht vergessen MILD",
        "(line=<y:text> (?!<any>) <z:word>) . (bitte|um|eine|ne|als){0,3} <noting> (bitte|pls|plz|danke){0,3}",
        "(?=um|<day>|<y:time> <clock>) <when:time> PLEASE (daran|dran)? erinnern (an|ans|wegen|,? dass (ich|wir)?|,)?"
        " (?!(?!das) <pronoun>|<y:word>{0,6} (AN)|wegen|dass|reicht|genügt|klappt|passt|hilft) NO_TIME <x:plain>|(an"
        "|ans) NO_TIME <x:plain> MILD (<when:time> MILD erinnern|erinnern MILD <when:time>) PLEASE",
        "(line=<y:time> ,? bis ich? es? (erledigt|fertig|gemacht) (ist|habe|hab|bin|sage|sag)? (:|,) <z:text>)",
        "(eine|ne) (erinnerung|reminder) (für|um|am)? <when:time> (wäre|wär) <nice> : <x:text>|(?=in) <when:time>"
        " PLEASE (daran|dran) erinnern ,? (dass (ich|wir))? NO_TIME <x:plain>",
        "(?=<y:time>? (um|<clock>)) <when:time> (?!noch|schon) MILD (an|ans) NO_TIME <x:plain> denken MILD"
        "|(you=denkst) du MILD (?=<y:time>? (um|<clock>)) (rest=<y:time> (an|ans) NO_TIME <y:plain>)|denk (für mich)?"
        " (?=<y:time>? (um|<clock>)) <when:time> (für mich)? MILD (an|ans) NO_TIME <x:plain>|(?=in (<number>"
        " (<minutes>|<hours>)|<length>) :) <when:time> : (x=<unknown>{1,2})",
        "<when:time> (daran|dran)? bitte? (<noting>|denken) lassen? (bitte|pls)? : <x:text>|(erinnerung|wiedervorlage"
        "|reminder) (an|(für|auf) (?!<hour> h))? NO_DATE ((when=<y:time> auf <z:time>)|<when:time>) : <x:text>"
        "|erinnerung (einrichten|anlegen|setzen) (für|am|um)? <when:time> NO_TIME <x:plain>|(calendar=kalender|neuer?"
        " termin (anlegen|eintragen|notieren)?|(trag|trage) ME PLEASE ein|<adding> ME PLEASE (CALENDAR) (ein)?) :"
        " (?!(<day>|<singleday>) (von|bis|<hour> (?!uhr|_:|_.|h|<clock>))) <line:text>",
        "(calendar=mach|mache|leg|lege|plan|plane|erstell|erstelle|setz|setze) ME PLEASE (INDEF) (x=(<event>|call) (mit"
        "|bei|beim) (THE)? (?!<timed>) <y:some>) (am|für|um|auf)? <when:time> (an|ein|aus)?|(erstell|erstelle) (INDEF)"
        " (calendar=ereignis|termin|kalendereintrag) (:|,|namens)? (?!für|mit|ist|von) NO_TIME <line:text>",
        "(calendar=neuer termin|neues meeting|kalendereintrag|termin (anlegen|eintragen)|(trag|trage) ME PLEASE ein"
        "|(erstell|erstelle|(mach|mache) (?=<y:some> für)) ME PLEASE (INDEF) (neuen)? (termin|eintrag)|(notier|notiere"
        "|merk|merke) (dir|mir)? PLEASE (?=für)|(merk|merke) (dir|mir)? PLEASE vor|(leg|lege|trag|trage) ME PLEASE"
        " (INDEF) (neuen)? termin (an|ein)|(leg|lege) (?=für <y:time> (INDEF) termin an)) (am|für|um|:)? <when:time>"
        " ((INDEF) termin an)? (:|,|-)? NO_TIME (?!passt|klappt|ok|okay|gelöscht|abgesagt|verschoben|entfällt|fällt"
        "|absagen|erstellen|anlegen|aus|ab|rein|klar|fest) NO_NEWS <x:plain>",
        "(THE|INDEF)? (calendar=termin) (am|für|um)? <when:time> NO_TIME <x:plain> PLEASE (eintragen|vormerken)"
        "|(?!(THE)? (<event>|<plans>) <timed>|<hour> (h|<hours>)|<y:many> <calendar>) (?=<y:few>? (um|<hour> (<clock>"
        "|_:|_.|$))) AN_EVENT (line=<y:plain>) (,|-|.)? PLEASE (calendar=eintragen|vormerken|abspeichern|notieren|(trag"
        "|trage) (das|es) PLEASE ein)|(calendar=neuer termin|neues meeting) (?!für|mit|ist|von|wegen) NO_TIME"
        " <line:text>|(eine|ne)? neue erinnerung NO_TIME <line:text>",
        "(rest=<y:time>) (muss|müssen|soll|sollen|sollte|sollten|(will|wollen|wollte|wollten|möchte|möchten) (?=ich"
        "|wir)) (?!es|er|sie|man) (ich|wir)? MILD <more:text> (,|;|.|-|!){0,3} MILD (<reminding> sie? (who=mich|mi"
        "|uns)|FORGET_NOT ,? (who=mich|uns) MILD (daran|dran)? zu erinnern|(ASK_A_SIGN)|(you=erinnerst) du (who=mich"
        "|uns)) MILD (da|daran|dran|dann){0,2} MILD|(who=<link>|<name>) soll MILD (rest=<y:time> (an|ans) <y:few>)"
        " erinnert werden|(<when:time> <modal>|würde) (who=ich|wir) MILD ((rest=(<y:time> MILD)? (an|ans) <y:few>)"
        " erinnert werden|(daran|dran)? erinnert werden ,? <rest:text>)",
        # How long before its time.
        "(THE)? (?!<order>) <x:words> (ist|is|sind|beginnt|startet)? (?!<any> _. <any> (?!.|<clock>)) <when:time> (,|;"
        "|-|!){0,2} ASIDE|AN_EVENT <x:plain> (für|am|um)? <when:time> PLEASE (CALENDAR) (eintragen|setzen|schreiben)?",
        "((WE) (HAVE|<modal>))? (?!<order>|<y:some> (war|waren|hatte)) <x:text> (,|.|;|-|!)? ASIDE",
        "(REMINDS_ME) MILD BEFORE_THE <x:text>|(mich|uns) MILD BEFORE_THE <x:text> (daran)? (you=erinnern)",
        # No time is said.
        "(mich|mi) MILD SOON MILD ((daran|dran)? erinnern ,? (dass (ich|wir))? <x:text>|(an|BECAUSE) <x:many> MILD"
        " erinnern)",
        "NO_STORY (?!erinnert <y:word> (?!bitte)|<y:word> <y:word> (noch|gern|gerne)) (<reminding> sie?|(you=erinnerst)"
        " du) (who=mich|mi) MILD SOON ((daran|dran) (,|:)? (dass (ich|wir))?|an) <x:text>",
        "ASKING_TO ,? (mich|uns) MILD NO_DATE <when:time>? MILD (an|ans|daran ,) <x:plain> zu erinnern MILD|ASKING_TO"
        " ,? (who=mich|uns) MILD <when:time> (daran|dran) zu erinnern ,? <rest:text>|ASKING_TO ,? (mir|uns) MILD"
        " <when:time> ((BECAUSE) <x:plain> bescheid zu (geben|sagen)|(bescheid zu (geben|sagen)|zu (schreiben|sagen)"
        "|(INDEF) nachricht zu (schreiben|schicken)) ,? (BECAUSE|dass (ich|wir)?) <x:text>)",
        "PLEASE <making> ME PLEASE A_NEW <noun:alarm> PLEASE|WE (brauche|brauch|bräuchte) PLEASE (INDEF) <noun:alarm>"
        "|(einen|nen) <noun:alarm>|<noun:alarm> bitte|(SET) INDEF? <noun:alarm> für (THE)? <x:words> auf <when:time>|ME"
        " PLEASE INDEF <noun:alarm> ((für|zu) (THE)? <x:words>"
        " (auf|für) <when:time>)? (stellen|starten|setzen)|<noun:wake>"
        " (mich|uns) auf? PLEASE",
        "(SET|A_NEW) NO_HOUR <noun:alarm> PLEASE AT ((when=<y:time> auf <z:time>)|<when:time>) (ein|an|bitte)?",
        "(MAKE) (für|auf|um)? WHEN (einen|nen|n|ein)? <noun:alarm>|WHEN PLEASE (INDEF)? <noun:alarm> (stellen|starten"
        "|setzen|einstellen|an)? PLEASE|WHEN (brauche|brauch|bräuchte) (ich|wir) PLEASE (THE_NEW) <noun:alarm>"
        "|<noun:alarm> (:|,) WHEN|(lass|lassen sie) PLEASE (THE) <noun:alarm> PLEASE <when:time> <ringing>|(WHEN soll"
        " (der|INDEF) (?!alarm) (x=<alarm>)|(der|INDEF) (?!alarm) (x=<alarm>) soll PLEASE WHEN) (<ringing>|gehen"
        "|losgehen)|ME PLEASE (THE)? NO_HOUR <noun:alarm> (auf|für|von)? ((when=<y:time> auf <z:time>)|WHEN) (stellen"
        "|setzen|einstellen|starten)|(THE_NEW)? NO_HOUR <noun:alarm> (stellen|setzen|einstellen|starten) (auf|für)?"
        " WHEN|(MAKE)? A_NEW NO_HOUR <noun:alarm> AT <when:time> (für|fürs|zum|namens|mit|:|wegen) (?!(THE)? ganze?"
        " <timed>{1,5} $) <x:text>",
        "(MAKE)? A_NEW NO_HOUR <noun:alarm> (?!<any> (?!<timed>)) <when:time> (?!<timed>|<edges>|<filler>|aus|weg|für"
        "|auf|<any>|ENGLISH|<y:some> <number> <unit>) NO_NEWS <x:words>|(MAKE)? WHEN <noun:alarm> (für|fürs|zum|namens"
        "|mit|wegen|(?=<unknown> $)) <x:text>|(PLEASE <making> ME PLEASE)? (für|auf)? (?!um|in|<any>|<length>"
        "|OTHER_HOUR) <when:time> (den|meinen|INDEF) <wakes:alarm> (auf|um)? (?=halb|viertel"
        "|dreiviertel|<hour> (<clock>|_:)) (more=<y:time>) (PLEASE (ein|stellen))?|(?!<timing>) <wakes:alarm>"
        " <when:time> für (?=<day>|am|<singleday>) (?!<y:time> (um|<clock>|<any>)) (more=<y:time>) PLEASE",
        "(leg|lege|richte) ME PLEASE (für|auf)? <when:time> (INDEF) (erinnerung|reminder) (für|AN|wegen)? <x:plain> (an"
        "|ein)|PLEASE (<making>|NEED) ME PLEASE (für|auf)? <when:time> (INDEF) (erinnerung|reminder) (an (?!<y:word>))?"
        " (für|AN|wegen|:|,|(?=dass|<unknown>)) <x:text>|<when:time> ((hätte|hätt|bräuchte|bräucht|brauche|brauch"
        "|möchte) (ich|wir) (gern|gerne)? (?=<y:word>{1,3} (AN|für|wegen)))? PLEASE (eine|ne)? (erinnerung|reminder"
        "|wiedervorlage) (an|ans|für|wegen|dass ich)? NO_TIME NO_CHANGE (rest=<y:plain>)|(MAKE)? A_NEW (erinnerung"
        "|reminder|wiedervorlage) (an|ans|für|:|,)? NO_TIME (?!von|vom|auf|aus|(erstellen|anlegen|setzen) :) NO_CHANGE"
        " (line=<y:plain> <z:time>) (ein|an)?|(setz|setze|leg|lege) PLEASE (rest=<y:plain>) auf wiedervorlage (für"
        "|auf)? <when:time>",
        "(MAKE)? A_NEW <timing> (für|fürs|zum) (THE)? (?!kotzen|umsonst|nix|<y:many> gesucht) NO_TIME NO_CHANGE"
        " (?!<y:many> (<being>|<state>|<doneness>|<getting>|:|<any>|um)) <x:words>",
        "(MAKE)? (?!<order>|<article>|<mine>|<yours>|<negation>|<each>|<edges>|<filler>|<ending>|<switching>|<number>"
        "|noch) <x:word> <timing> (auf|von|für|:|,)? (?=in|<number> <unit>|<length>) <when:time> MILD (an|starten"
        "|stellen)? MILD|(MAKE)? A_NEW <timing> (für|:|mit dem namen|(?=<unknown> (<number> <unit>|<length>))) (THE)?"
        " NO_TIME <x:words> (auf|von|um|:|,)? (?=in|<any>|<number>|<length>) <when:time>",
        "(MAKE)? A_NEW (neue)? (erinnerung|reminder) (an (?=für|am|um))? (an|(für|auf) (?!<hour> h))? NO_DATE"
        " <when:time> ((ein|an)? :|,? dass|,? (BECAUSE)|,|-|an|ans|für|fürs)? (?!(?!(den|die|das|der|dem) <unknown>)"
        " <timed>|<edges>|(für|an)? <y:word> :) (?!an $) NO_NEWS <x:plain> ein?|lass (mich|uns) <when:time> NO_TIME"
        " <x:plain> nicht vergessen|lass mich MILD (<when:time> MILD)? nicht vergessen ,? (dass ich|dass|an)?"
        " (?!<y:many> (war|waren) $) <x:text>|lass mich MILD (?!nicht|<filler>) <x:plain> nicht vergessen|lass (mich"
        "|uns) <when:time> nicht NO_TIME <x:words> vergessen",
        "lass (who=mich|uns) MILD <rest:text> nicht vergessen|lass (mich|uns) <when:time> MILD wissen ,? dass (ich"
        "|wir)? (?!du|ihr|alles) <x:text>",
        "(?!WE (will|möchte|hätte)) (MAKE) (erinnerung|reminder) ((ein|an)? :|an|ans|für|fürs|daran ,|,? dass (ich"
        "|wir)?|,|wegen)? <x:text> (ein|an)?|((NOT_FORGOTTEN|reminder) :|nicht vergessen lassen :?|nicht vergessen ,?"
        " (?=<day>|<singleday>|um|am <singleday>|in <number>) (?!<y:many> (war|waren|wäre))) TO_ME <line:text>",
        "ME PLEASE (für|auf)? <when:time> PLEASE (INDEF) (erinnerung|reminder) (an|ans|für|fürs|wegen|,? dass (ich"
        "|wir)?) NO_TIME <x:plain> TO_SET|ME PLEASE (INDEF) (erinnerung|reminder) (an|ans|fürs|wegen|für (?!<timed>))"
        " <x:plain> TO_SET|ME PLEASE (INDEF) (erinnerung|reminder) (für|auf|um|am)? <when:time> TO_SET ,? (:|für|fürs"
        "|an|ans|wegen|dass (ich|wir)?)? NO_TIME <x:plain>",
        "(NOT_FORGOTTEN) : TO_ME <x:text>|((eine|ne)? neue) erinnerung (an|ans|für) <x:text>|(?!<edges>) <x:plain>"
        " <when:time> als? erinnerung bitte?|(ich|wir) (will|wollen|möchte|möchten|muss|würde gern|würde gerne)"
        " <when:time>? MILD ((daran|dran) erinnert werden ,? (dass (ich|wir)?)? <x:text>|(AN) (?!der|dem) ,? (dass"
        " ich)? <x:plain> erinnert werden)|(calendar=trag|trage) ME PLEASE AN_EVENT (?!<y:some> für (?=<timed>)"
        " (?!<y:time> <clock>)) NO_TIME (INDEF)? <x:plain> (am|um|für)? <when:time> ein",
        "<adding> ME PLEASE AN_EVENT <x:plain> (für|am|um|auf)? <when:time> PLEASE (CALENDAR) (ein|hinzu)?",
        "<adding> ME PLEASE (für)? NO_COUNT <when:time> AN_EVENT NO_TIME <x:plain> PLEASE (CALENDAR) (ein|hinzu)?",
        "<adding> ME PLEASE (CALENDAR) (ein)? (:)? AN_EVENT <x:plain> (?!ein $) <when:time> (ein)?|MILD für? (?!<hour>"
        " <hours>) NO_COUNT <when:time> ,? AN_EVENT NO_TIME <x:plain> ((CALENDAR) PLEASE)? (calendar=eintragen) PLEASE",
        "<adding> ME PLEASE AN_EVENT <x:plain> (CALENDAR) (für|am|um|auf)? (?!ein $) <when:time> (ein|hinzu)?",
        "<adding> PLEASE <x:plain> PLEASE (CALENDAR) (ein|hinzu)?|(calendar=trag|trage) ME PLEASE (für|am)? NO_COUNT"
        " <when:time> ,? (?!<filler>{0,2} noch) AN_EVENT NO_TIME (INDEF)? <x:plain> (CALENDAR)? ein",
    ),
}
PHRASES = PhraseTable(macros=MACROS, rows=ROWS)
