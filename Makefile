# `make help` lists the targets. `.make/setup` installs missing packages, or lists them.

PREFIX  ?= /usr/local
DESTDIR ?=
FILE    ?= Examples/data/trades.csv
ARGS    ?=
SWIFT_FLAGS ?=

SWIFT_BUILD = swift build -c release --static-swift-stdlib $(SWIFT_FLAGS) $(LINKER_FLAGS)
ifeq ($(shell uname -s),Linux)
# On Linux, the linker keeps unused code and all symbols by default.
LINKER_FLAGS = -Xlinker --gc-sections -Xlinker -s -Xlinker --no-export-dynamic
# With packed relocations, which take 10 kB instead of 1.3 MB, the program starts faster. They need LLVM's linker, which is part of Swift,
# and version 2.36 or later of the GNU C library.
swift_folder := $(dir $(realpath $(shell command -v swiftc)))
packs_relocations := $(and $(wildcard $(swift_folder)ld.lld),$(shell [ "$$(getconf GNU_LIBC_VERSION | cut -d. -f2)" -ge 36 ] 2>/dev/null && echo yes))
ifeq ($(packs_relocations),yes)
LINKER_FLAGS += -Xswiftc -use-ld=lld -Xlinker -z -Xlinker pack-relative-relocs
endif
# With archives, the program loads only the C library at run time, so it needs no other packages.
# A library and a library that it loads are linked as archives together or not at all.
ifndef ARCHIVE_FOLDERS
compiler_folder := $(patsubst %/,%,$(dir $(shell c++ -print-file-name=libstdc++.a 2>/dev/null)))
ARCHIVE_FOLDERS := $(compiler_folder) /usr/lib/$(shell uname -m)-linux-gnu /usr/lib64 /usr/lib
endif
archives = $(foreach name,$(1),$(firstword $(wildcard $(addsuffix /lib$(name).a,$(ARCHIVE_FOLDERS)))))
together = $(if $(filter $(words $(1)),$(words $(call archives,$(1)))),$(call archives,$(1)))
ARCHIVES := $(or $(call together,re2 stdc++ gcc_eh),$(call together,re2)) $(call together,ncursesw tinfo)
ifneq ($(strip $(ARCHIVES)),)
LINKER_FLAGS += -Xlinker -L$(CURDIR)/.build/archives
endif
# The linker reads each archive once, so libstdc++ must follow the archives that use it.
LINKER_FLAGS += $(if $(filter %/libstdc++.a,$(ARCHIVES)),-Xlinker -lstdc++)
endif

# The commit is in a separate object file, so that after a new commit the program is only linked again.
LINKER_FLAGS += -Xlinker $(CURDIR)/.build/commit.o

BINARY  = .build/release/gridview
# The program starts this helper for each connection to a database.
HELPER  = .build/release/gridview-engine
# The list includes folders, because removing a file changes only its folder.
SOURCES = Package.swift Makefile $(shell find Sources)

bin   = $(DESTDIR)$(PREFIX)/bin
libexec = $(DESTDIR)$(PREFIX)/libexec
share = $(DESTDIR)$(PREFIX)/share

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-15s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

.DEFAULT_GOAL = help

##  Use the program

.PHONY: run
run: ## build and open a sample; FILE=data.csv opens another, ARGS='…' passes options
	@[ -t 1 ] || { echo 'make run shows a table on a terminal, but standard output is not a terminal.' >&2; exit 1; }
	@$(MAKE) --no-print-directory build
	@$(BINARY) $(ARGS) "$(FILE)"

.PHONY: build
build: $(BINARY) ## build the release binary, .build/release/gridview
	@: # quiet when there is nothing to do

# A second make links the program, because it finds the archives that the setup may have installed.
$(BINARY): $(SOURCES) .build/commit.c
	@.make/setup build
	@$(MAKE) --no-print-directory link

# The file is written only if the commit has changed. It stays unchanged if git refuses to read the repository of another user.
.build/commit.c: always
	@mkdir -p .build
	@commit=$$(.make/version --commit) || [ ! -e $@ ] || exit 0; \
	    text="const char *gridview_commit(void) { return \"$$commit\"; }"; \
	    [ "$$text" = "$$(cat $@ 2>/dev/null)" ] || echo "$$text" >$@

.PHONY: always

.PHONY: link
link:
	@mkdir -p .build/archives && rm -f .build/archives/*
	@# The compiler looks for libgcc_eh under the name of the shared library, libgcc_s.
	@for archive in $(ARCHIVES); do \
	    name=$${archive##*/}; [ $$name != libgcc_eh.a ] || name=libgcc_s.a; \
	    ln -s "$$archive" ".build/archives/$$name"; \
	done
	cc -c -o .build/commit.o .build/commit.c
	@# SwiftPM does not track the object file, so the programs are removed to link them again.
	@rm -f $(BINARY) $(HELPER)
	$(SWIFT_BUILD) --product gridview-engine
	$(SWIFT_BUILD) --product gridview
	@touch $(BINARY)

.PHONY: install
install: $(BINARY) ## install program, man page and completions; PREFIX=/usr/local DESTDIR=
	umask 022 && mkdir -p "$(bin)" "$(libexec)" "$(share)/man/man1" "$(share)/bash-completion/completions" \
	    "$(share)/zsh/site-functions" "$(share)/fish/vendor_completions.d"
	install -m 755 $(BINARY) "$(bin)/gridview"
	install -m 755 $(HELPER) "$(libexec)/gridview-engine"
	umask 022 && $(BINARY) --man >"$(share)/man/man1/gridview.1"
	umask 022 && $(BINARY) --completions bash >"$(share)/bash-completion/completions/gridview"
	umask 022 && $(BINARY) --completions zsh >"$(share)/zsh/site-functions/_gridview"
	umask 022 && $(BINARY) --completions fish >"$(share)/fish/vendor_completions.d/gridview.fish"

.PHONY: uninstall
uninstall: ## remove the installed files
	rm -f "$(bin)/gridview" "$(libexec)/gridview-engine" "$(share)/man/man1/gridview.1" "$(share)/bash-completion/completions/gridview" \
	    "$(share)/zsh/site-functions/_gridview" "$(share)/fish/vendor_completions.d/gridview.fish"

##  Package the program

.PHONY: deb
deb: packaging build ## build a Debian package in .build/packages
	@.make/deb

.PHONY: tarball
tarball: build ## build a tarball for any Linux with the GNU C library in .build/packages
	@.make/tarball

.PHONY: formula
formula: ## build the source archive and the Homebrew formula in .build/packages; URL=https://…
	@.make/formula "$(URL)"

.PHONY: packaging
packaging:
	@.make/setup package

.PHONY: check-deb
check-deb: ## install the packages in a clean Debian system and run the program; needs root and debootstrap
	@.make/check-deb

.PHONY: check-libraries
check-libraries: build ## run the program without each library that it loads; needs Linux, and root or user namespaces
	@.make/check-libraries

##  Develop

.PHONY: setup
setup: ## install what building and testing need
	@.make/setup build test

.PHONY: test
test: setup ## run every test; ARGS='--filter Name' runs some
	@.make/test $(ARGS)

.PHONY: check
# ProgramTests run the release binary.
check: export GRIDVIEW = $(CURDIR)/$(BINARY)
check: lint prose imports build test roundtrip examples benchmarks docs ## run every check of the CI

.PHONY: sanitize
sanitize: setup ## test engine, formats and helper under sanitizers; ARGS=thread or ARGS=address runs one
	@.make/sanitize $(ARGS)

.PHONY: fuzz
fuzz: setup ## run the parsers on random input; SECONDS=60 for each target, TARGET=parquet runs one
	@.make/fuzz --seconds $(or $(SECONDS),60) $(TARGET)

.PHONY: roundtrip
roundtrip: build ## compare CSV output with Python's csv module; ARGS=--quick omits large files
	@.make/roundtrip $(ARGS)

.PHONY: lint
lint: ## check formatting, workflows of the hosted CI, the version in the changelog, and that state changes in one place
	@.make/check-workflows
	@.make/check-state
	@.make/version --check
	swift format lint --strict --recursive --parallel Package.swift Sources Tests Examples Benchmarks

.PHONY: prose
prose: ## check the English of documents, comments and messages; ARGS=Sources/DataGrid checks a part
	@.make/prose $(ARGS)

.PHONY: format
format: ## format the sources
	swift format --in-place --recursive --parallel Package.swift Sources Tests Examples Benchmarks

.PHONY: imports
# These are the flags of the tests, so that nothing is built twice.
imports: export GRIDVIEW_OPTIMIZE = 1
imports: setup ## check that each target imports only what it declares
	swift build --build-tests --explicit-target-dependency-import-check error

.PHONY: examples
examples: ## build and run the example programs
	@.make/examples

.PHONY: benchmarks
benchmarks: setup ## check that the benchmarks compile
	swift build --package-path Benchmarks --scratch-path .build/Benchmarks

.PHONY: docs
docs: ## check the documents, and build the library's documentation into .build/docs
	@.make/check-docs
	@.make/check-seeds
	@.make/docs

.PHONY: bench
bench: setup build ## measure the speed; ARGS='--rows 10000000', '--file data.csv', --extreme or --cancel
	@.make/bench $(ARGS)

.PHONY: bench-kernels
bench-kernels: setup ## measure single functions; ARGS='--filter sort'
	swift package --package-path Benchmarks --scratch-path .build/Benchmarks --disable-sandbox benchmark --no-progress $(ARGS)

.PHONY: pictures
pictures: build ## draw the pictures of the README and of docs/examples.md
	@.make/pictures

.PHONY: data
data: ## generate the sample data
	@python3 Examples/data/generate.py

.PHONY: clean
clean: ## remove all build products
	rm -rf .build
