# Everything starts from Python >= 3.11 and pip; see README.md.
.PHONY: play test check verify format generate screenshots bootstrap tools
BIN = .venv/bin
# Compiled modules make every start of a server faster, also where the environment turns them off.
unexport PYTHONDONTWRITEBYTECODE

play:
	@.ci/bootstrap play
	@$(BIN)/hanpan play $(ARGS)

bootstrap:
	@.ci/bootstrap

tools: bootstrap
	@.ci/setup
	@$(BIN)/python -c "from tests.support.node import modules; modules()"

test: tools
	$(BIN)/pytest -q -n 2 --dist loadgroup $(ARGS)

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

generate: bootstrap
	$(BIN)/python -m protocol.spec.generate
	$(BIN)/python clients/python/generate.py
	$(BIN)/python clients/js/generate.py

format: bootstrap
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
