# Everything starts from Python >= 3.11 and pip; see README.md.
.PHONY: play cluster chaos test check verify bench format generate screenshots bootstrap tools
BIN = .venv/bin
# Compiled modules make every start of a server faster, also where the environment turns them off.
unexport PYTHONDONTWRITEBYTECODE

play:
	@.ci/bootstrap play
	@$(BIN)/hanpan play $(ARGS)

# Several processes around a Redis, with players: make cluster N=2 PORT=8000.
cluster: bootstrap
	@N=$(or $(N),2) PORT=$(or $(PORT),8000) $(BIN)/python -m tests.server.cluster.play

# Faults under play: make chaos SECONDS=300 EVERY=5 TABLES=100 SPECTATORS=50.
chaos: bootstrap
	@SECONDS=$(or $(SECONDS),300) EVERY=$(or $(EVERY),5) TABLES=$(or $(TABLES),100) \
		SPECTATORS=$(or $(SPECTATORS),50) $(BIN)/python -m tests.server.cluster.chaos

bootstrap:
	@.ci/bootstrap

tools: bootstrap
	@.ci/setup
	@$(BIN)/python -c "from tests.support.node import modules; modules()"

# What kills and stops real processes has the two cores to itself; what times a server has the machine.
KILLED = tests/server/cluster tests/server/test_crash.py tests/server/test_drain.py
TIMED = tests/server/test_hostile.py tests/server/test_soak.py
PARALLEL = -n 2 --dist loadfile

test: tools
	$(BIN)/pytest -q $(PARALLEL) $(patsubst %,--ignore=%,$(KILLED) $(TIMED)) $(ARGS)
	$(BIN)/pytest -q $(PARALLEL) $(KILLED) $(ARGS)
	$(BIN)/pytest -q $(TIMED) $(ARGS)

check: bootstrap
	$(BIN)/ruff check .
	$(BIN)/ruff format --check --quiet .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/python -m protocol.spec.generate --check
	$(BIN)/python clients/python/generate.py --check
	$(BIN)/python clients/js/generate.py --check
	$(BIN)/python -m engines.kit.golden

verify: tools
	$(BIN)/python -m tests.verify $(ARGS)

# Needs a quiet machine; writes loadtests/RESULTS.md. ARGS=closed makes one section anew.
bench: bootstrap
	$(BIN)/python -m loadtests.all --write $(ARGS)

generate: bootstrap
	$(BIN)/python -m protocol.spec.generate
	$(BIN)/python clients/python/generate.py
	$(BIN)/python clients/js/generate.py

format: bootstrap
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
