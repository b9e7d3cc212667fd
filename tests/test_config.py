"""The rules of ``read``: the stored form of a detector, of every version."""

from __future__ import annotations

import copy
import json
import math
from pathlib import Path

import numpy as np
import pytest

from cgs_rag.config import SCHEMA_VERSION, directions_of, learned_of, lite_of, stored_point
from cgs_rag.config import read_stored as read
from cgs_rag.errors import ConfigError
from cgs_rag.operating_point import Learned, OperatingPoint
from cgs_rag.types import Direction, Weights
from tests.fakes import detector

GOLDEN = Path(__file__).parent / "golden"


SINCE_V2 = ("claims", "review_band", "probability", "calibration")
SINCE_V3 = ("token_scorer", "lite", "s1_sources")

PROBABILITY = {"method": "isotonic", "risks": [0.2, 0.6], "probabilities": [0.1, 0.5]}


def golden(name: str) -> dict:
    return json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))


GOLDEN_2 = golden("version_2")
VERSIONS = ("version_1", "version_2", "version_3")


def changed(name: str, *path: str, to) -> dict:
    """A golden file with one value changed."""
    config = golden(name)
    place = config
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = to
    return config


def test_the_published_form_is_read():
    """No version, five keys, weights by alias."""
    stored = read(golden("published"))

    assert stored.weights == {"s1_logprob": 0.0, "s2_nli": 0.15, "s3_cosine": 0.85}
    assert (stored.threshold, stored.direction) == (0.42, "cosine_as_risk")
    assert (stored.mode, stored.calibrated) == ("lite", True)


def test_the_published_form_belongs_to_the_published_models():
    """Its numbers mean nothing for others."""
    models = read(golden("published")).models

    assert models.nli.name == "cross-encoder/nli-deberta-v3-small"
    assert models.cosine.name == "all-MiniLM-L6-v2"


def test_the_published_direction_is_that_of_the_cosine():
    """The others keep their own."""
    assert directions_of(read(golden("published"))) == {"s3_cosine": Direction.RISK}


def test_the_published_hypothesis_for_short_answers_is_kept():
    """As the published models read them."""
    assert read(golden("published")).template == "The answer to '{question}' is: {answer}."


@pytest.mark.parametrize(
    ("name", "key"),
    [
        *((name, key) for name in ("published", "version_1") for key in SINCE_V2 + SINCE_V3),
        *(("version_2", key) for key in SINCE_V3),
    ],
)
def test_what_older_forms_did_not_know_is_none(name, key):
    """They are lifted to the version of now."""
    stored = read(golden(name))

    assert getattr(stored, key) is None
    assert stored.schema_version == SCHEMA_VERSION


def test_version_1_keeps_every_field_of_its_own():
    """A file that an early release wrote."""
    lifted = {"schema_version": SCHEMA_VERSION, **dict.fromkeys(SINCE_V2 + SINCE_V3)}

    assert read(golden("version_1")).model_dump() == {**golden("version_1"), **lifted}


def test_version_2_keeps_every_field_of_its_own():
    """A file of a calibrated detector."""
    lifted = {"schema_version": SCHEMA_VERSION, **dict.fromkeys(SINCE_V3)}

    assert read(golden("version_2")).model_dump(mode="json", exclude_unset=True) == {
        **golden("version_2"),
        **lifted,
    }


def test_version_3_is_read():
    """A file of a detector that was calibrated with token probabilities, with every field."""
    assert read(golden("version_3")).model_dump(mode="json", exclude_unset=True) == golden(
        "version_3"
    )


@pytest.mark.parametrize(
    ("version", "key"),
    [*((1, key) for key in SINCE_V2 + SINCE_V3), *((2, key) for key in SINCE_V3)],
)
def test_a_version_can_not_have_what_came_later(version, key):
    """Not even as null: such a file was edited by hand."""
    with pytest.raises(ConfigError, match=rf"of version \d, it can't have .*{key}"):
        read({**golden(f"version_{version}"), key: None})


@pytest.mark.parametrize("name", ["version_2", "version_3"])
def test_what_was_learned_is_read_whole(name):
    """Claims, review band, probability and how it was made."""
    config = golden(name)
    point = OperatingPoint(
        Weights({"s2_nli": 1.0}), 0.5, {}, True, learned=learned_of(read(config))
    )

    stored = stored_point(point, {})
    assert {key: stored[key] for key in SINCE_V2} == {key: config[key] for key in SINCE_V2}


def test_the_point_of_lite_mode_is_read_whole():
    """Weights, directions, threshold, and all that was learned."""
    config = golden("version_3")
    point = lite_of(read(config))

    assert stored_point(point, point.directions) == config["lite"]


@pytest.mark.parametrize("sources", [[], [""], [" "], ["given", "given"], ["ollama:m", "\t"]])
def test_who_told_log_probabilities_must_be_names_each_once(sources):
    with pytest.raises(ConfigError, match="s1_sources"):
        read({**golden("version_3"), "s1_sources": sources})


@pytest.mark.parametrize("key", golden("version_3")["lite"])
def test_every_key_of_the_point_of_lite_mode_must_be_there(key):
    """By its name."""
    config = golden("version_3")
    del config["lite"][key]

    with pytest.raises(ConfigError, match=rf"lite\.{key}"):
        read(config)


@pytest.mark.parametrize("name", ["published", "version_1"])
def test_where_nothing_was_learned_nothing_is_read(name):
    """And nothing is made up."""
    assert learned_of(read(golden(name))) == Learned()


def test_the_probability_that_was_stored_is_the_one_of_a_risk():
    """At its knots, between them and outside."""
    config = changed("version_2", "probability", to=PROBABILITY)
    found = learned_of(read(config)).probability

    assert found(np.array([0.0, 0.2, 0.4, 0.6, 1.0])).tolist() == pytest.approx(
        [0.1, 0.1, 0.3, 0.5, 0.5]
    )


def test_the_form_written_now_is_the_form_read():
    """Whatever the current version is."""
    config = detector().get_config()

    assert read(config).model_dump() == config
    assert config["schema_version"] == SCHEMA_VERSION


@pytest.mark.parametrize("name", ["published", *VERSIONS])
def test_reading_leaves_the_stored_form_as_it_is(name):
    """Nothing is lifted in place."""
    config = golden(name)

    read(config)

    assert config == golden(name)


@pytest.mark.parametrize("name", ["published", *VERSIONS])
def test_whole_numbers_are_read_as_floats(name):
    """Other languages write 1.0 as 1."""
    config = changed(name, "threshold", to=1)

    assert read(config).threshold == 1.0


@pytest.mark.parametrize("name", VERSIONS)
@pytest.mark.parametrize(
    "version", [SCHEMA_VERSION + 1, 99, 0, -1, "1", "2", 1.5, 2.0, [1], True], ids=repr
)
def test_another_version_is_refused(name, version):
    """And the message says what to do."""
    with pytest.raises(ConfigError, match=r"schema_version.*upgrade"):
        read(changed(name, "schema_version", to=version))


@pytest.mark.parametrize("name", ["published", *VERSIONS])
def test_an_unknown_key_is_refused_by_its_name(name):
    """A misspelt setting does not fall silently back to a default."""
    with pytest.raises(ConfigError, match="treshold"):
        read(changed(name, "treshold", to=0.5))


@pytest.mark.parametrize("name", VERSIONS)
def test_an_unknown_key_inside_is_refused(name):
    """Strict at every depth."""
    with pytest.raises(ConfigError, match=r"models\.nli\.hash"):
        read(changed(name, "models", "nli", "hash", to="x"))


@pytest.mark.parametrize("part", ["claims", "probability", "calibration"])
def test_an_unknown_key_of_what_was_learned_is_refused(part):
    """Strict at every depth."""
    with pytest.raises(ConfigError, match=rf"{part}\.bogus"):
        read(changed("version_2", part, "bogus", to=1))


@pytest.mark.parametrize(
    ("name", "key"),
    [(name, key) for name in VERSIONS for key in sorted(golden(name))],
)
def test_every_key_must_be_there(name, key):
    """Also where it would be null; a cut file is refused by the name of what is missing."""
    config = golden(name)
    del config[key]

    with pytest.raises(ConfigError, match=key if key != "schema_version" else "unknown"):
        read(config)


@pytest.mark.parametrize(
    ("part", "key"),
    [(part, key) for part in ("claims", "probability", "calibration") for key in GOLDEN_2[part]],
)
def test_every_key_of_what_was_learned_must_be_there(part, key):
    """By its name."""
    config = golden("version_2")
    del config[part][key]

    with pytest.raises(ConfigError, match=rf"{part}\.{key}"):
        read(config)


@pytest.mark.parametrize("key", SINCE_V2)
def test_each_part_of_what_was_learned_may_be_null(key):
    """An operating point set by hand has none."""
    assert getattr(read(changed("version_2", key, to=None)), key) is None


@pytest.mark.parametrize("value", [math.nan, math.inf, -0.1, 1.1, "0.4", None, True], ids=repr)
@pytest.mark.parametrize(
    "path",
    [
        ("claims", "threshold"),
        ("claims", "exponent"),
        ("calibration", "auc"),
        ("calibration", "auc_in_sample"),
    ],
    ids=".".join,
)
def test_a_share_that_is_no_number_in_the_unit_interval_is_refused(path, value):
    """The message names it."""
    with pytest.raises(ConfigError, match=r"\.".join(path)):
        read(changed("version_2", *path, to=value))


@pytest.mark.parametrize(
    "band",
    [
        [0.6, 0.4],
        [0.4],
        [0.2, 0.4, 0.6],
        [math.nan, 0.5],
        [-0.1, 0.5],
        [0.5, 1.1],
        ["0.4", "0.6"],
        0.5,
    ],
    ids=str,
)
def test_a_review_band_that_is_none_is_refused(band):
    """Two risks, the lower one first."""
    with pytest.raises(ConfigError, match="review_band"):
        read(changed("version_2", "review_band", to=band))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"probabilities": [0.5, 0.1]}, "probabilities must not fall"),
        ({"risks": [0.6, 0.2]}, "risks must rise"),
        ({"risks": [0.2, 0.4, 0.6]}, "must be as many"),
        ({"risks": [0.2], "probabilities": [0.1]}, "probability.risks"),
        ({"risks": [0.2, math.nan]}, "probability.risks"),
        ({"risks": [0.2, "0.6"]}, "probability.risks"),
        ({"probabilities": [0.1, 1.1]}, "probability.probabilities"),
        ({"method": "magic"}, "probability.method"),
    ],
    ids=str,
)
def test_a_probability_map_that_is_none_is_refused(change, said):
    """Rising risks, probabilities that do not fall, as many of each."""
    with pytest.raises(ConfigError, match=said):
        read(changed("version_2", "probability", to={**PROBABILITY, **change}))


def test_a_probability_map_may_be_flat():
    """Where the risk says nothing."""
    flat = {**PROBABILITY, "probabilities": [0.3, 0.3]}

    assert read(changed("version_2", "probability", to=flat)).probability is not None


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("objective", None),
        ("confidence", 2.0),
        ("seed", "3"),
        ("n_samples", 80.5),
        ("auc_interval", [0.5]),
        ("auc_interval", [0.5, math.nan]),
        ("verdicts", "fine"),
        ("fingerprint", 5),
    ],
)
def test_a_record_of_another_kind_is_refused(key, value):
    """With its name."""
    with pytest.raises(ConfigError, match=rf"calibration\.{key}"):
        read(changed("version_2", "calibration", key, to=value))


@pytest.mark.parametrize("key", ["weights", "threshold", "direction"])
def test_the_numbers_of_the_published_form_must_be_there(key):
    """Nothing stands in for them."""
    config = golden("published")
    del config[key]

    with pytest.raises(ConfigError, match=f"missing: .*{key}"):
        read(config)


@pytest.mark.parametrize("key", ["mode", "calibrated"])
def test_the_rest_of_the_published_form_has_defaults(key):
    """As the published reader has them."""
    config = golden("published")
    del config[key]

    assert getattr(read(config), key) == {"mode": "auto", "calibrated": False}[key]


@pytest.mark.parametrize("name", ["published", *VERSIONS])
@pytest.mark.parametrize(
    "value", [math.nan, math.inf, -0.1, 1.1, "0.4", None, True, [0.4]], ids=repr
)
def test_a_threshold_that_is_no_number_in_the_unit_interval_is_refused(name, value):
    """NaN in a JSON file, as Python writes it, too."""
    with pytest.raises(ConfigError, match="threshold"):
        read(changed(name, "threshold", to=value))


@pytest.mark.parametrize(
    ("name", "key"), [("published", "beta"), *((name, "s2_nli") for name in VERSIONS)]
)
@pytest.mark.parametrize("value", [math.nan, -0.1, 1.1, "0.15", None, True], ids=repr)
def test_a_weight_that_is_no_number_in_the_unit_interval_is_refused(name, key, value):
    """The message names the weight."""
    with pytest.raises(ConfigError, match=r"weights\.s2_nli"):
        read(changed(name, "weights", key, to=value))


@pytest.mark.parametrize("name", ["published", "version_1"])
@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("mode", "turbo"),
        ("mode", 1),
        ("direction", "cosine_as_magic"),
        ("direction", None),
        ("weights", [0.5, 0.5]),
        ("weights", None),
        ("calibrated", "yes"),
    ],
)
def test_a_value_of_another_kind_is_refused(name, key, value):
    """With its name."""
    with pytest.raises(ConfigError, match=key):
        read(changed(name, key, to=value))


@pytest.mark.parametrize("sha256", ["abc", "A" * 64, "g" * 64, "a" * 63, 5])
def test_a_hash_that_is_none_is_refused(sha256):
    """64 lower-case hexadecimal digits, or null."""
    with pytest.raises(ConfigError, match="sha256"):
        read(changed("version_1", "models", "nli", "sha256", to=sha256))


@pytest.mark.parametrize("config", [None, "{}", [], 5, {1: 2}, {}], ids=repr)
def test_what_is_no_stored_detector_is_refused(config):
    """A path or a text is not opened."""
    with pytest.raises(ConfigError, match="stored detector"):
        read(config)


def test_a_signal_weighed_twice_in_the_published_form_is_refused():
    """By its alias and by its name: which of the two is meant?"""
    config = golden("published")
    config["weights"] = {"beta": 0.15, "gamma": 0.85, "s2_nli": 0.15}

    with pytest.raises(ConfigError, match="twice"):
        read(config)


def test_a_direction_that_contradicts_the_directions_is_refused():
    """One file can't say both; which would be used depended on the reader."""
    config = copy.deepcopy(golden("version_1"))
    config["direction"] = "cosine_as_grounding"
    config["directions"]["s3_cosine"] = "risk"

    with pytest.raises(ConfigError, match="direction"):
        read(config)


def test_a_direction_of_an_unknown_signal_is_refused():
    """A misspelt name would be passed over."""
    config = changed("version_1", "directions", to={"bogus": "risk"})

    with pytest.raises(ConfigError, match="bogus"):
        read(config)


@pytest.mark.parametrize(
    "change",
    [
        {"threshold": 10**400},
        {"weights": {"beta": 10**400}},
        {1: 2},
    ],
    ids=str,
)
def test_what_python_itself_would_choke_on_is_refused(change):
    """Whatever JSON or a caller can hold."""
    with pytest.raises(ConfigError):
        read({**golden("published"), **change})


@pytest.mark.parametrize("name", ["", "  ", "a\0b"])
def test_a_model_without_a_name_is_refused(name):
    """Nothing could be found by it."""
    config = copy.deepcopy(golden("version_1"))
    config["models"]["nli"]["name"] = name

    with pytest.raises(ConfigError, match="name"):
        read(config)
