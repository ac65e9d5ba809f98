"""English words whose forms no stemmer leads to one another: a line is a word and its other forms."""

from __future__ import annotations

from collections.abc import Mapping

_LINES = """
be was were been am are is being
begin began begun
bear born borne
bite bit bitten
blow blew blown
break broke broken
bring brought
build built
buy bought
catch caught
choose chose chosen
come came
dig dug
do did done does
draw drew drawn
drink drank drunk
drive drove driven
eat ate eaten
fall fell fallen
feed fed
feel felt
fight fought
find found
fly flew flown
forget forgot forgotten
forgive forgave forgiven
freeze froze frozen
get got gotten
give gave given
go went gone
grow grew grown
hang hung
have had has
hear heard
hide hid hidden
hold held
keep kept
know knew known
lay laid
lead led
learn learnt
leave left
lend lent
light lit
lose lost
make made
mean meant
meet met
pay paid
ride rode ridden
ring rang rung
rise rose risen
run ran
say said
see saw seen
sell sold
send sent
sew sewn
shake shook shaken
shoot shot
show shown
shrink shrank shrunk
sing sang sung
sink sank sunk
sit sat
sleep slept
speak spoke spoken
spend spent
stand stood
steal stole stolen
stick stuck
strike struck
swear swore sworn
sweep swept
swim swam swum
take took taken
teach taught
tear tore torn
tell told
think thought
throw threw thrown
understand understood
wake woke woken
wear wore worn
win won
write wrote written
child children
foot feet
goose geese
knife knives
leaf leaves
life lives
man men
mouse mice
person people
shelf shelves
tooth teeth
wife wives
wolf wolves
woman women
good better best
bad worse worst
"""

_FORMS = [line.split() for line in _LINES.strip().splitlines()]
BASE: Mapping[str, str] = {form: base for base, *forms in _FORMS for form in forms}
