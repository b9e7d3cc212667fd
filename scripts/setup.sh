# Makes .venv and installs this checkout into it. Sourced by the scripts beside it, which then use
# $root and $venv_python.
#
#   PYTHON            the interpreter .venv is made with (default: python3, else the newest that
#                     is there); delete .venv to change it
#   CGS_TORCH_INDEX   a further package index for torch. On x86-64 Linux the default torch holds the
#                     CUDA libraries (several GB); https://download.pytorch.org/whl/cpu has small ones
#   CGS_FREE_GB       the free disk space asked for before the first install (default 6)

root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd -P)
venv=$root/.venv
venv_python=$venv/bin/python

# A foreign module path would be seen by .venv too, and hide or replace what is installed there.
unset PYTHONHOME PYTHONPATH

stop() {
  printf '%s: %s\n' "$(basename -- "$0")" "$1" >&2
  exit 1
}

stop_disk_full() {
  stop "the disk is full: free some space (the first install needs about 6 GB) and run this again"
}

is_new_enough() {
  "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1
}

has_venv() {
  "$1" -c 'import ensurepip, venv' >/dev/null 2>&1
}

# Sets $python: $PYTHON, or else the first one that is new enough and can make environments.
find_python() {
  local candidate version new_enough=
  if [[ -n ${PYTHON:-} ]]; then
    version=$("$PYTHON" --version 2>&1) || version="it does not run"
    is_new_enough "$PYTHON" ||
      stop "Python 3.11 or newer is needed, and PYTHON=$PYTHON is not ($version): set PYTHON to a newer one"
    has_venv "$PYTHON" || stop_no_venv "$PYTHON"
    python=$PYTHON
    return
  fi
  for candidate in python3 python3.14 python3.13 python3.12 python3.11; do
    # A name may be on PATH and still not run: version managers leave such stubs.
    if is_new_enough "$candidate"; then
      new_enough=$candidate
      if has_venv "$candidate"; then
        python=$candidate
        return
      fi
    fi
  done
  [[ -z $new_enough ]] || stop_no_venv "$new_enough"
  stop "Python 3.11 or newer is needed and none was found: install it (https://www.python.org/downloads/), or name one, as in PYTHON=/path/to/python3.12 $0"
}

stop_no_venv() {
  stop "$1 has no venv module: install it (Debian, Ubuntu: apt install python3-venv) and run this again"
}

make_venv() {
  # $PYTHON is looked at even when .venv exists: what is said explicitly is never passed over.
  if [[ -n ${PYTHON:-} ]]; then find_python; fi
  if [[ -e $venv_python || -L $venv_python ]]; then
    is_new_enough "$venv_python" ||
      stop "the Python of $venv is older than 3.11, or gone: delete that folder and run this again"
    return
  fi
  find_python
  echo "Making .venv with $("$python" --version)"
  local output
  output=$("$python" -m venv "$venv" 2>&1) || {
    if is_disk_full "$output"; then stop_disk_full; fi
    printf '%s\n' "$output" >&2
    stop "could not make $venv: see above"
  }
}

is_disk_full() {
  [[ $1 == *"No space left on device"* || $1 == *"Disk quota exceeded"* ]]
}

# need_space GB PYTHON
need_space() {
  local free
  free=$("$2" -c 'import shutil, sys; print(shutil.disk_usage(sys.argv[1]).free >> 30)' "$root")
  ((free >= $1)) ||
    stop "about $1 GB of free disk space are needed and $root has $free GB: free some (or set CGS_FREE_GB lower)"
}

# What an install depends on: when none of it changed, there is nothing to do. The path is part of
# it, since an editable install points to it.
fingerprint() {
  "$venv_python" - "$root" <<'PYTHON'
import hashlib
import pathlib
import sys

root = pathlib.Path(sys.argv[1])
parts = [str(root).encode()]
parts += [(root / name).read_bytes() for name in ("pyproject.toml", "constraints.txt")]
print(hashlib.sha256(b"\0".join(parts)).hexdigest())
PYTHON
}

# install_checkout [EXTRA]: makes .venv hold this checkout, and the extra's packages.
install_checkout() {
  local extra=${1:-} wanted stamp=$venv/.cgs-installed
  make_venv
  wanted=$(fingerprint)
  # "HASH dev" also does for the base install.
  if [[ -f $stamp && $(<"$stamp") == "$wanted${extra:+ $extra}"* ]]; then return; fi
  rm -f -- "$stamp"
  "$venv_python" -m pip --version >/dev/null 2>&1 || "$venv_python" -m ensurepip --default-pip >/dev/null
  compgen -G "$venv/lib/python*/site-packages/torch" >/dev/null || need_space "${CGS_FREE_GB:-6}" "$venv_python"
  echo "Installing cgs_rag${extra:+ and its $extra tools} into .venv (the first time takes some minutes)"
  pip_install ".${extra:+[$extra]}"
  printf '%s\n' "$wanted${extra:+ $extra}" >"$stamp"
}

# pip_install WHAT: a short line for each large download; pip's errors whole; a full disk in one line.
pip_install() {
  local -a status
  local options=(--disable-pip-version-check --no-input --progress-bar off --constraint constraints.txt)
  if [[ -n ${CGS_TORCH_INDEX:-} ]]; then options+=(--extra-index-url "$CGS_TORCH_INDEX"); fi
  set +e
  (cd -- "$root" && "$venv_python" -m pip install "${options[@]}" --editable "$1" 2>&1) | awk '
    /No space left on device|Disk quota exceeded/ { full = 1 }
    /^ *(ERROR|error):/ { failed = 1 }
    failed && !full { print; next }
    /^ *Downloading .*[MG]B\)/ {
      sub(/.*Downloading ([^ ]*\/)?/, "  "); sub(/-[^- ]*-[^- ]*-[^- ]*\.whl/, ""); print; fflush()
    }
    /^Installing collected packages/ { print "  unpacking"; fflush() }
    END { exit full ? 28 : 0 }
  '
  status=("${PIPESTATUS[@]}")
  set -e
  if ((status[1] == 28)); then stop_disk_full; fi
  ((status[0] == 0)) || stop "pip could not install cgs_rag: see above; run this again to go on from here"
}
