#if os(Linux)
    import Foundation
    import GridTestSupport
    import Testing

    /// The compiler arguments of `make build`. Scripts replace setup and compiler.
    @Suite struct MakefileTests {
        /// A folder with the Makefile, a setup that installs archives, and a compiler that records its arguments.
        private func buildFolder(installing archives: [String] = ["re2"]) throws -> TemporaryFolder {
            let folder = try TemporaryFolder()
            let files = FileManager.default
            for name in [".make", "bin", "lib", "Sources"] {
                try files.createDirectory(atPath: folder.path(of: name), withIntermediateDirectories: true)
            }
            try files.copyItem(atPath: ProgramUnderTest.file("Makefile"), toPath: folder.path(of: "Makefile"))
            _ = try folder.file("Package.swift", "")
            let scripts = [
                ".make/version": "cat commit 2>/dev/null || :",
                ".make/setup": archives.map { "touch lib/lib\($0).a" }.joined(separator: "\n"),
                "bin/swift": "echo \"$@\" >>arguments; mkdir -p .build/release; touch .build/release/gridview",
            ]
            for (name, script) in scripts {
                // Another process copies the script. A program cannot run while a forked process still has it open for writing.
                let path = try folder.file("script", "#!/bin/sh\n\(script)\n")
                let copied = try ProcessRunner(executable: "install").run(["-m", "755", path, folder.path(of: name)])
                #expect(copied.status == .code(0), "\(copied.errorText)")
            }
            return folder
        }

        @Test func `E: the first build, like the second, links the static library that its setup has installed`() throws {
            let folder = try buildFolder()
            var make = ProcessRunner(executable: "make")
            make.directory = folder.path
            make.environment["PATH"] = "\(folder.path(of: "bin")):\(make.environment["PATH"]!)"
            func build() throws {
                let outcome = try make.run(["build", "ARCHIVE_FOLDERS=\(folder.path(of: "lib"))"])
                #expect(outcome.status == .code(0), "\(outcome.errorText)")
            }
            try build()
            let link = folder.path(of: ".build/archives/libre2.a")
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == folder.path(of: "lib/libre2.a"))
            try FileManager.default.removeItem(atPath: folder.path(of: ".build/release/gridview"))
            try build()
            let calls = try String(contentsOfFile: folder.path(of: "arguments"), encoding: .utf8).split(separator: "\n")
            // Each build compiles the helper, then the program.
            #expect(calls.count == 4 && calls[0] == calls[2] && calls[1] == calls[3])
            #expect(calls[0].hasSuffix("--product gridview-engine") && calls[1].hasSuffix("--product gridview"), "\(calls)")
            #expect(calls[0].contains("-Xlinker -L") && calls[0].contains("/.build/archives"), "\(calls[0])")
            #expect(!calls[0].contains("-lstdc++"))
            // An unchanged project is not built again.
            try build()
            #expect(try String(contentsOfFile: folder.path(of: "arguments"), encoding: .utf8).split(separator: "\n").count == 4)
        }

        @Test func `E: a build after a new commit links the program again, with the same arguments`() throws {
            let folder = try buildFolder()
            var make = ProcessRunner(executable: "make")
            make.directory = folder.path
            make.environment["PATH"] = "\(folder.path(of: "bin")):\(make.environment["PATH"]!)"
            var counts: [Int] = []
            for commit in ["a1b2c3d", "a1b2c3d", "b2c3d4e", ""] {
                _ = try folder.file("commit", commit)
                let outcome = try make.run(["build", "ARCHIVE_FOLDERS=\(folder.path(of: "lib"))"])
                #expect(outcome.status == .code(0), "\(outcome.errorText)")
                let source = try String(contentsOfFile: folder.path(of: ".build/commit.c"), encoding: .utf8)
                #expect(source.contains("return \"\(commit)\";"), "\(source)")
                let calls = try String(contentsOfFile: folder.path(of: "arguments"), encoding: .utf8).split(separator: "\n")
                #expect(Set(calls).count == 2 && calls[0].contains("-Xlinker \(folder.path(of: ".build/commit.o"))"), "\(calls)")
                counts.append(calls.count)
            }
            #expect(counts == [2, 2, 4, 6])
        }

        @Test(
            arguments: [
                (["re2", "stdc++", "gcc_eh", "ncursesw", "tinfo"], ["gcc_s", "ncursesw", "re2", "stdc++", "tinfo"]),
                (["re2", "stdc++", "ncursesw"], ["re2"]),
                (["stdc++", "gcc_eh", "tinfo"], []),
            ])
        func `D2: static archives replace slow shared libraries, unless another library needs the shared one`(
            _ installed: [String], _ linked: [String]
        ) throws {
            let folder = try buildFolder(installing: installed)
            var make = ProcessRunner(executable: "make")
            make.directory = folder.path
            make.environment["PATH"] = "\(folder.path(of: "bin")):\(make.environment["PATH"]!)"
            let outcome = try make.run(["build", "ARCHIVE_FOLDERS=\(folder.path(of: "lib"))"])
            #expect(outcome.status == .code(0), "\(outcome.errorText)")
            let links = try FileManager.default.contentsOfDirectory(atPath: folder.path(of: ".build/archives")).sorted()
            #expect(links == linked.map { "lib\($0).a" })
            let call = try String(contentsOfFile: folder.path(of: "arguments"), encoding: .utf8)
            #expect(call.contains("-L") == !linked.isEmpty && call.contains("-Xlinker -lstdc++") == linked.contains("stdc++"), "\(call)")
        }
    }
#endif
