#!/usr/bin/env bash
# Makes the bundled NLI model and its preset: training/run.sh DATA ENCODER STATE [OPTION...]
#   DATA     folder of the .jsonl.gz files that training/mix.toml names
#   ENCODER  folder of the all-MiniLM-L6-v2 weights
#   STATE    folder outside the repository, for checkpoints; a stopped run goes on from it
#   OPTION   of training.train, for all three epochs, such as --licensed-only
# On a CUDA device if there is one, else in two processes of one thread each.
set -euo pipefail
if [ $# -lt 3 ]; then sed -n '2,7s/^# \?//p' "$0" >&2; exit 2; fi
refuse() { echo "training/run.sh: $1" >&2; exit 2; }
[ -d "$1" ] || refuse "DATA is '$1', must be a folder that is there"
[ -d "$2" ] || refuse "ENCODER is '$2', must be a folder that is there"
mkdir -p -- "$3" 2>/dev/null || refuse "STATE is '$3', must be a folder that is there or can be made"
data=$(realpath -- "$1") encoder=$(realpath -- "$2") state=$(realpath -- "$3")
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export OMP_NUM_THREADS=1 TOKENIZERS_PARALLELISM=false
python=${PYTHON:-python}
common=(--data "$data" --encoder "$encoder" --bf16 "${@:4}")
if "$python" -c 'import sys, torch; sys.exit(not torch.cuda.is_available())'; then
    trainer=(-m training.train --device cuda --threads 4)
else
    trainer=(-m torch.distributed.run --standalone --nproc-per-node 2 -m training.train)
fi
# Three epochs, each over rows that are drawn and made anew.
"$python" "${trainer[@]}" "${common[@]}" --state "$state/first"
"$python" "${trainer[@]}" "${common[@]}" --state "$state/second" \
    --weights "$state/first/model.safetensors" --seed 20261201
"$python" "${trainer[@]}" "${common[@]}" --state "$state/third" \
    --weights "$state/second/model.safetensors" --seed 20261202
"$python" -m training.export --data "$data" --encoder "$encoder" --state "$state/third"
"$python" -m training.preset --data "$data"
