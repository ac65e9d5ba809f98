"""German: what people say of lists and of what is on them, and of what shall not come any more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.language.grammar import PhraseTable

MACROS: Mapping[str, str] = {
    "LIST": "(THE)? (aktuelle|aktuellen)? (<list:listword>|<list:todos>)|NAMED",
    # "Die Liste für morgen" is the usual one.
    "OFF_TO": "(ich|wir)? ((bin|sind|steh|stehe|stehen) AT_ONCE ((bei|beim|im|in|vor) <y:few>|einkaufen|unterwegs"
    "|shoppen)|(geh|gehe|gehen|fahr|fahre|fahren) AT_ONCE (zum (SHOP)|einkaufen|los|shoppen)) (,|.|;|-|!)?",
    "AT_ONCE": "(grad|gerade|jetzt|gleich|mal|schon|hier){0,2}",
    "SHOP": "supermarkt|laden|markt|bäcker|baumarkt|drogeriemarkt|einkaufen|einkauf|rewe|edeka|aldi|lidl|dm|rossmann"
    "|hofer|billa|spar|penny|netto|kaufland|migros|coop",
    # What is written down for itself, and no item.
    "WRITTEN": "ideen|namen|gedanken|notizen|protokoll|stunden|zeiten|tipps|rezepte|fragen|lösungen|lösungsweg"
    "|hausaufgaben|vokabeln|adresse|fehler",
    "WHENEVER": "<y:some>? (<day>|<singleday>|um <y:hour>|<hour> <clock>)",
    "NAMED": "(THE) <plainlist> (?!schatz|schatzi|liebling|digga|digger|bruder|junge|bro|alter|mann|leute|süße|süßer"
    "|maus|hase|baby|xd|haha|hahaha|lol) <list:name>|(der|meiner|unserer) <plainlist> (?!haha|hahaha|xd|asap)"
    " <list:unknown>|(THE)? (list=packliste <unknown>)|(THE) <list:title> _-? <plainlist>|(THE)? <plainlist> ((für"
    "|mit) (THE)|fürs|namens) (?!<timed>) <list:title>",
    "BY_LIST": "<list:listword>|<list:todos>", "ON": "auf|aufm|auf'm|in|im|laut|bei|an|am (?=BY_LIST)",
    "THERE": "SURELY (ON) LIST SURELY", "FROM": "von|vom|aus", "OFF": "FROM|auf (?!ACC)|aufm|auf'm",
    "OFF_LIST": "(OFF) (LIST)|(FROM) (THE) <list:chores>", "IT": "das|es|sie|ihn|den|die",
    "SHOPS": "(im|vom|beim|aus dem) (SHOP)",
    "ALL": "alles (,? was)?|(alle|sämtliche) (sachen|punkte|einträge|aufgaben)",
    "ACC": "die|den|das|meine|meinen|unsere|unseren",
    "ONTO_LIST": "(ONTO) (LIST)|am (BY_LIST)|(zu|bei|in) (THE) <list:chores>|(zur|zum) <list:title> _-? <plainlist>",
    # "Auf der Liste" is where something stands, "auf die Liste" where it shall.
    "ONTO_THE": "zu (den|meinen|unseren) <list:todos>|(auf|in|an|mit auf) ((ACC) (<list:listword>|<list:todos>)"
    "|(?=ACC) NAMED)|(aufn|auf'n|zur|auf) (BY_LIST)|(zur|zum) <list:title> _-? <plainlist>",
    # What is said first, and then shall be on a list, or written down.
    "PUT_IT": "((,|.|;|-|und){1,2}|(?=CAN_YOU|<adding>|schreibs|setzs|packs)) PLEASE ((schreibs|setzs|packs|<adding>"
    " (IT)) PLEASE ONTO_LIST PLEASE (<tail>)?|(setz|setze|schreib|schreibe|pack|packe) (IT) PLEASE mit? (drauf|rauf)"
    "|(schreibs|(schreib|schreibe|notier|notiere) (das|es|sie)?) PLEASE auf|((CAN_YOU) PLEASE)? (IT)? PLEASE ONTO_LIST"
    " PLEASE (<putting>|<tail>)?|bitte (aufschreiben|notieren))",
    "NO_ASIDE": "(?!<y:some> (<clock>|um <hour>)|<filler>|<nice>|<greeting>|<doneness>|danke|alles|nein|guten|tolle"
    "|gute|sorry|schau|guck)",
    "A_NEW_ONE": "(<adding>|erstell|erstelle) ME PLEASE (INDEF) (neue|neuen|neues)?|(INDEF)? (neue|neuer|neues|neuen)",
    "NAMELY": "(?!<timed>|<loose>|<edges>|<filler>|<mild>|<pronoun>|<article>|<doneness>|<any>|:|todos|aufgabe|nr"
    "|nummer)",
    "NOW": "(endlich|jetzt|gerade|grad|eben|heute|bereits|<filler>){0,3}",
    "PICTURE": "!{0,3} [🎉🥳💪✅☑✔👍🙌😊😅🎊]{0,4}",
    # What is said of a list, or to a question.
    "ANSWER": "schon|<being>|ja|nein|nichts|siehe|hängt|<doneness>|bezahlt|<any> (euro|€)|<name> (macht|hat)",
    "TASK": "((THE)? (aufgabe|punkt|<todos>) :? NAMELY)?",
    "GOT": "(im (einkaufswagen|wagen|wagerl|korb)|dabei|raus|weg|durch|unterwegs|verschickt|versendet|gemacht)",
    "TICK": "(- >|= >|→|,|.|;|-)? PLEASE ((hak|hake|streich) PLEASE (IT)? PLEASE (ab|durch)|(IT)? (CAN_YOU)? PLEASE"
    " ((OFF|ON) LIST|IT)? PLEASE ((aufgabe|punkt) (erledigt|fertig)|haken dran|das? (kann|können) (abgehakt"
    "|durchgestrichen|als (erledigt|gekauft) markiert) werden|abhaken|durchstreichen|als (erledigt|gekauft|gemacht)"
    " markieren)) PLEASE",
    "SEP": "(:|-|, und zwar :?|und zwar|, (?!<article>|<loose>|damit|um)) PLEASE",
    "SERIES": "<each> (<weekday>|<unit>|<workday>)|<adverb>|alle <number> <unit>|immer? <plural>",
    "SINCE": ", (?!indem|aber|oder|nicht|doch|und|sonst|ohne|nur|kauf|kaufe|ist das|also|dann|danach|<leaving>"
    "|<condition>|<asking>|<adding>|<removing>|<ending>|<show>|<making>|<reminding>|<moving>|<ticking>|<wake>|<can>"
    "|<negation>|(<article>|<unknown>) <y:word>? nicht $|(<y:some>)? (,|und|will|stattdessen|dafür|lieber|auch|sondern"
    "|drauf|rauf|rein|dazu|<putting>|<dropping>)) <y:few>",
    "SO": "es SURELY gibt|SURELY (angelegt|gespeichert|vorhanden) sind|(WE) SURELY (HAVE)",
    "DOWN": "(runter|raus|weg|wieder runter|wieder raus|wieder weg)",
    "DROP_IT": "(,|.|;|-|!)? ((und)? PLEASE <ending> PLEASE (IT) PLEASE|(IT)? (CAN_YOU)? PLEASE (<dropping>)|kann"
    " PLEASE weg|weg damit)",
    "WANT": "WE (will|wollen|möchte|möchten|würde gern|würde gerne|muss|müssen|sollte|hätte gern|hätte gerne)",
    "MUST": "muss|müsst|müssen|soll|sollen|sollte|sollten|musste|mussten|müsste|müssten|wollte|wollten|wollt",
}  # fmt: skip
ROWS: Mapping[str, Sequence[str]] = {
    "lists": (
        "was (gibt es|gibts) SURELY (bei (dir|mir))? SURELY so? für listen (bei dir)?|was (HAVE) (WE)? SURELY an listen"
        " SURELY|(welche|was für|wie viele|wieviele) listen ((HAVE) (WE)?|gibt es|gibt's|gibts|existieren|kennst du"
        "|sind) SURELY (bei (mir|dir|uns|ihnen))? (angelegt|gespeichert)?",
        "(SHOW)? (alle|all)? (THE)? listen (an|anzeigen|zeigen|,? die (WE (HAVE)|es gibt))?|(HAVE) (WE) SURELY"
        " (irgendwelche)? listen|(wie heißen|SHOW die namen) (THE) listen SURELY",
        "((SHOW|gib ME PLEASE))? (INDEF)? (überblick|übersicht|namen) (über (alle)? (THE)? listen|(aller|von allen)?"
        " (THE|meiner|unserer)? listen|,? (was für|welche) listen (SO)) PLEASE|(welche|was für) listen (SO)",
    ),
    "todo": (
        # What is on it.
        "was (steht|is|ist|sind|stand|fehlt|fehlt uns|fehlt mir|gibt es) SURELY (heute|an sachen)? THERE (drauf|offen"
        "|übrig|drin)?|was ist SURELY offen (ON) LIST|was ist (auf|an) (THE) <list:todos> SURELY|((SHOW) vor? ,?)? was"
        " (WE) SURELY (SHOPS)? <list:getting> (muss|müssen|soll|sollen)|(SHOW) vor? ,? was (WE) SURELY <list:needing>"
        "|was THERE (steht|ist|fehlt)|(welche|was für) (sachen|dinge|punkte|aufgaben|einträge|lebensmittel) (sind"
        "|stehen|fehlen|(HAVE) (WE)) THERE|wie (lang|lange|voll) (ist|is) LIST SURELY|wie (sieht|schaut) LIST SURELY"
        " (aus)?",
        "was (HAVE|muss|müssen|soll|sollen) (WE) THERE (stehen|gesetzt|drauf|machen|tun|erledigen|<list:getting>)?|was"
        " (HAVE|hatte|hatten) (WE) SURELY (aufgeschrieben|draufgeschrieben|notiert) SURELY",
        "(ist|is|sind|steht|stehen|stehn) (da)? SURELY NOT_IT <y:some> THERE (drauf)? (oder nicht)?|(ist|is|sind|steht"
        "|stehen) (?!<article>|<mine>|<name> (hat|war)|WRITTEN) NOT_IT <y:words> (schon|auch|noch|eigentlich){1,2}"
        " drauf (oder nicht)?|(HAVE) (WE) (schon|auch|noch){1,2} (?!WRITTEN) NOT_IT <y:words> SURELY (draufgeschrieben"
        "|aufgeschrieben|draufgesetzt|draufgepackt)|was (steht|ist|stand) (jetzt|noch|alles|schon){1,3} drauf",
        "(HAVE) (WE) SURELY NOT_IT <y:words> SURELY (ON|ONTO) LIST (gesetzt|geschrieben|gepackt|getan|stehen|drauf)?",
        "(ist|steht|gibt es|gibts|fehlt|hab ich|haben wir) SURELY (was|etwas|irgendwas|viel) THERE",
        "wie viele (sachen|dinge|punkte|aufgaben|einträge|artikel) (sind|stehen|(HAVE) (WE)) THERE",
        # Show it.
        "(OFF_TO) MILD SHOW LIST PLEASE|SHOW (THE (ganze|aktuelle)|(einen|nen) überblick über)? LIST (an|her|vor|auf"
        "|mal|an bitte)? (, (bin|steh|stehe) <y:few>)?|PLEASE <list:knownlist> PLEASE|(SHOW|(schau|guck) PLEASE) ,?"
        " vor? ,? (alles|was) SURELY (ON|FROM|was auf) LIST ((notiert)? (steht|ist))? (an|vor)?|alles (FROM|ON) LIST"
        " (anzeigen|zeigen|vorlesen)",
        "(<mine>|die) (<list:knownlist>|<list:todos>|<list:title> <plainlist>) PLEASE|(THE|alle)? <list:todos>",
        "(mach|mache) PLEASE LIST (mal|bitte)? auf|ME PLEASE (LIST|(THE|alle){0,2} (offene|offenen)? (aufgaben"
        "|<todos>)) PLEASE <showing>|((ich|wir) (will|möchte|würde|wollen)|(kann|darf|dürfte|könnte) (ich|wir)) MILD"
        " (?!INDEF) LIST MILD (sehen|anschauen|ansehen)|(offene|alle) (aufgaben|todos)",
        "((schau|guck|sieh|sag) ME PLEASE ,?)? (ob|obs) NOT_IT <y:some> THERE (steht|stehen|ist|sind)",
        # What is to be done or bought.
        "was (MUST|darf) (WE) SURELY (SHOPS|für uns)? SURELY <list:getting>|was <list:lacking> (uns|mir)? noch|was"
        " (gibt es|ist|gibts) SURELY zu <list:getting>|(OFF_TO)? was <list:needing> (WE)? SURELY (laut liste)?"
        " (SHOPS)? SURELY",
        "(MUST|<list:needing>) (WE) SURELY (laut (THE)? <listword>)? SURELY (was|etwas|irgendwas) SURELY ((SHOPS)"
        " <list:getting>?|<list:getting>)",
        "(SHOW) vor? ,? was (WE) (noch|alles|so|denn|da|eigentlich){0,3} zu (erledigen|tun|machen|<list:getting>)"
        " (HAVE)|was (muss|müssen) (WE) noch SURELY (machen|tun|erledigen)|was (HAVE) (WE) noch (nicht erledigt|zu tun"
        "|zu erledigen)|was ist SURELY (noch)? (offen|unerledigt|zu tun|zu erledigen)|was (gibt es|gibts) noch zu (tun"
        "|erledigen)|(SHOW|(?=<mine>)) (THE|alle)? (offene|offenen)? (aufgaben|<todos>) (an|auf|vor)?|SHOW THE?"
        " <plainlist> <list:unknown>|THE? <plainlist> <list:unknown> PLEASE <showing>|(erstell|erstelle|leg|lege)"
        " (ME)? PLEASE (INDEF) (neue|neuen)? (?!<plainlist>) <list:listword> an?|(INDEF)? (neue)? (?!<plainlist>)"
        " <list:listword> (anlegen|erstellen)",
        "(HAVE|gibt es|gibts|sind|sind da) (WE)? SURELY ((offene|unerledigte) (aufgaben|todos)|(aufgaben|todos) (offen"
        "|übrig)) SURELY|(welche) (aufgaben|<todos>) (sind|(HAVE) (WE)) SURELY (bei (mir|uns))? SURELY (offen|übrig)?"
        "|(welche aufgaben|welche todos|was) SURELY (offen|übrig|unerledigt|zu tun|zu erledigen) (ist|sind)",
    ),
    # One that gets a name: "eine Liste mit zehn Filmen" is a model's to write.
    "todo.new": (
        "(leg|lege) (ME)? PLEASE (INDEF) (neue)? <plainlist> (namens|mit dem namen)? <list:title>? an|(leg|lege) (ME)?"
        " PLEASE (INDEF) (neue)? <plainlist> an (,|:) (namens)? <list:title>|(erstell|erstelle|mach|mache|eröffne)"
        " (ME)? PLEASE (INDEF) (neue)? <plainlist> (namens|mit dem namen) <list:title>|neue <plainlist> : <list:word>",
        "(INDEF)? (neue)? <plainlist> ((namens|mit dem namen) <list:title>)? (anlegen|erstellen)",
    ),
    "todo.add": (
        "<adding> ME PLEASE NOT_IT (?!<y:many> (nicht|(FROM) (THE) <listword>)|(einen|nen|ein) (haken|häkchen))"
        " <x:text> PLEASE ONTO_LIST PLEASE"
        " (<tail>)?|<adding> PLEASE ((<mine>|der|die|zur|den) (BY_LIST)) PLEASE (:)? <x:text> hinzu|(füg|füge) PLEASE"
        " (<mine>|der|den) (BY_LIST|<list:chores>) PLEASE hinzu : <x:text>|((?!holen) <list:getting>|bestellen) :"
        " (?!ANSWER|<day>|um|am|in) <x:text>",
        "(füge|füg) PLEASE NOT_IT <x:text> (der|<mine>) (BY_LIST) hinzu|(füge|füg) PLEASE NOT_IT <x:plain> zu"
        " <list:title> _-? <plainlist> hinzu",
        "<adding> ME PLEASE ONTO_LIST PLEASE (:|,? (?!<loose>)) PLEASE <x:text> (ein|hinzu|dazu)?",
        "(ergänz|ergänze|erweiter|erweitere) PLEASE (THE)? (BY_LIST) PLEASE um <x:text>|(THE)? (BY_LIST) PLEASE (um"
        " <x:plain> PLEASE (ergänzen|erweitern)|(ergänzen|erweitern) um <x:text>)|PLEASE (ONTO_LIST|(auf|bei) (THE)"
        " (BY_LIST)) PLEASE (hinzufügen|ergänzen|setzen|schreiben) :? <x:text>|<list:knownlist> (NAMELY|(?=<article>))"
        " <x:plain> hinzufügen|(füge|füg|ergänze|ergänz) PLEASE (?!<article>|<mine>|<calendar>|<y:many>? (zu|zum|zur|in"
        "|im|bei) <z:word>) NOT_IT <x:plain> PLEASE (hinzu|dazu)",
        "(schreib|schreibe|notier|notiere) (mir|dir|uns) PLEASE (?!<article>|<mine>|WRITTEN|WHENEVER) NOT_IT <x:words>"
        " PLEASE auf PLEASE|(notier|notiere) dir PLEASE (?!<article>|<mine>|für|auf|WRITTEN|WHENEVER|<y:words> (auf"
        "|von|für)) NOT_IT <x:words>|(notier|notiere) PLEASE (?!<article>|<mine>|mir|uns|dir|für|auf|WHENEVER"
        "|<y:words> (von|dazu)) NOT_IT <x:words>|(schreib|schreibe|notier|notiere) PLEASE (?!<article>|<mine>|mir|uns"
        "|dir) NOT_IT <x:plain> PLEASE auf|(notier|notiere|schreib|schreibe|merk dir) ME PLEASE NOT_IT <x:plain> für"
        " (den|die) (<list:errand>|BY_LIST) (auf)?",
        "ME (?!<edges>|fügt|verschiebt|zurück) <x:plain> PLEASE ONTO_THE PLEASE (<putting>|<tail>)?|NO_ASIDE"
        " (?!<edges>) <x:plain> PLEASE (mit dazu|dazu|drauf|rauf) (zum|zur) (BY_LIST) PLEASE|<x:plain> (- >|= >|→)"
        " (<list:listword>|<list:todos>)|(?!<edges>|fügt) <x:plain> PLEASE ONTO_LIST PLEASE <putting>",
        "(?!denk|denkt|schau|schaut|guck) <x:plain> PLEASE ONTO_THE PLEASE für <when:time>|<adding> ME PLEASE NOT_IT"
        " <x:plain> PLEASE ONTO_THE PLEASE ,? (deadline|fällig|(who=bis <y:time>)|(?=SERIES)) (am)? <when:time>?"
        "|(when=SERIES) (?!<timed>|<edges>|<loose>) <x:plain> PLEASE ONTO_THE PLEASE (<tail>|<putting>)?",
        "(?!<y:many> , (das|der|die) <z:word>) <x:plain> (muss|müssen|soll|sollen|sollte|sollten|kommt|kommen|gehört"
        "|gehören|kann|können) PLEASE (<tail>|drauf|rauf)? ONTO_THE PLEASE (<tail>)?",
        "<x:plain> (fehlt|fehlen) noch (ON) (?!(THE) <plainlist>) LIST PLEASE (<tail>)?|(für (THE) <y:word>)? (fehlt"
        "|fehlen) (uns|noch|auch){0,2} <x:plain> PUT_IT|(?!<article>|<mine>|<edges>|WRITTEN|<y:some>? (<singleday>"
        "|<day>|um|<any>)) NOT_IT <x:words> bitte aufschreiben|<x:plain> (notieren|aufschreiben) für (den|die)"
        " (<list:errand>|BY_LIST)|(es fehlen|es fehlt) noch <x:plain> (ON) (?!(THE) <plainlist>) LIST",
        "((kommt|gehört|muss|soll) PLEASE (?=ONTO_THE :))? PLEASE ONTO_THE (?!hinzugefügt) (:|(,|sollen noch|soll noch"
        "|kommt noch|kommen noch|muss noch|müssen noch|bitte|noch)? PLEASE (?!<loose>)) PLEASE <x:plain>|(vergiss"
        "|vergesst) nicht ,? <x:plain> PLEASE ONTO_LIST zu <putting>",
        "(WE)? (<needing> (WE)? noch? <x:plain>|HAVE (WE)? (kein|keine|keinen) <x:plain> mehr|(MUST) PLEASE <x:plain>)"
        " PUT_IT|(WANT) PLEASE <x:plain> PLEASE (ON|ONTO) LIST (haben|<putting>)?|(aufgabe : (x=<y:many> (<deed>"
        "|<getting>))|<todos> : (?!<y:text> :) <x:text>)|(?!todos) <todos> ((für (mich|uns) (,|:)?)|NAMELY) (?!<timed>"
        "|erstellen|anlegen|notieren|hinzufügen) (x=<y:plain> (<deed>|<getting>))",
        "(THE)? <x:plain> ((ist|sind) (alle|leer|aus)|<needing> (WE) (unbedingt|dringend|<filler>){0,3}|(fehlt|fehlen)"
        " (auch|noch|,){0,2}) (PUT_IT|,? (die|das|der)? (kommt|kommen|muss|müssen|also (rauf|drauf) damit) PLEASE"
        " ONTO_THE)",
        "NO_ASIDE <x:plain> (,|.|;|-){1,2} PLEASE ((schreibs|setzs|packs|<adding> (das|es|sie|ihn)?) PLEASE ONTO_THE"
        " PLEASE (<tail>)?|(schreibs|(schreib|schreibe|notier|notiere) (das|es|sie)?) PLEASE auf|((CAN_YOU) PLEASE)?"
        " (das|es|sie|ihn)? PLEASE (ONTO_THE PLEASE <putting>|aufschreiben|notieren))",
        "(<mine>)? <list:knownlist> : (?!ANSWER|<y:many> (<doneness>|<bought>) PICTURE $) <x:text>|(list=packliste"
        " <y:unknown>) : (?!ANSWER) <x:text>"
        "|(?!<plainlist>) <list:knownlist> (plus|+) <x:text>",
        '(A_NEW_ONE) liste (namens|für)? (?!<day>|<singleday>) ((") <list:title> (")|<list:title>) (:|mit) <x:text>',
        "(A_NEW_ONE) (punkt|eintrag|aufgabe|<todos>) (an|hinzu)? ((auf|für) LIST|für (mich|uns|alle)|fürs team)? (SEP)"
        " <x:text>|(A_NEW_ONE) (aufgabe|<todos>) NAMELY (x=<y:plain> (<deed>|<getting>)) (an|hinzu)?|(aufgabe|<todos>)"
        " (hinzufügen|anlegen|erstellen|notieren) (?!und|oder|<edges>) (x=<y:plain> (<deed>|<getting>))|ME"
        " ((A_NEW_ONE)|INDEF)? (aufgabe|<todos>) (hinzufügen|anlegen|erstellen|notieren|(who=bis <y:time>)|(für|am)?"
        " <when:time>) : <x:text>",
        "((notier|notiere) (mir|uns|dir|<filler>)|(schreib|schreibe) (mir|uns|dir|für (den|die) (<list:errand>"
        "|BY_LIST))? PLEASE auf|(aufschreiben|notieren|merken (?=für)|(merk|merke) dir (?=für)) (für (den|die)"
        " (<list:errand>|BY_LIST))?) PLEASE : <x:text>",
    ),
    "todo.done": (
        "<ticking> PLEASE NOT_IT TASK <x:some> PLEASE (OFF_LIST)? (als erledigt)? ab",
        "(streich|streiche) PLEASE NOT_IT TASK <x:some> PLEASE durch (, (haben|hab|habe) (WE) (schon|jetzt|beides"
        "|alles)?)?|(<doneness>|<bought>) : <x:text>|fertig mit (THE)? NOT_IT <x:words> PICTURE (TICK)|(?!<article>"
        "|<mine>) NOT_IT <x:words> (ist|sind) (schon|jetzt)? im (einkaufswagen|wagerl|einkaufskorb)",
        "(markier|markiere|setz|setze|mach) PLEASE NOT_IT TASK <x:text> PLEASE (OFF_LIST)? (als|auf) (erledigt|fertig)",
        "NOT_IT TASK <x:words> <bought>? (OFF_LIST)? ,? (CAN_YOU)? PLEASE (abhaken|als erledigt markieren"
        "|durchstreichen|abgehakt|das? (kann|können) PLEASE (abgehakt|durchgestrichen) werden)",
        "NOT_IT TASK <x:words> (ON LIST)? (ist|sind|is|wäre|wären|wär) (jetzt|schon|nun)? PLEASE <doneness> PICTURE"
        " (TICK)?|NOT_IT TASK <x:words> ((hab|haben) (WE))? :? [✅☑✔]{1,3}",
        "(ON) LIST PLEASE (CAN_YOU)? PLEASE NOT_IT <x:words> PLEASE abhaken PLEASE|NOT_IT TASK <x:words> ((hab|haben)"
        " (WE) (schon|jetzt)? (<bought>|GOT)?|(ist|sind) (schon|jetzt)? (<bought>|GOT)) PICTURE (TICK)",
        "((hab|habe|haben) (WE)?) NOW NOT_IT TASK <x:words> NOW (<bought>|GOT) PICTURE (TICK)",
        "((setz|setze|mach|mache) PLEASE (einen|nen|ein))? (haken|häkchen) ((hinter|bei|für) (THE)?|an (?!THE))"
        " <x:words> PLEASE (OFF_LIST)?|(setz|setze|mach|mache) PLEASE ((einen|nen|ein) (haken|häkchen) ((hinter|bei)"
        " (THE)?|an (?!THE)) <x:words>|(hinter|bei) (THE)? <x:words> (einen|nen|ein) (haken|häkchen))|mit (?!<article>"
        "|<mine>) NOT_IT <x:words> (bin|sind) (WE) NOW (fertig|durch) PICTURE",
        "((hab|habe|haben) (WE)?|(WE) (hab|habe|haben)) PLEASE NOT_IT TASK <x:words> NOW <bought> PICTURE|NOT_IT"
        " (?!ALARMS|<y:words> gemacht) TASK <x:words> ((hab|habe|haben) (WE))? NOW <bought> PICTURE",
    ),
    "todo.remove": (
        "<removing> PLEASE (?=das <unknown>|NOT_IT) (?!<y:many> vom einkauf|DOWN|<y:many> nicht|bloß? ab) <x:text>"
        " PLEASE (DOWN)? (OFF_LIST) PLEASE (DOWN)? (SINCE)?|(WE) <needing> (?!(THE)? <listword>|<y:some> (ALARMS))"
        " NOT_IT <x:plain> (nicht mehr|doch nicht) ((ON) LIST)?|<removing> PLEASE (FROM) LIST PLEASE :? NOT_IT <x:text>"
        "|<list:knownlist> NAMELY <x:plain> (entfernen|streichen)|(vergiss|vergesst) NOT_IT <x:plain> (ON) LIST",
        "(lösch|lösche|streich|streiche|entfern|entferne) PLEASE (THE)? (aufgabe|<todos>) :? NAMELY <x:words>",
        "(THE)? (aufgabe|<todos>|sache|eintrag|punkt) ((mit|zu|zum|zur|wegen) (THE)?|:)? NAMELY <x:words> (kann PLEASE"
        " (weg|runter|raus)|<dropping>)|(nimm|nehmt|tu) PLEASE NOT_IT (?!<article>|<mine>) <x:plain> wieder? runter"
        " (,? (haben|hab|habe|brauchen|brauch|brauche) (WE) SURELY (genug|mehr)?)?|(FROM) LIST PLEASE NOT_IT <x:plain>"
        " <dropping>",
        "<x:plain> (kann|können|darf)? PLEASE ((OFF_LIST) PLEASE (<dropping>|DOWN)|(DOWN) (OFF) LIST|wieder (FROM)"
        " LIST) (SINCE)?",
        "(?!<article>|<mine>) <x:plain> (haben|hab|habe) (WE) SURELY genug? , PLEASE (kann PLEASE (weg|runter|raus)"
        "|(CAN_YOU)? (IT)? PLEASE ((OFF_LIST) (<dropping>|DOWN)|streichen)|<removing> (IT) PLEASE ((OFF_LIST) (DOWN)?"
        "|runter)|(streich|streiche) (IT)) PLEASE|(?!<article>|<mine>) <x:plain> doch nicht , PLEASE ((<removing> (IT)"
        "|nimms|streichs) PLEASE (OFF_LIST)? (DOWN)?|(OFF_LIST) (<dropping>|DOWN))|(streich|streiche) PLEASE NOT_IT"
        " <x:plain> , ((haben|hab|brauchen|brauch|brauche) (WE)|(WE) (haben|hab|brauchen|brauche)) SURELY (genug|davon"
        "|mehr|die|den|das){0,2} SURELY|(kein|keine|keinen) <x:plain> mehr nötig? ,? PLEASE (<removing> (IT)|nimms"
        "|streichs) PLEASE (OFF_LIST)? (DOWN)|(WE)? (brauchen|brauch|brauche|wollen) PLEASE (kein|keine|keinen)"
        " <x:plain> mehr? ,? PLEASE <removing> (IT) PLEASE (OFF_LIST) (DOWN)?|(?!<article>|<mine>) <x:plain> (brauchen"
        "|brauch|brauche|wollen) (WE) PLEASE (nicht mehr|doch nicht|nimmer) ((ON) LIST|,? <removing> (IT) PLEASE"
        " (OFF_LIST) (DOWN)?)?|<x:plain> (kannst du|können wir|kann ich|kann|können|muss|müssen|soll|sollen) PLEASE"
        " (FROM) LIST (DOWN|<dropping>|gestrichen werden)? (SINCE)?",
    ),
    # It asks first.
    "todo.clear": (
        "<emptying> PLEASE ((THE) (ganze|gesamte|komplette)? (BY_LIST)|<list:listword>) PLEASE (komplett|ganz|aus)?"
        "|((?!<y:some>? nicht|<condition>) <y:some> (<bought>|<doneness>) (,|.|!)|(WE) (haben|hab) (jetzt|schon)?"
        " alles (,|.|!))? PLEASE ((THE) (ganze|gesamte|komplette)? (BY_LIST)|<list:listword>) PLEASE (komplett|ganz)?"
        " PLEASE (leeren|löschen|entfernen|zurücksetzen|leer machen)|(fang|fange) LIST (neu|von vorne|von vorn) an"
        "|(?!der zettel) LIST kann (komplett|ganz|bitte)? weg|(LIST <needing> (WE)|(WE) <needing> LIST) nicht mehr ,?"
        " (kann weg|weg damit|(CAN_YOU)? PLEASE (lösch|lösche) sie PLEASE|(du)? kannst du löschen|(kannst du)? (sie)?"
        " löschen)",
        "(mach|mache|räum|räume) PLEASE LIST PLEASE (leer|komplett leer)|(setz|setze) LIST (komplett)? zurück",
        "<removing> PLEASE (ALL) (OFF) LIST (steht|ist|DOWN)? ((?!, (das|die|der|den)) SINCE)?|<emptying> PLEASE (alle"
        "|sämtliche) (THE)? (<todos>|aufgaben)|PLEASE (alle|sämtliche) (THE)? (<todos>|aufgaben) PLEASE (löschen"
        "|entfernen|streichen) PLEASE|(ALL) (OFF) LIST PLEASE (<dropping>|DOWN)",
    ),
    "cancel": (
        "<ending> PLEASE (THE)? (tägliche|wöchentliche)? (ALARMS) (OF|um|am)? NOT_ANY <x:few>|(?!(cancel|stop|kill)"
        " <y:words> reminder) <ending> PLEASE (THE)? NOT_ANY (?!the|my|a|all|every|that|(THE)? (ganze|ganzen) ALARMS)"
        " <x:words> (ALARMS)",
        "<switching> PLEASE (THE)? (ALARMS) (OF|um|am)? NOT_ANY <x:few> PLEASE OUT",
        "<switching> PLEASE (THE)? NOT_ANY (?!<y:words> (den|die|das|einer|meinen) (ALARMS)) <x:words> (ALARMS) OUT",
        "(THE)? (tägliche|wöchentliche)? (ALARMS) (OF|dass|(?!<timed>|<edges>|<filler>|<loose>|<mild>|OUT|THE|auf"
        "|jetzt)) (?!<y:some> fällt) NOT_ANY <x:words> (aus|PLEASE (ausschalten|löschen|streichen|abbrechen|abstellen"
        "|entfernen|stornieren|canceln) (, (hab|habe|haben|hat|ist|war|bin) <y:few>)?|kann PLEASE weg|<needing> WE"
        " nicht mehr (DROP_IT)?|(CAN_YOU) PLEASE (löschen|streichen|rausnehmen|canceln|stornieren))|(THE)? <event>"
        " ((OF)|bei|beim)? NOT_ANY (?!<timed>) <x:words> PLEASE (absagen|canceln|löschen|streichen|stornieren)"
        "|(?!<making>|<y:words> (<doneness>|,)) <x:words> (ALARMS) (CAN_YOU)? PLEASE (ausschalten|canceln|löschen"
        "|streichen|abbrechen|abstellen|entfernen|stoppen)",
        "(das mit)? (THE)? NOT_ANY <x:words> (fällt aus|ist abgesagt|hat sich erledigt|ist? erledigt (?=,? PLEASE"
        " <y:some>? (ALARMS))) ,? PLEASE ((du kannst)? (THE) (ALARMS) PLEASE <dropping>|(THE)? (ALARMS)"
        " kann PLEASE weg|löschen|streichen|(lösch|lösche|streich|streiche|nimm|nimms|nimm's) (es|das|ihn|sie|(THE)"
        " (ALARMS|<event>))? PLEASE (aus (THE) <calendar>|raus)?|raus (damit)? aus (THE) <calendar>)|(kein|keine"
        "|keinen) (ALARMS) (an|für|wegen) NOT_ANY <x:words> mehr|(kein|keine) <x:words> (ALARMS) mehr|(WE)? <needing>"
        " (THE)? NOT_ANY <x:words> (ALARMS) nicht mehr (DROP_IT)?|(THE)? (ALARMS) (OF|mit) NOT_ANY <x:words>"
        " ((CAN_YOU) PLEASE vergessen|vergiss PLEASE)",
        "(erinner|erinnere) (mich|uns) (nicht mehr|nie mehr|nie wieder|doch nicht|doch nicht mehr) (an|ans|daran ,?)"
        " NOT_ANY <x:few> (, (hab|habe|haben|hat|ist|war) <y:few>)?",
        "(erinner|erinnere) (mich|uns) (an|ans) NOT_ANY <x:words> nicht mehr|(<ending> PLEASE (THE) (x=<event> (mit"
        "|bei|beim) <y:words>) ((FROM) (THE) <calendar>)?|(sag|sage) PLEASE (THE) (x=<event> (mit|bei|beim) <y:words>"
        "|<appointment> <y:time>?) ab|<removing> PLEASE NOT_ANY <x:words> PLEASE (raus)? (aus|von) (THE) <calendar>"
        " (raus)?)|(hör|höre) (bitte)? auf ,? (mich|uns) (<y:time>)? ((an|ans|daran) NOT_ANY <x:words> zu erinnern"
        "|(wegen|mit) (THE)? NOT_ANY <x:words> (anzupingen|anzustupsen|zu (nerven|pingen|erinnern)))|du? (musst"
        "|brauchst) (mich|uns) MILD (nicht|nimmer) (mehr|länger)? (an|ans) NOT_ANY <x:words> (zu)? erinnern",
        "(mich|uns)? MILD (nicht mehr (an|ans) NOT_ANY <x:words>|(an|ans) NOT_ANY <x:words> nicht mehr) erinnern",
    ),
}
PHRASES = PhraseTable(macros=MACROS, rows=ROWS)
