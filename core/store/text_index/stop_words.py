"""Words so common that they say nothing of what a text is about, by language, as `words` folds them."""

from __future__ import annotations

from collections.abc import Mapping

_ENGLISH = """
a about above after again all also am an and any are aren as at be because been before being below between both but
by can cannot could couldn d did didn do does doesn doing don down during each either else ever every few for from
further get gets getting go goes going got had hadn has hasn have haven having he her here hers herself hi him
himself his how however i if in into is isn it its itself just let ll m me mine more most much must my myself no nor
not now of off oh ok okay on once one only onto or other our ours out over own re really s same shall she should
shouldn so some such t than that the their theirs them themselves then there these they this those through to too
under until up upon us ve very was wasn we well were weren what when where whether which while who whom whose why
will with won would wouldn yeah yes yet you your yours yourself
"""

_GERMAN = """
ab aber alle allem allen aller alles als also am an ander andere anderen auch auf aus bei beim bin bis bist da damit
dann das dass dein deine deinem deinen deiner dem den denn der des dich die dies diese diesem diesen dieser dieses
dir doch dort du durch ein eine einem einen einer eines er es etwas euch euer eure für gegen gewesen hab habe haben
hast hat hatte hatten hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im in indem ins ist ja jede jedem
jeden jeder jedes jene jenem jenen jener jenes jetzt kann kannst kein keine keinem keinen keiner können könnte mal
man manche mein meine meinem meinen meiner mich mir mit muss musst müssen nach nein nicht nichts noch nun nur ob
oder ohne schon sehr sein seine seinem seinen seiner selbst sich sie sind so solche soll sollte sondern sonst um und
uns unser unsere unserem unseren unserer unter viel vom von vor wann war waren warst was weg weil welche welchem
welchen welcher welches wem wen wenn wer werde werden weshalb wie wieder wieso will willst wir wird wirst wo wollen
wollte woher wohin während würde würden zu zum zur zwar zwischen über
"""

ENGLISH, GERMAN = frozenset(_ENGLISH.split()), frozenset(_GERMAN.split())
STOP_WORDS: Mapping[str, frozenset[str]] = {"en": ENGLISH, "de": GERMAN}
# What only one of the two languages uses tells which one a text is in.
ONLY_GERMAN = GERMAN - ENGLISH - {"man", "die", "war", "hat", "will", "mal", "dies", "den", "des", "her", "hast", "wer"}
ONLY_ENGLISH = ENGLISH - GERMAN
