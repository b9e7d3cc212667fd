"""Edits of words: negations, opposites, wording."""

from __future__ import annotations

import random

import pytest

from tests.training.edited import broken, kept
from training.edits import breaking
from training.edits.opposites import inflected


@pytest.mark.parametrize(
    ("sentence", "text"),
    [
        ("The door is open.", "The door is not open."),
        ("The boats were painted.", "The boats were not painted."),
        ("The bird can swim.", "The bird cannot swim."),
        ("The court will meet in June.", "The court will not meet in June."),
        ("The town has built a school.", "The town has not built a school."),
        ("The town has a school.", "The town does not have a school."),
        ("The farm had a well.", "The farm did not have a well."),
        ("There is a dog on the roof .", "There is no dog on the roof ."),
        ("She directed the play.", "She did not direct the play."),
        ("Anna Berg became a judge.", "Anna Berg did not become a judge."),
        ("The soup contains nuts.", "The soup does not contain nuts."),
    ],
)
def test_a_main_verb_is_denied(sentence, text):
    assert broken("negation", sentence) == {text}


@pytest.mark.parametrize(
    "sentence",
    [
        "The door is not open.",
        "Is the door open?",
        "Some doors are open.",
        "At least two doors are open.",
        "The man who is ill sleeps.",
        "When the door is open, it rains.",
        "The first recorded flood came early.",
        "Songs directed at children sell.",
        "The play directed by her failed.",
        "The door is also open.",
        "He said that the door is open.",
        "Nobody can swim.",
        "The pass will have a date or will expire.",
    ],
)
def test_where_a_negation_would_not_deny_the_whole_none_is_put(sentence):
    assert broken("negation", sentence) == set()


@pytest.mark.parametrize(
    ("sentence", "text"),
    [
        ("The door is not open.", "The door is open."),
        ("The door isn't open.", "The door is open."),
        ("The door is n't open .", "The door is open ."),
        ("They do not sell milk.", "They do sell milk."),
        ("The bird cannot swim.", "The bird can swim."),
        ("The bird ca n't swim .", "The bird can swim ."),
        ("It won't rain.", "It will rain."),
        ("The town has never been rich.", "The town has been rich."),
        ("They no longer sell milk.", "They still sell milk."),
        ("There were no signs of fire.", "There were some signs of fire."),
        ("The drug has no effect on mice.", "The drug has an effect on mice."),
        ("They found no evidence of it.", "They found some evidence of it."),
    ],
)
def test_a_negation_is_taken_out(sentence, text):
    assert broken("affirmation", sentence) == {text}


@pytest.mark.parametrize(
    "sentence",
    [
        "It is not only large but also old.",
        "This may or may not include names.",
        "The list includes, but is not limited to, names.",
        "Not all birds swim.",
        "They did not have any milk.",
        "It is not uncommon.",
        "It is not without merit.",
        "Is it not open?",
        "They have not yet come.",
        "No one came.",
    ],
)
def test_a_negation_whose_loss_breaks_nothing_or_the_grammar_stays(sentence):
    assert broken("affirmation", sentence) == set()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Prices increased last year.", "Prices decreased last year."),
        ("It wants to increase the tax.", "It wants to decrease the tax."),
        ("It allows smoking.", "It forbids smoking."),
        ("The price includes lunch.", "The price excludes lunch."),
        ("The river is longer than the road.", "The river is shorter than the road."),
        ("They ate before the game.", "They ate after the game."),
        ("The lamp hangs above the table.", "The lamp hangs below the table."),
        ("More than 50 ships sank.", "Less than 50 ships sank."),
        ("It holds at least 50 people.", "It holds at most 50 people."),
        ("The farm lies north of the river.", "The farm lies south of the river."),
        ("Trade grew in the South.", "Trade grew in the North."),
        ("A woman is singing.", "A man is singing."),
        ("She was the first to arrive.", "She was the last to arrive."),
        ("It is the maximum dose.", "It is the minimum dose."),
        ("The attempt was successful.", "The attempt was unsuccessful."),
        ("They bought the house.", "They sold the house."),
        ("They won the match.", "They lost the match."),
        ("The sign is on the left of it.", "The sign is on the right of it."),
    ],
)
def test_a_word_and_its_opposite_exchange_both_ways(one, other):
    assert other in broken("direction", one)
    assert one in broken("direction", other)


@pytest.mark.parametrize(
    ("sentence", "text"),
    [
        ("They left without a word.", "They left with a word."),
        ("The drug is more effective here.", "The drug is less effective here."),
        ("It is an advantage.", "It is a disadvantage."),
        ("It is a minor and active part.", "It is a minor and inactive part."),
        ("It is a private beach.", "It is a public beach."),
        ("It was an unsuccessful trip.", "It was a successful trip."),
    ],
)
def test_an_article_goes_with_the_new_word(sentence, text):
    assert text in broken("direction", sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "The men and women sang.",
        "It grew more or less straight.",
        "The support was strong-willed.",
        "Named after a king's horse, it ran.",
        "He read Before Sunrise.",
        "They liked a friend's trust in the enemy's word.",
        "It is the sister group to it.",
        "They look after all of it.",
        "It ran once more than usual.",
        "Guests have the right to a meal.",
        "It lies in South Tyrol.",
        "North America has lakes.",
        "They sailed the South Sea.",
        "They talked in the West Bank.",
        "They were running away.",
        "The owner was locking out the guests.",
        "They were standing up.",
    ],
)
def test_idioms_titles_and_pairs_are_left(sentence):
    assert broken("direction", sentence) == set()


def test_an_opposite_that_the_passage_states_is_not_put():
    passage = "They ate before the game. They ate again after the game."

    assert broken("direction", "They ate before the game.", passage) == set()


def test_the_opposite_of_what_is_denied_is_merely_not_stated():
    edits = breaking("Prices did not increase.", "Prices did not increase.", random.Random(0))

    assert [edit.relation for edit in edits if edit.kind == "direction"] == ["differs"]


def test_what_goes_for_men_may_go_for_women_too():
    edits = breaking("Men often sleep badly.", "Men often sleep badly.", random.Random(0))
    made = [edit for edit in edits if edit.kind == "direction"]

    assert [(edit.text, edit.relation) for edit in made] == [
        ("Women often sleep badly.", "differs")
    ]


@pytest.mark.parametrize(
    ("kind", "sentence", "text"),
    [
        ("contraction", "The door is not open.", "The door isn't open."),
        ("contraction", "The door isn't open.", "The door is not open."),
        ("contraction", "They do n't sell milk .", "They do not sell milk ."),
        ("contraction", "It cannot swim.", "It can't swim."),
        ("contraction", "It won't rain.", "It will not rain."),
        ("contraction", "It's late.", "It is late."),
        ("synonym", "He bought a large house.", "He bought a big house."),
        ("synonym", "They purchased an enormous house.", "They purchased a huge house."),
        ("synonym", "It weighs approximately 3 kg.", "It weighs about 3 kg."),
        ("synonym", "They began to sing.", "They started to sing."),
        ("synonym", "It was an entire lie.", "It was a whole lie."),
        ("synonym", "It shut because of snow.", "It shut due to snow."),
        ("voice", "The tower was painted by the town.", "The town painted the tower."),
        ("voice", "Anna Berg was elected by Norway in 1968.", "Norway elected Anna Berg in 1968."),
    ],
)
def test_other_words_say_the_same(kind, sentence, text):
    assert text in kept(kind, sentence)


@pytest.mark.parametrize(
    ("kind", "sentence"),
    [
        ("contraction", "See the Do Not Call list."),
        ("contraction", "It's been late."),
        ("synonym", "A large number of them came."),
        ("synonym", "It is nearly done."),
        ("synonym", "He read The Large House."),
        ("voice", "The tower was painted by 1968."),
        ("voice", "It was painted by the town."),
        ("voice", "The film was based by the town."),
        ("voice", "The album was recorded by the sea."),
        ("voice", "The bridge was opened by the summer."),
        ("synonym", "It is due to arrive at nine."),
        ("synonym", "Whole numbers are used."),
        ("synonym", "It is loaded with film."),
        ("contraction", "It's become a habit."),
    ],
)
def test_wording_that_could_say_something_else_is_left(kind, sentence):
    assert kept(kind, sentence) == set()


@pytest.mark.parametrize(
    ("verb", "forms"),
    [
        ("allow", ["allow", "allows", "allowed", "allowing", "allowed"]),
        ("increase", ["increase", "increases", "increased", "increasing", "increased"]),
        ("deny", ["deny", "denies", "denied", "denying", "denied"]),
        ("hide", ["hide", "hides", "hid", "hiding", "hidden"]),
        ("attach", ["attach", "attaches", "attached", "attaching", "attached"]),
        ("forbid", ["forbid", "forbids", "forbade", "forbidding", "forbidden"]),
    ],
)
def test_a_verb_is_inflected(verb, forms):
    assert list(inflected(verb).values()) == forms
