"""The rules of stored detectors as files: whole or not at all, and strict JSON."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from cgs_rag import CGSDetector
from cgs_rag.errors import ConfigError, InvalidInputError
from cgs_rag.signals.nli import NLISignal
from cgs_rag.stored_files import read_stored_file, refuse_target, write_stored
from tests.fakes import FakeEncoder, FakeEntailer, detector
from tests.golden.make_version_1 import COSINE, NLI

GOLDEN = Path(__file__).parent / "golden"
CONFIG = {"threshold": 0.4, "notes": ["größer", "Łódź"], "claims": None}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "detector.json"


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@contextmanager
def full_disk() -> Iterator[None]:
    """No file may grow beyond a few bytes."""
    resource = pytest.importorskip("resource", reason="only Unix limits the size of files")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (16, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


class TestWriting:
    """write_stored."""

    def test_what_is_written_is_read(self, path):
        write_stored(path, CONFIG)

        assert read_stored_file(path) == CONFIG

    def test_nothing_but_the_file_is_left(self, path):
        write_stored(path, CONFIG)

        assert names(path.parent) == [path.name]

    def test_the_file_is_readable_utf_8_ending_in_a_line_break(self, path):
        write_stored(path, CONFIG)

        text = path.read_bytes().decode("utf-8")
        assert "Łódź" in text
        assert text.endswith("}\n")
        assert "\r" not in text

    def test_a_file_that_is_there_is_replaced(self, path):
        path.write_text("old, and longer than what comes " * 100)
        write_stored(path, CONFIG)

        assert read_stored_file(path) == CONFIG

    def test_a_link_stays_a_link(self, path):
        link = path.with_name("link.json")
        link.symlink_to(path)
        write_stored(link, CONFIG)

        assert link.is_symlink()
        assert read_stored_file(path) == CONFIG

    def test_a_disk_that_is_full_leaves_the_old_file(self, path):
        write_stored(path, CONFIG)

        with full_disk(), pytest.raises(ConfigError, match=f"can't write {path}"):
            write_stored(path, {**CONFIG, "threshold": 0.9})

        assert read_stored_file(path) == CONFIG
        assert names(path.parent) == [path.name]

    def test_a_disk_that_is_full_leaves_no_file_where_there_was_none(self, path):
        with full_disk(), pytest.raises(ConfigError):
            write_stored(path, CONFIG)

        assert names(path.parent) == []

    @pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
    def test_what_is_no_number_of_json_is_not_written(self, path, value):
        write_stored(path, CONFIG)

        with pytest.raises(ValueError, match="JSON"):
            write_stored(path, {**CONFIG, "threshold": value})

        assert read_stored_file(path) == CONFIG

    def test_a_folder_is_not_replaced(self, path):
        path.mkdir()

        with pytest.raises(ConfigError, match="can't write"):
            write_stored(path, CONFIG)

        assert names(path.parent) == [path.name]

    @pytest.mark.parametrize("name", ["none/detector.json", "file/detector.json"])
    def test_a_folder_that_is_not_there_is_said(self, tmp_path, name):
        (tmp_path / "file").touch()

        with pytest.raises(ConfigError, match="can't write"):
            write_stored(tmp_path / name, CONFIG)

    def test_a_path_that_is_no_text_of_unicode_is_stored_too(self, path):
        """Folders on Linux may have such names, and models lie in them."""
        write_stored(path, {"name": "/models/caf\udce9"})

        assert read_stored_file(path) == {"name": "/models/caf\udce9"}


class TestReading:
    """read_stored_file."""

    def test_a_byte_order_mark_is_passed_over(self, path):
        path.write_bytes(b"\xef\xbb\xbf" + json.dumps(CONFIG).encode())

        assert read_stored_file(path) == CONFIG

    @pytest.mark.parametrize("spelt", ["NaN", "Infinity", "-Infinity"])
    def test_numbers_that_json_does_not_have_are_refused_by_their_name(self, path, spelt):
        path.write_text(f'{{"threshold": {spelt}}}')

        with pytest.raises(ConfigError, match=f"not JSON: {spelt}"):
            read_stored_file(path)

    @pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.99])
    def test_a_half_written_file_is_refused(self, path, share):
        text = json.dumps(detector().get_config())
        path.write_text(text[: int(share * len(text))])

        with pytest.raises(ConfigError, match=f"{path} is not a stored detector: not JSON"):
            read_stored_file(path)

    @pytest.mark.parametrize("content", [b'{"notes": "caf\xe9"}', '{"a": 1}'.encode("utf-16")])
    def test_what_is_not_utf_8_is_refused(self, path, content):
        path.write_bytes(content)

        with pytest.raises(ConfigError, match=f"{path} is not UTF-8"):
            read_stored_file(path)

    def test_a_file_that_is_not_there_is_said(self, path):
        with pytest.raises(ConfigError, match=f"can't read {path}: No such file"):
            read_stored_file(path)

    def test_a_folder_is_said(self, tmp_path):
        with pytest.raises(ConfigError, match=r"can't read .*: Is a directory"):
            read_stored_file(tmp_path)

    @pytest.mark.parametrize("content", ["[" * 100_000, "1" * 10_000], ids=["deep", "long"])
    def test_what_python_itself_would_choke_on_is_refused(self, path, content):
        path.write_text(content)

        with pytest.raises(ConfigError, match="not JSON"):
            read_stored_file(path)


def load(path: Path) -> CGSDetector:
    """A detector from a file, over the models that the golden files name."""
    entailer, encoder = FakeEntailer(template="Q: {question} A: {answer}"), FakeEncoder()
    entailer.identity, encoder.identity = NLI, COSINE
    return CGSDetector.load(path, nli_model=entailer, cosine_model=encoder)


def old(name: str, folder: Path) -> CGSDetector:
    """A detector from a file of an older form, as if its signals still gave the same values."""
    stored = json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))
    if "signal_versions" in stored:
        stored["signal_versions"]["s2_nli"] = NLISignal.version
    file = folder / f"{name}.json"
    file.write_text(json.dumps(stored), encoding="utf-8")
    return load(file)


class TestOldFiles:
    """CGSDetector.load, of every form that was ever written."""

    @pytest.mark.parametrize(
        ("name", "weights"),
        [
            ("published", {"s2_nli": 0.15, "s3_cosine": 0.85}),
            ("version_1", {"s2_nli": 0.5, "s3_cosine": 0.25, "s4_sgi": 0.25}),
            ("version_2", {"s2_nli": 0.35, "s3_cosine": 0.5, "s4_sgi": 0.15}),
        ],
    )
    def test_the_weights_are_those_of_the_file(self, tmp_path, name, weights):
        assert dict(old(name, tmp_path).weights) == weights

    @pytest.mark.parametrize(
        ("name", "threshold"),
        [("published", 0.42), ("version_1", 0.37), ("version_2", 0.5513054239900838)],
    )
    def test_the_threshold_is_that_of_the_file(self, tmp_path, name, threshold):
        assert old(name, tmp_path).threshold == threshold

    @pytest.mark.parametrize("name", ["published", "version_1", "version_2"])
    def test_the_direction_is_that_of_the_file(self, tmp_path, name):
        """Not that of a new detector."""
        assert old(name, tmp_path).direction == "cosine_as_risk" != detector().direction

    @pytest.mark.parametrize("name", ["published", "version_1", "version_2"])
    def test_an_old_file_saved_anew_is_the_same_detector(self, path, tmp_path, name):
        over = old(name, tmp_path)
        over.save(path)

        assert load(path).get_config() == over.get_config()

    @pytest.mark.parametrize("name", ["version_1", "version_2", "version_3"])
    def test_a_file_over_signals_that_gave_other_values_is_refused(self, name):
        with pytest.raises(ConfigError, match=r"version 1 of s2_nli.*calibrate again"):
            load(GOLDEN / f"{name}.json")

    def test_the_published_file_is_loaded_before_its_models_are_there(self):
        """They are looked for at the first score."""
        over = CGSDetector.load(GOLDEN / "published.json")

        assert (over.threshold, over.is_calibrated) == (0.42, True)


class TestTargets:
    """refuse_target: before work is put into it."""

    def test_a_new_file_may_be_written(self, path, tmp_path):
        refuse_target(path, tmp_path / "data.csv", force=False)

        assert names(tmp_path) == []

    def test_a_file_that_is_there_is_replaced_only_by_force(self, path, tmp_path):
        path.touch()

        with pytest.raises(InvalidInputError, match=r"is there already: .*--force"):
            refuse_target(path, tmp_path / "data.csv", force=False)
        refuse_target(path, tmp_path / "data.csv", force=True)

    def test_the_source_is_never_replaced(self, path):
        path.touch()
        link = path.with_name("link.json")
        link.symlink_to(path)

        for target in (path, link, path.parent / "." / path.name):
            with pytest.raises(InvalidInputError, match="would overwrite the file it is made from"):
                refuse_target(target, path, force=True)

    def test_a_folder_is_never_replaced(self, path, tmp_path):
        path.mkdir()

        with pytest.raises(InvalidInputError, match="it is a folder"):
            refuse_target(path, tmp_path / "data.csv", force=True)

    def test_a_folder_that_is_not_there_is_not_made(self, tmp_path):
        with pytest.raises(InvalidInputError, match="no such folder"):
            refuse_target(tmp_path / "none" / "x.json", tmp_path / "data.csv", force=True)


def test_what_is_no_regular_file_is_not_replaced(tmp_path):
    """A device or a pipe would be gone."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    with pytest.raises(ConfigError, match="no regular file"):
        write_stored(pipe, {})
    with pytest.raises(InvalidInputError, match="no regular file"):
        refuse_target(pipe, tmp_path / "source", force=True)
    assert pipe.is_fifo()


def test_a_target_that_is_a_loop_of_links_is_refused(tmp_path):
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")

    with pytest.raises(ConfigError, match="can't write"):
        write_stored(tmp_path / "a", {})
    with pytest.raises(InvalidInputError, match="can't write"):
        refuse_target(tmp_path / "a", tmp_path / "source", force=True)
