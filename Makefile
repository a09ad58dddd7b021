# A thin front to CMake: the presets and options are in CMakePresets.json and CMakeLists.txt.
#
#     make            build the library and the executable (build/release/scree)
#     make demo       run the silo; leaves a picture, a plot, ParaView files and a web page in out/silo
#     make pictures   the pictures of README.md and docs/ again, from shipped scenes; about three minutes
#     make test       all checks, as CI runs them
#     make test-physics   bulk physics against the literature (scenes/physics/bulk); up to an hour, results in out/physics
#     make bench      benchmarks, with other engines side by side; under ten minutes, results in out/bench
#     make bench-full every experiment of docs/results.md; an hour or two
#     make format     format the sources
#     make install    into PREFIX (default /usr/local), below DESTDIR
#     make clean      remove the build tree

PREFIX  ?= /usr/local
DESTDIR ?=
BUILD   := build/release
SCREE   := $(BUILD)/scree
SILO    := out/silo
JOBS    := $(shell nproc)

.PHONY: all demo pictures test test-physics bench bench-full format install clean deps
.NOTPARALLEL:

all: deps
	@cmake --preset release >/dev/null
	cmake --build --preset release -j $(JOBS) --target scree scree_shared scree_static

deps:
	@tools/dependencies build

demo: all
	$(SCREE) run scenes/silo.yaml -o $(SILO) --force
	$(SCREE) render $(SILO) -o $(SILO)/silo.png
	$(SCREE) plot $(SILO) discharge.count -o $(SILO)/flow.png --title "Mass discharged from the silo [kg] over time [s]"
	@$(SCREE) export $(SILO) --web || true # a build without node has no page, and says so
	@echo
	@echo "The grains, coloured by speed:   $(SILO)/silo.png"
	@echo "Mass discharged over time:       $(SILO)/flow.png"
	@echo "All frames, for ParaView:        $(SILO)/frames/silo.pvd"
	@echo "The run in a browser:            $(SILO)/silo.html"
	@echo "What the run did, in figures:    $(SCREE) info $(SILO)"

pictures: all
	tools/pictures $(SCREE)

test:
	@tools/dependencies test
	@tools/test

test-physics: all
	@mkdir -p out/physics
	tests/physics_scenes/check --threads $(JOBS) --keep out/physics --report out/physics/report.md $(SCREE) scenes/physics/bulk/*.yaml

bench:
	@tools/dependencies bench
	@bench/run

bench-full:
	@tools/dependencies bench
	@bench/run --full

format:
	tools/format

install: all
	DESTDIR="$(DESTDIR)" cmake --install $(BUILD) --prefix "$(abspath $(PREFIX))"

clean:
	rm -rf build
