#!/usr/bin/env bash
# Makes the lock files anew from pyproject.toml. Needs uv. torch stays out: bootstrap.py chooses its build.
# types-pyside6 (wanted by Qt.py) stays out too: its stubs hide those of PySide6, which are right.
set -euo pipefail
cd "$(dirname "$0")/.."
compile() { uv pip compile pyproject.toml --universal --python-version 3.11 --no-header --no-emit-index-url -q --no-emit-package types-pyside6 "$@"; }
compile --no-annotate --generate-hashes --output-file installers/locks/app.txt
compile --extra dev --constraint installers/locks/app.txt --no-annotate --generate-hashes --output-file installers/locks/dev.txt
# What the application needs too stands in app.txt, which is installed before.
awk 'NR == FNR { if (/^[^ ]+==/) known[$1]; next } /^[^ ]+==/ { new = !($1 in known) } new' \
  installers/locks/app.txt installers/locks/dev.txt > dev.new
mv dev.new installers/locks/dev.txt
compile --extra models --constraint installers/locks/app.txt --no-annotate --output-file installers/locks/models.txt
# What torch asks for differs by build (CPU, CUDA); it brings its own.
sed -i -E '/^(torch|triton|nvidia-[a-z0-9-]+|cuda-[a-z0-9-]+)==/d' installers/locks/models.txt
