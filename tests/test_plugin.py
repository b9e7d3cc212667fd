"""A third party's signal: one small class and one line of metadata."""

from __future__ import annotations

import json
import math
import sys

import pytest

from cgs_rag import (
    BackendError,
    CGSDetector,
    ConfigError,
    InvalidInputError,
    SignalUnavailableError,
)
from cgs_rag import signals as registry
from tests.fakes import FakeEncoder, FakeEntailer, detector

MODULE = "a_third_partys_signals"
SOURCE = '''
from cgs_rag import Direction, Reading


class Exclaiming:
    """The risk that an answer is shouted."""

    name = "x1_exclaiming"
    direction = Direction.RISK
    needs = "local"
    version = 3

    def __init__(self, resources):
        self.resources = resources

    def embeds(self, batch):
        return ()

    def unavailable(self):
        return None

    def read(self, batch):
        return [Reading(min(1.0, s.answer.count("!") / 4)) for s in batch.samples]


class Absent(Exclaiming):
    name = "x2_absent"

    def unavailable(self):
        return "the machine is off"


class Misnamed(Exclaiming):
    name = "x3_other_name"


class TooFew(Exclaiming):
    name = "x4_too_few"

    def read(self, batch):
        return []


class OutOfRange(Exclaiming):
    name = "x5_out_of_range"

    def read(self, batch):
        return [Reading(7.0) for _ in batch.samples]


class Undirected(Exclaiming):
    name = "x7_undirected"
    direction = "upwards"


class Mute(Exclaiming):
    name = "x8_mute"

    def read(self, batch):
        return [Reading(float("nan")) for _ in batch.samples]


class Numberless(Exclaiming):
    name = "x9_numberless"

    def read(self, batch):
        return ["high" for _ in batch.samples]


class Usurper(Exclaiming):
    name = "s2_nli"
'''
ENTRY_POINTS = f"""
[cgs_rag.signals]
x1_exclaiming = {MODULE}:Exclaiming
x2_absent = {MODULE}:Absent
x3_misnamed = {MODULE}:Misnamed
x4_too_few = {MODULE}:TooFew
x5_out_of_range = {MODULE}:OutOfRange
x7_undirected = {MODULE}:Undirected
x8_mute = {MODULE}:Mute
x9_numberless = {MODULE}:Numberless
x6_broken = a_module_that_is_not_there:Signal
s2_nli = {MODULE}:Usurper
"""
ROW = {"question": "Who?", "answer": "The tower is in Paris!", "context": "The tower is in Paris."}


@pytest.fixture(autouse=True)
def installed(tmp_path, monkeypatch):
    """The package, installed as pip leaves it: a module and its dist-info."""
    info = tmp_path / "a_third_party-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: a-third-party\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(ENTRY_POINTS)
    (tmp_path / f"{MODULE}.py").write_text(SOURCE)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    yield
    sys.modules.pop(MODULE, None)


def test_an_installed_signal_is_found_by_its_name():
    """Behind the built-in ones."""
    built_in = ("s1_logprob", "s2_nli", "s3_cosine", "s4_sgi", "s5_facts")
    assert registry.names()[:5] == built_in
    assert "x1_exclaiming" in registry.names()


def test_an_installed_signal_is_given_a_weight_like_any():
    """And its reading is in the result."""
    got = detector(weights={"x1_exclaiming": 0.5, "s2_nli": 0.5}).score(**ROW)

    assert got.signals["x1_exclaiming"] == 0.25
    assert got.risk_score == pytest.approx(0.5 * 0.25 + 0.5 * (1 - got.signals["s2_nli"]))


def test_an_installed_signal_is_built_from_the_resources_of_the_detector():
    """The same models that the built-in ones read."""
    resources = registry.Resources(FakeEncoder(), FakeEntailer(), "angular")

    assert registry.create("x1_exclaiming", resources).resources is resources


def test_a_signal_without_a_weight_is_not_loaded():
    """Nor run: an installed package costs nothing."""
    detector().score(**ROW)

    assert MODULE not in sys.modules


def test_its_version_and_direction_are_stored_with_the_detector():
    """So that results of another version are told apart."""
    config = detector(weights={"x1_exclaiming": 1.0}).get_config()

    assert config["signal_versions"] == {"x1_exclaiming": 3}
    assert config["directions"]["x1_exclaiming"] == "risk"


def test_a_stored_detector_finds_it_again():
    """Through JSON."""
    stored = json.dumps(detector(weights={"x1_exclaiming": 1.0}).get_config())

    again = CGSDetector.from_config(
        json.loads(stored), nli_model=FakeEntailer(), cosine_model=FakeEncoder()
    )
    assert again.score(**ROW).risk_score == 0.25


def test_a_stored_detector_whose_signal_is_gone_is_refused(monkeypatch):
    """Without it, the weights mean nothing."""
    stored = detector(weights={"x1_exclaiming": 1.0}).get_config()
    monkeypatch.setattr(sys, "path", sys.path[1:])

    with pytest.raises(ConfigError, match="x1_exclaiming"):
        CGSDetector.from_config(stored, nli_model=FakeEntailer(), cosine_model=FakeEncoder())


def test_an_unavailable_signal_is_missing_with_its_reason():
    """It is not read, and its weight goes to the others."""
    got = detector(weights={"x2_absent": 0.5, "s2_nli": 0.5}).score(**ROW)

    assert math.isnan(got.signals["x2_absent"])
    assert got.readings["x2_absent"].note == "the machine is off"
    assert got.risk_score == pytest.approx(1 - got.signals["s2_nli"])


def test_a_signal_that_calls_itself_otherwise_is_refused():
    """The name is the key of its weight."""
    with pytest.raises(InvalidInputError, match=r"x3_misnamed.*x3_other_name"):
        detector(weights={"x3_misnamed": 1.0})


def test_a_built_in_name_can_not_be_taken_over():
    """Whatever a package announces."""
    got = detector(weights={"s2_nli": 1.0}).score(**ROW)

    assert got.signals["s2_nli"] == 1.0
    assert MODULE not in sys.modules


def test_a_signal_that_gives_too_few_readings_fails_by_its_name():
    """Rows would be taken for others."""
    with pytest.raises(BackendError, match=r"x4_too_few.*0 readings for 1"):
        detector(weights={"x4_too_few": 1.0}).score(**ROW)


def test_a_reading_out_of_range_fails_by_its_name():
    """A risk of 7 is not clipped to 1."""
    with pytest.raises(BackendError, match=r"x5_out_of_range.*7"):
        detector(weights={"x5_out_of_range": 1.0}).score(**ROW)


def test_a_package_that_can_not_be_imported_stops_only_who_uses_it():
    """The others go on."""
    assert detector().score(**ROW).status == "scored"
    with pytest.raises(SignalUnavailableError, match="a_module_that_is_not_there"):
        detector(weights={"x6_broken": 1.0})


def test_an_unknown_signal_is_refused_with_the_known_ones():
    """The message lists what is installed, and how to add one."""
    resources = registry.Resources(FakeEncoder(), FakeEntailer())

    with pytest.raises(InvalidInputError, match=r"x7_none.*s2_nli.*x1_exclaiming.*entry point"):
        registry.create("x7_none", resources)


def test_a_signal_without_a_direction_is_refused():
    """Which way its value points would be a guess."""
    with pytest.raises(InvalidInputError, match="upwards"):
        detector(weights={"x7_undirected": 1.0})


@pytest.mark.parametrize("name", ["x8_mute", "x9_numberless"])
def test_a_signal_that_does_not_say_why_it_is_silent_fails_by_its_name(name):
    """As one that gives no reading at all."""
    with pytest.raises(BackendError, match=name):
        detector(weights={name: 1.0}).score(**ROW)
