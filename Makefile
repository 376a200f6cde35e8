# make run     set up a private environment and index this repository, or REPO, with questions to try
# make test    set up and run all tests
# make test-fast  the tests to run after every edit: SQLite only, few examples, no processes, browser, site or slow tests
# make coverage  the same, and what of the code they run; slower
# make native  build the extension module, or say why it cannot be built; make run and make test try it once by themselves.
#              Where mypy is installed, it also compiles the modules that resolve references, which then take half the time
# make native-sanitize  build it with address and undefined-behaviour sanitizers, into build/sanitize
# make fuzz-native  feed that one with damaged sources of this repository and of REPO for SECONDS; other inputs with every SEED
# make check   format, lint, types, imports between rooms
# make cases   write the expectations in tests/cases and the sessions in tests/terminal anew
# make docs    make the documentation's site in build/site; make docs-serve shows it, and every edit of it
# make docs-reference  write anew what of docs/reference is made from commands and types
# make docs-pictures   draw the pictures of the terminal and of pairings in docs/pictures anew
# make screenshots     take the pictures of web pages in docs/pictures/pages anew; needs a browser
# make browser  find the browser in which pages are tested, or install one; make test does so by itself
# make bench   measure the speed of extraction against bare parsing
# make bench-page  write docs/explanation/figures.md from benchmarks/figures.toml
# make replay  replay the last COMMITS of the repository REPO through the index, and check it after each
# make scan-releases  scan between the releases of REPO from the tag FROM to the tag TO, and compare with the diff
# make soak    make COUNT trees, or clone PROJECT as often, edit them for at most SECONDS, and judge every answer
# make stores  random edits, kills, scenarios and replays on SQLite and PostgreSQL, EXAMPLES of each; rows must be the same
# make chaos   200 kills and every kind of damage: no issued id, note or subscription is lost
# make hostile  every trap on every command and server: nothing of a repository is run, and nothing outside is read or written
# make lock    resolve the dependencies anew

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready
TOOLS := $(VENV)/tools
NATIVE := $(VENV)/native
UV := $(shell command -v uv 2>/dev/null)
# Tests start many processes, which read modules twice as fast when Python may keep what it compiled.
CLEAN_ENV := env -u PYTHONPATH -u VIRTUAL_ENV -u PYTHONDONTWRITEBYTECODE
# Tests of a module stay in one process as far as possible, so that its fixtures are made once.
PYTEST := $(CLEAN_ENV) $(BIN)/python -m pytest -n 2 --dist worksteal
MKDOCS := NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs

.PHONY: run test test-fast compiled coverage native native-sanitize fuzz-native check cases docs docs-serve docs-reference docs-pictures screenshots browser bench bench-page replay scan-releases soak stores chaos hostile lock clean

REPO ?= .
SECONDS ?= 180
run: $(NATIVE) compiled
	@$(BIN)/birthmark --version
	@echo
	@echo '$$ birthmark index'
	@$(BIN)/birthmark index '$(REPO)' --suggest
	@echo
	@echo 'The command is $(abspath $(BIN))/birthmark. To call it as birthmark from anywhere:'
	@echo '  mkdir -p ~/.local/bin && ln -sf $(abspath $(BIN))/birthmark ~/.local/bin/'
	@echo 'Other ways, and how to remove it: docs/how-to/install-and-remove.md'

test: $(NATIVE) $(TOOLS) browser compiled
	@$(PYTEST)

test-fast: $(NATIVE) $(TOOLS) compiled
	@BIRTHMARK_EXAMPLES=5 $(PYTEST) --fast

# Every start reads all modules it needs, which takes twice as long where Python may not keep what it compiled.
compiled: $(READY)
	@$(BIN)/python -m compileall -q src

coverage: $(NATIVE) $(TOOLS) browser
	@$(PYTEST) --cov --cov-report=term

native: $(READY)
	@$(BIN)/python native/build.py --required
	@$(BIN)/python native/graph/compile.py

native-sanitize: $(READY)
	@$(BIN)/python native/build.py --required --sanitize

SEED ?= 0
fuzz-native: native-sanitize
	@$(CLEAN_ENV) $(BIN)/python tests/fuzzing_native.py --seconds $(SECONDS) --seed $(SEED) $(if $(filter-out .,$(REPO)),'$(REPO)')

check: $(TOOLS)
	@$(BIN)/ruff format --check
	@$(BIN)/ruff check
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-cache

cases: $(TOOLS)
	@BIRTHMARK_WRITE_CASES=1 $(BIN)/python -m pytest tests/test_cases.py tests/test_terminal.py
	@git diff --stat tests/cases tests/terminal

docs: $(TOOLS)
	@$(MKDOCS) build --quiet
	@echo 'build/site/index.html'

docs-serve: $(TOOLS)
	@$(MKDOCS) serve

docs-reference: $(TOOLS)
	@$(BIN)/python tests/reference_pages.py docs/reference/cli.md docs/reference/wire.md docs/reference/subscriptions.md
	@$(BIN)/python tests/method_writer.py && $(BIN)/ruff format -q src/birthmark/api/methods.py

docs-pictures: $(TOOLS)
	@$(BIN)/python tests/terminal_pictures.py
	@$(BIN)/python tests/pairing_pictures.py

screenshots: $(NATIVE) $(TOOLS) browser
	@PYTHONPATH=tests $(BIN)/python -m browser.screenshots

browser: $(TOOLS)
	@PYTHONPATH=tests $(BIN)/python -m browser.find_browser

bench: $(NATIVE) $(TOOLS)
	@$(BIN)/python benchmarks/extract.py

bench-page: $(READY)
	@$(BIN)/python benchmarks/figures_page.py

COMMITS ?= 200
replay: $(NATIVE) $(TOOLS)
	@$(BIN)/python tests/replaying.py $(REPO) $(COMMITS)

SUBSCRIPTIONS ?= 200
scan-releases: $(NATIVE) $(TOOLS)
	@$(BIN)/python tests/scanning_releases.py $(REPO) $(FROM) $(TO) $(SUBSCRIPTIONS)

COUNT ?= 40
soak: $(NATIVE) $(TOOLS)
	@$(BIN)/python tests/soaking.py $(COUNT) $(SECONDS) $(PROJECT)

EXAMPLES ?= 50
stores: $(NATIVE) $(TOOLS)
	@BIRTHMARK_EXAMPLES=$(EXAMPLES) $(PYTEST) tests/replay/test_edits.py tests/replay/test_kills.py \
		tests/replay/test_own_history.py tests/contract/test_peers_scenarios.py tests/store/test_postgres.py

chaos: $(NATIVE) $(TOOLS)
	@BIRTHMARK_EXAMPLES=200 $(PYTEST) tests/chaos

hostile: $(NATIVE) $(TOOLS)
	@BIRTHMARK_HOSTILE=full $(PYTEST) tests/hostile

lock:
	@$(if $(UV),,$(error make lock needs uv))
	@$(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --no-emit-package birthmark \
		--extra dev pyproject.toml -o requirements-dev.txt
	@$(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --no-emit-package birthmark \
		--extra run -c requirements-dev.txt pyproject.toml -o requirements.txt

clean:
	rm -rf $(VENV) build src/birthmark/_native.abi3.so

define install
	@$(if $(UV),$(UV) pip install --python $(BIN)/python,$(BIN)/python -m pip install --disable-pip-version-check) --quiet --no-deps
endef

$(READY): requirements.txt pyproject.toml
ifdef UV
	@$(UV) venv --quiet --allow-existing --python $(PYTHON) $(VENV)
else
	@$(PYTHON) -c 'import sys; sys.exit("Birthmark needs Python 3.11 or newer; say make PYTHON=python3.x") if sys.version_info < (3, 11) else None'
	@$(PYTHON) -m venv $(VENV)
endif
	$(install) --require-hashes -r requirements.txt
	$(install) --no-build-isolation -e .
	@touch $(READY)

# What only tests and checks need; both lists have the same versions of what is in both.
$(TOOLS): $(READY) requirements-dev.txt
	$(install) --require-hashes -r requirements-dev.txt
	@touch $(TOOLS)

# Tried once for each state of the sources: without a compiler, Birthmark does the same in Python.
$(NATIVE): $(READY) $(wildcard native/*.c native/*.h native/*.py native/*.txt)
	@$(BIN)/python native/build.py
	@$(BIN)/python native/graph/compile.py
	@touch $(NATIVE)
