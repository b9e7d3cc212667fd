"""Words of opposite meaning, direction above all."""

from __future__ import annotations

from cgs_rag.facts.stems import stem

_PAIRS = """
increase decrease; increasing decreasing; rise fall; rose fell; risen fallen; grow shrink; grew
shrank; growth decline; more less; more fewer; high low; higher lower; highest lowest; above
below; over under; before after; first last; early late; earlier later; earliest latest; left
right; north south; east west; northern southern; eastern western; up down; upper lower; top
bottom; open closed; opened closed; open close; opening closing; start end; start finish; begin
end; began ended; minimum maximum; minimal maximal; most least; large small; larger smaller;
largest smallest; big small; bigger smaller; biggest smallest; long short; longer shorter; longest
shortest; old young; old new; older younger; older newer; oldest youngest; oldest newest; fast
slow; faster slower; quickly slowly; rapidly slowly; gain loss; gain lose; gained lost; won lost;
win lose; winner loser; accept reject; accept refuse; accept decline; allow forbid; allow
prohibit; allow prevent; permit prohibit; permitted forbidden; enable disable; include exclude;
including excluding; buy sell; bought sold; buyer seller; purchase sale; import export; inside
outside; inner outer; internal external; interior exterior; indoors outdoors; into out_of;
required optional; mandatory optional; compulsory voluntary; hot cold; warm cold; warmer colder;
positive negative; true false; right wrong; correct wrong; improve worsen; better worse; best
worst; strengthen weaken; strong weak; stronger weaker; strongest weakest; raise lower; raise cut;
expand contract; add remove; upgrade downgrade; push pull; ascending descending; incoming
outgoing; inbound outbound; arrive depart; arrival departure; public private; present absent;
presence absence; domestic foreign; domestic international; national international; local global;
weekday weekend; morning evening; day night; dry wet; even odd; upload download; employee
employer; borrower lender; landlord tenant; male female; man woman; men women; boy girl; boys
girls; father mother; son daughter; brother sister; husband wife; king queen; horizontal vertical;
heavy light; heavier lighter; cheap expensive; cheaper dearer; cheapest dearest; rich poor; easy
difficult; easy hard; easily hardly; simple complex; major minor; majority minority; deep shallow;
wide narrow; wider narrower; thick thin; full empty; attack defend; attack defence; succeed fail;
success failure; successful unsuccessful; love hate; loved hated; like dislike; friend enemy;
friends enemies; alive dead; born died; birth death; war peace; safe dangerous; safely
dangerously; protect endanger; promote inhibit; activate inhibit; stimulate inhibit; block
promote; absorb release; join leave; joined left; enter leave; entered left; entry exit; create
destroy; build demolish; approve reject; approve refuse; support oppose; supporter opponent; agree
disagree; advantage disadvantage; benefit harm; profit loss; credit debit; income expense; asset
liability; supply demand; ally enemy; future past; ancient modern; temporary permanent;
temporarily permanently; voluntary forced; directly indirectly; direct indirect; sufficient
insufficient; urban rural; frequently rarely; often rarely; often seldom; common rare; common
uncommon; happy sad; good bad; clean dirty; marry divorce; married divorced; remember forget;
remembered forgot; teach learn; asleep awake; hire fire; employed unemployed; encourage
discourage; appear disappear; lengthen shorten; activate deactivate; increase reduce; increased
reduced; accelerate decelerate; tighten loosen; unite divide; united divided; widen narrow;
simultaneously separately; together apart; front back; forward backward; forwards backwards;
above under; above beneath; above underneath; over below; over beneath; over underneath; within
outside; within beyond; ahead behind; front rear; upstairs downstairs; near far; nearest farthest;
nearest furthest; next previous; former latter; following preceding; uphill downhill; upstream
downstream; onshore offshore; online offline; upward downward; upwards downwards; inward outward;
inwards outwards; ascend descend; allow ban; allowed banned; allowed prohibited; allowed forbidden;
permitted prohibited; permitted banned; sunrise sunset; dawn dusk; summer winter; soft hard; smooth
rough; loud quiet; tight loose; raw cooked; fresh stale; sharp blunt; locked unlocked; lock unlock;
clockwise anticlockwise; clockwise counterclockwise; acid alkaline; solid liquid; visible hidden;
"""
_UP = "increase raise rise rose grow grew gain climb climbed soar surge jump expand double"
_DOWN = "decrease reduce lower fall fell shrink shrank drop decline cut plunge sink sank halve"
_PREFIXES = ("un", "in", "im", "ir", "il", "dis", "non")


def _table() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for pair in _PAIRS.replace("\n", " ").split(";"):
        words = [stem(word) for word in pair.split() if "_" not in word]
        if len(words) == 2:
            found.setdefault(words[0], set()).add(words[1])
            found.setdefault(words[1], set()).add(words[0])
    ups, downs = ({stem(word) for word in row.split()} for row in (_UP, _DOWN))
    for ways, against in ((ups, downs), (downs, ups)):
        for way in ways:
            found.setdefault(way, set()).update(against)
    return {word: frozenset(others) for word, others in found.items()}


_OPPOSITE = _table()


def has_opposite(root: str) -> bool:
    """Whether a stem is that of a word with a known opposite."""
    return root in _OPPOSITE


def are_opposite(one: str, other: str) -> bool:
    """Whether two stems mean the opposite: "increas" and "decreas", "abl" and "unabl"."""
    if other in _OPPOSITE.get(one, ()):
        return True
    short, long = sorted((one, other), key=len)
    return len(short) > 3 and any(long == prefix + short for prefix in _PREFIXES)
