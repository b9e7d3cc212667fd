"""The house: metadata, constraints, the wheel, and the scripts that set it up."""

from __future__ import annotations

import importlib.metadata
import importlib.resources
import os
import re
import shutil
import socket
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import cgs_rag

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PACKAGE = ROOT / "cgs_framework" / "cgs_rag"
SCRIPTS = [ROOT / "scripts" / name for name in ("quickstart", "test", "test-all", "check")]
RUN = [*SCRIPTS, ROOT / ".ci" / "run"]
NEW_PYTHON = """\
#!/bin/sh
# A Python that is new enough, has {venv}, sees {free} GB free, and whose pip fails.
case "$*" in
  --version) echo Python 3.12.0 ;;
  *version_info*) exit 0 ;;
  *ensurepip,*) exit {venv} ;;
  "-m venv "*) mkdir -p "$3/bin" && cp "$0" "$3/bin/python" ;;
  *disk_usage*) echo {free} ;;
  "- "*) echo fingerprint ;;
  "-m pip install"*) echo "{pip}"; exit 1 ;;
esac
"""


def constraints() -> dict[str, Requirement]:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = [Requirement(line) for line in lines if line and not line.startswith("#")]
    return {canonicalize_name(pin.name): pin for pin in pins}


def declared() -> list[Requirement]:
    groups = [PROJECT["dependencies"], *PROJECT["optional-dependencies"].values()]
    found = [Requirement(line) for group in groups for line in group]
    return [requirement for requirement in found if requirement.name != PROJECT["name"]]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """The scripts and what they read, in a folder with a space in its name."""
    folder = tmp_path / "a checkout"
    shutil.copytree(ROOT / "scripts", folder / "scripts")
    for name in ("pyproject.toml", "constraints.txt"):
        shutil.copy(ROOT / name, folder)
    return folder


def fake_python(folder: Path, source: str) -> Path:
    python = folder / "fake python"
    python.write_text(source, encoding="utf-8")
    python.chmod(0o755)
    return python


def run_script(script: Path, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("CGS_")}
    return subprocess.run(
        [script],
        cwd=cwd,
        env=kept | environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


@pytest.mark.parametrize("requirement", declared(), ids=str)
def test_constraints_pin_every_dependency_within_its_range(requirement: Requirement) -> None:
    pin = constraints()[canonicalize_name(requirement.name)]

    (version,) = pin.specifier
    assert version.operator == "=="
    assert requirement.specifier.contains(version.version)


def test_constraints_hold_public_versions_only() -> None:
    pinned = re.compile(r"[A-Za-z0-9._-]+==[A-Za-z0-9.]+")

    assert [str(pin) for pin in constraints().values() if not pinned.fullmatch(str(pin))] == []


def test_the_version_is_said_once() -> None:
    assert cgs_rag.__version__ == PROJECT["version"]
    assert importlib.metadata.version(PROJECT["name"]) == PROJECT["version"]


def test_the_changelog_has_the_version() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")

    assert f"## [{PROJECT['version']}]" in changelog


def test_the_package_says_that_it_is_typed() -> None:
    assert importlib.resources.files("cgs_rag").joinpath("py.typed").is_file()


def test_the_wheel_holds_every_file_of_the_package(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", tmp_path],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    (wheel,) = tmp_path.glob("*.whl")

    held = set(zipfile.ZipFile(wheel).namelist())

    files = {
        path.relative_to(PACKAGE.parent).as_posix()
        for path in PACKAGE.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert files - held == set()


@pytest.mark.parametrize("script", RUN, ids=lambda path: path.name)
def test_a_script_can_be_run(script: Path) -> None:
    assert os.access(script, os.X_OK)


@pytest.mark.parametrize("script", [*RUN, ROOT / "scripts" / "setup.sh"], ids=lambda p: p.name)
def test_a_script_is_valid_bash(script: Path) -> None:
    subprocess.run(["bash", "-n", script], check=True)


@pytest.mark.parametrize("name", [script.name for script in SCRIPTS])
def test_an_old_python_is_told_in_one_line(name: str, checkout: Path, tmp_path: Path) -> None:
    old = fake_python(tmp_path, '#!/bin/sh\n[ "$1" = --version ] || exit 1\necho Python 3.9.1\n')

    done = run_script(checkout / "scripts" / name, tmp_path, PYTHON=str(old))

    assert done.returncode == 1
    (line,) = (done.stdout + done.stderr).splitlines()
    assert "Python 3.11 or newer is needed" in line
    assert "Python 3.9.1" in line


def test_an_explicit_python_is_looked_at_although_the_environment_exists(
    checkout: Path, tmp_path: Path
) -> None:
    (checkout / ".venv" / "bin").mkdir(parents=True)
    (checkout / ".venv" / "bin" / "python").symlink_to(sys.executable)

    done = run_script(checkout / "scripts" / "test", tmp_path, PYTHON=str(tmp_path / "none"))

    (line,) = (done.stdout + done.stderr).splitlines()
    assert "it does not run" in line


def test_a_path_without_any_python_is_told_in_one_line(checkout: Path, tmp_path: Path) -> None:
    tools = tmp_path / "bin"
    tools.mkdir()
    for name in ("bash", "dirname", "basename"):
        (tools / name).symlink_to(str(shutil.which(name)))

    done = run_script(checkout / "scripts" / "test", tmp_path, PATH=str(tools), PYTHON="")

    (line,) = (done.stdout + done.stderr).splitlines()
    assert "none was found" in line


def test_a_missing_venv_module_is_told_in_one_line(checkout: Path, tmp_path: Path) -> None:
    python = fake_python(tmp_path, NEW_PYTHON.format(venv=1, free=50, pip=""))

    done = run_script(checkout / "scripts" / "test", tmp_path, PYTHON=str(python))

    assert done.returncode == 1
    (line,) = (done.stdout + done.stderr).splitlines()
    assert "python3-venv" in line


def test_too_little_disk_space_is_told_in_one_line(checkout: Path, tmp_path: Path) -> None:
    python = fake_python(tmp_path, NEW_PYTHON.format(venv=0, free=2, pip=""))

    done = run_script(checkout / "scripts" / "test", tmp_path, PYTHON=str(python))

    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert "6 GB of free disk space are needed" in line


def test_a_disk_that_fills_up_is_told_in_one_line(checkout: Path, tmp_path: Path) -> None:
    full = "ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device"
    python = fake_python(tmp_path, NEW_PYTHON.format(venv=0, free=50, pip=full))

    done = run_script(checkout / "scripts" / "test", tmp_path, PYTHON=str(python))

    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert "the disk is full" in line
    assert "Errno" not in done.stdout


def test_another_error_of_pip_is_shown(checkout: Path, tmp_path: Path) -> None:
    python = fake_python(tmp_path, NEW_PYTHON.format(venv=0, free=50, pip="ERROR: no such thing"))

    done = run_script(checkout / "scripts" / "test", tmp_path, PYTHON=str(python))

    assert done.returncode == 1
    assert "ERROR: no such thing" in done.stdout
    assert "pip could not install cgs_rag" in done.stderr


def test_the_tests_use_no_network() -> None:
    with socket.socket() as connecting, pytest.raises(pytest.fail.Exception, match="no network"):
        connecting.connect(("192.0.2.1", 80))
