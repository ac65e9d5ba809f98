"""German: what people say of lists and of what is on them, and of what shall not come any more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.language.grammar import PhraseTable

MACROS: Mapping[str, str] = {
    "LIST": "(THE)? (aktuelle|aktuellen)? (<list:listword>|<list:todos>)|(THE) <list:title> <plainlist>",
    "BY_LIST": "<list:listword>|<list:todos>",
    "ON": "auf|aufm|auf'm|in|im|laut|bei|an",
    "FROM": "von|vom|aus",
    "OFF": "FROM|auf|aufm|auf'm",
    "ACC": "die|den|das|meine|meinen|unsere|unseren",
    "ONTO_LIST": "(ONTO) (LIST)|(zu) (THE) <list:chores>",
    # "Auf der Liste" is where something stands, "auf die Liste" where it shall.
    "ONTO_THE": "(auf|in|an|mit auf) (ACC) (<list:listword>|<list:todos>|<list:title> <plainlist>)|(aufn|auf'n|zur"
    "|auf) (BY_LIST)",
    "DOWN": "runter|raus|weg|wieder runter|wieder raus|wieder weg",
    "WANT": "WE (will|wollen|möchte|möchten|würde gern|würde gerne|muss|müssen|sollte|hätte gern|hätte gerne)",
    "MUST": "muss|müssen|soll|sollen|sollte|sollten|musste|mussten|wollte|wollten|wollt",
}
ROWS: Mapping[str, Sequence[str]] = {
    "lists": (
        "was (gibt es|gibts) SURELY so? für listen (bei dir)?",
        "welche listen ((HAVE) (WE)?|gibt es|gibt's|gibts|existieren|kennst du) SURELY",
        "(SHOW)? (alle|all)? (THE)? listen (an|anzeigen|zeigen)?|wie viele listen ((HAVE) (WE)|gibt es|gibts) SURELY",
        "(HAVE) (WE) SURELY (irgendwelche)? listen|wie heißen (THE) listen SURELY",
        "(gib ME PLEASE)? (einen|nen)? überblick über (alle)? (THE)? listen",
    ),
    "todo": (
        # What is on it.
        "was (steht|is|ist|sind|stand|fehlt|fehlt uns|fehlt mir|gibt es) SURELY (an sachen)? (ON) LIST SURELY (drauf"
        "|offen|übrig|drin)?",
        "was SURELY (ON) LIST (steht|ist|fehlt)|(welche|was für) (sachen|dinge|punkte|aufgaben|einträge|lebensmittel)"
        " (sind|stehen|fehlen|(HAVE) (WE)) SURELY (ON) LIST SURELY",
        "was (HAVE) (WE) SURELY (ON) LIST SURELY (stehen|gesetzt|geschrieben|drauf)?",
        "was (HAVE|hatte|hatten) (WE) SURELY (aufgeschrieben|draufgeschrieben|notiert) SURELY",
        "was (muss|müssen|soll|sollen) (WE) SURELY (ON) LIST SURELY (machen|tun|erledigen|<list:getting>)",
        "was ist SURELY offen (ON) LIST|was ist (auf|an) (THE) <list:todos> SURELY",
        "(ist|is|sind|steht|stehen|stehn) (da)? SURELY NOT_IT <y:some> SURELY (ON) LIST (drauf)? (oder nicht)?",
        "(HAVE) (WE) SURELY NOT_IT <y:words> SURELY (ON|ONTO) LIST (gesetzt|geschrieben|gepackt|getan|stehen|drauf)?",
        "(ob|obs) NOT_IT <y:some> SURELY (ON) LIST (steht|stehen|ist|sind)",
        "(ist|steht|gibt es|gibts|fehlt|hab ich|haben wir) SURELY (was|etwas|irgendwas|viel) SURELY (ON) LIST SURELY",
        "wie viele (sachen|dinge|punkte|aufgaben|einträge|artikel) (sind|stehen|(HAVE) (WE)) SURELY (ON) LIST SURELY",
        "wie (lang|lange|voll) (ist|is) LIST SURELY|wie (sieht|schaut) LIST SURELY (aus)?",
        # Show it.
        "SHOW (THE (ganze|aktuelle))? LIST (an|her|vor|auf|mal|an bitte)?|PLEASE <list:knownlist> PLEASE",
        "SHOW (alles|was) (ON|FROM|was auf) LIST (an|vor|steht|ist)?|alles (FROM|ON) LIST (anzeigen|zeigen|vorlesen)",
        "(<mine>|die) (<list:knownlist>|<list:todos>|<list:title> <plainlist>) PLEASE|(THE|alle)? <list:todos>",
        "(mach|mache) PLEASE LIST (mal|bitte)? auf|ME PLEASE LIST PLEASE <showing>|(offene|alle) (aufgaben|todos)",
        "(sag|sage|schau|guck|lies) ME PLEASE ,? was (ON) LIST (steht|ist) (vor)?",
        "(schau|guck|sieh|sag) ME PLEASE ,? (ob|obs) NOT_IT <y:some> SURELY (ON) LIST (steht|stehen|ist|sind)",
        # What is to be done or bought.
        "was (MUST|darf) (WE) SURELY (im laden|im supermarkt|vom supermarkt|aus dem supermarkt|für uns)? SURELY"
        " <list:getting>",
        "was <list:needing> (WE)? SURELY (vom|aus dem|im|beim)? (supermarkt|laden|markt|einkaufen|einkauf)? SURELY",
        "was <list:lacking> (uns|mir)? noch|was (gibt es|ist|gibts) SURELY zu <list:getting>",
        "(MUST|brauche|brauchen|brauch) (WE) SURELY (was|etwas|irgendwas) SURELY (aus dem|vom|im)? (supermarkt|laden)?"
        " <list:getting>",
        "<list:needing> (WE) SURELY (was|etwas|irgendwas) SURELY (vom|aus dem) (supermarkt|laden|markt|bäcker)",
        "was (muss|müssen) (WE) noch SURELY (machen|tun|erledigen)|was (HAVE) (WE) noch (nicht erledigt"
        "|zu tun|zu erledigen)",
        "was ist SURELY (noch)? (offen|unerledigt|zu tun|zu erledigen)|was (gibt es|gibts) noch zu (tun|erledigen)",
        "SHOW (THE)? (offene|offenen) (aufgaben|todos) (an)?|(erstell|erstelle) (INDEF) (neue|neuen)? (?!<plainlist>)"
        " <list:knownlist>",
        "(welche) (aufgaben|todos) (sind|(HAVE) (WE)) SURELY (offen|übrig)?",
    ),
    "todo.add": (
        "<adding> ME PLEASE NOT_IT <x:text> PLEASE ONTO_LIST PLEASE (<tail>)?",
        "<adding> PLEASE ((<mine>|der|die|zur|den) (BY_LIST)) PLEASE (:)? <x:text> hinzu",
        "(füge|füg) PLEASE NOT_IT <x:text> (der|<mine>) (BY_LIST) hinzu",
        "<adding> ME PLEASE ONTO_LIST PLEASE (:|,)? PLEASE <x:text>",
        "(füge|füg|ergänze|ergänz) PLEASE (?!<y:some> (zu|zum|zur) <z:word>) NOT_IT <x:plain> PLEASE (hinzu|dazu)",
        "(notier|notiere) (?!<article>|<mine>|mir|uns|dir) NOT_IT <x:words>",
        "(schreib|schreibe|schreibt|notier|notiere) PLEASE (?!<article>|<mine>|mir|uns|dir) NOT_IT <x:plain> PLEASE"
        " auf",
        "(notier|notiere|schreib|schreibe|merk dir) PLEASE NOT_IT <x:plain> für (den|die) (<list:errand>|BY_LIST)"
        " (auf)?",
        "(?!<edges>) <x:plain> PLEASE ONTO_THE PLEASE (<putting>|<tail>)?",
        "<x:plain> PLEASE ONTO_THE PLEASE für <when:time>",
        "(?!<edges>) <x:plain> PLEASE ONTO_LIST PLEASE <putting>",
        "<x:plain> (muss|müssen|soll|sollen|sollte|sollten|kommt|kommen|gehört|gehören|kann|können) PLEASE ONTO_THE"
        " PLEASE (<tail>)?",
        "<x:plain> (fehlt|fehlen) noch (ON) LIST PLEASE (<tail>)?|(es fehlen|es fehlt) noch <x:plain> (ON) LIST",
        "(WANT) PLEASE <x:plain> PLEASE (ON|ONTO) LIST (haben|<putting>)?",
        "(vergiss|vergesst) nicht ,? <x:plain> PLEASE ONTO_LIST zu <putting>",
        "PLEASE ONTO_THE (:|,|kommt noch|kommen noch|muss noch|müssen noch|bitte|noch)? PLEASE <x:plain>",
        "(WE)? (<needing> (WE)? noch? <x:plain>|HAVE (WE)? (kein|keine|keinen) <x:plain> mehr) (,|und) PLEASE <adding>"
        " (das|es|sie)"
        " PLEASE ONTO_LIST",
        "(THE)? <x:plain> (ist|sind) (alle|leer) (,|und) PLEASE (schreibs|<adding> (das|es|sie)) PLEASE ONTO_LIST",
        "(<mine>)? <list:knownlist> : <x:text>|(todo|to do|aufgabe) : (?!<y:text> :) <x:text>",
        "((mach|mache|erstell|erstelle|leg|lege) ME PLEASE (INDEF) (neue|neuen|neues)?|(eine|ne)? (neue|neuer|neues"
        "|neuen)) (punkt|eintrag|aufgabe|<todos>) (an)? (auf LIST)? (:|,) <x:text>",
        "(aufgabe|<todos>) (hinzufügen|anlegen|erstellen|notieren) : <x:text>",
    ),
    "todo.done": (
        "(erledigt|fertig|abgehakt) : <x:text>",
        "(hak|hake) PLEASE NOT_IT <x:some> PLEASE ((OFF) LIST)? (als erledigt)? ab",
        "(streich|streiche) PLEASE NOT_IT <x:some> PLEASE durch",
        "(markier|markiere|setz|setze|mach) PLEASE NOT_IT <x:text> PLEASE ((OFF) LIST)? (als|auf) (erledigt|fertig)",
        "NOT_IT <x:words> (abhaken|als erledigt markieren|durchstreichen|abgehakt)",
        "NOT_IT <x:words> (ON LIST)? (ist|sind|is|wäre|wären) PLEASE <doneness> (,? PLEASE (kannst du)? ((OFF) LIST)?"
        " abhaken)?",
        "NOT_IT <x:words> (hab|haben) (WE) , PLEASE (kannst du)? ((OFF) LIST)? abhaken",
        "(setz|setze|mach|mache) PLEASE (einen|nen) haken (hinter|an|bei) (THE)? <x:words>",
        "(hab|habe|haben) (WE)? PLEASE NOT_IT <x:words> PLEASE <bought>",
        "(WE) (hab|habe|haben) PLEASE NOT_IT <x:words> PLEASE <bought>",
        "NOT_IT <x:words> (hab|habe|haben) (WE) PLEASE <bought>",
        "NOT_IT <x:words> PLEASE (erledigt|gekauft|besorgt|geholt|eingepackt|abgehakt)",
    ),
    "todo.remove": (
        "<removing> PLEASE NOT_IT (?!DOWN) <x:text> PLEASE (DOWN)? (OFF) LIST PLEASE (DOWN)?",
        "<removing> PLEASE (FROM) LIST PLEASE :? NOT_IT <x:text>",
        "(nimm|nehmt|tu|hol|mach) PLEASE NOT_IT <x:plain> PLEASE (DOWN)",
        "(FROM) LIST PLEASE NOT_IT <x:plain> <dropping>",
        "<x:plain> PLEASE ((OFF) LIST PLEASE (<dropping>|DOWN)|(DOWN) (OFF) LIST)|<x:plain> wieder (FROM) LIST",
        "(?!<article>|<mine>) <x:plain> (brauchen|brauch|brauche|wollen) (WE) PLEASE (nicht mehr|doch nicht|nimmer)"
        " ((ON) LIST)?",
        "(WE) (brauchen|brauch|brauche) NOT_IT <x:plain> (nicht mehr|doch nicht) ((ON) LIST)?",
        "<x:plain> (kannst du|können wir|kann ich|kann|können|muss|müssen|soll|sollen) PLEASE (FROM) LIST"
        " (DOWN|<dropping>|gestrichen werden)?",
        "(vergiss|vergesst) NOT_IT <x:plain> (ON) LIST",
    ),
    # It asks first.
    "todo.clear": (
        "(leer|leere|lösch|lösche|entleer|entleere) PLEASE ((THE) (ganze|gesamte|komplette)? (BY_LIST)"
        "|<list:listword>) PLEASE (komplett|ganz|aus)?",
        "PLEASE ((THE) (ganze|gesamte|komplette)? (BY_LIST)|<list:listword>) PLEASE (komplett|ganz)? PLEASE (leeren"
        "|löschen|zurücksetzen|leer machen)",
        "(mach|mache|räum|räume) PLEASE LIST PLEASE (leer|komplett leer)|(setz|setze) LIST (komplett)? zurück",
        "<removing> PLEASE (alles|alle sachen|alle punkte|alle einträge|alle aufgaben) (OFF) LIST (DOWN)?",
        "(alles|alle sachen|alle punkte|alle einträge|alle aufgaben) (OFF) LIST (<dropping>|DOWN)",
        "(fang|fange) LIST (neu|von vorne|von vorn) an|LIST kann (komplett|ganz) weg",
    ),
    "cancel": (
        "<ending> PLEASE (THE)? (ALARMS) (OF|um|am)? NOT_ANY <x:few>|<ending> PLEASE (THE)? NOT_ANY <x:words> (ALARMS)",
        "<switching> PLEASE (THE)? (ALARMS) (OF|um|am)? NOT_ANY <x:few> OUT",
        "<switching> PLEASE (THE)? NOT_ANY <x:words> (ALARMS) OUT",
        "(THE)? (ALARMS) (OF|dass) NOT_ANY <x:words> (aus|ausschalten|löschen|streichen|abbrechen|abstellen|entfernen)",
        "(?!<making>) <x:words> (ALARMS) (ausschalten|löschen|streichen|abbrechen|abstellen|entfernen|stoppen)",
        "(kein|keine|keinen) (ALARMS) (an|für|wegen) NOT_ANY <x:words> mehr|(kein|keine) <x:words> (ALARMS) mehr",
        "(erinner|erinnere) (mich|uns) (nicht mehr|nie mehr|nie wieder) (an|ans|daran ,?) NOT_ANY <x:few>",
        "(erinner|erinnere) (mich|uns) (an|ans) NOT_ANY <x:words> nicht mehr",
        "<ending> PLEASE (den|das|die) (x=<event> mit <y:some>)",
        "du? (musst|brauchst) (mich|uns) MILD nicht (mehr|länger) (an|ans) NOT_ANY <x:words> (zu)? erinnern",
        "(hör|höre) auf ,? (mich|uns) (an|ans|daran) NOT_ANY <x:words> zu erinnern",
    ),
}
PHRASES = PhraseTable(macros=MACROS, rows=ROWS)
