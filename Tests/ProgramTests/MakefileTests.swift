#if os(Linux)
    import Foundation
    import GridTestSupport
    import Testing

    /// What `make build` asks the compiler for; setup and compiler are stand-ins.
    @Suite struct MakefileTests {
        /// A folder with the Makefile, a setup that installs RE2's archive, and a compiler that notes its arguments.
        private func workplace() throws -> TemporaryFolder {
            let folder = try TemporaryFolder()
            let files = FileManager.default
            for name in [".make", "bin", "lib", "Sources"] {
                try files.createDirectory(atPath: folder.place(name), withIntermediateDirectories: true)
            }
            try files.copyItem(atPath: ProgramUnderTest.file("Makefile"), toPath: folder.place("Makefile"))
            _ = try folder.file("Package.swift", "")
            let scripts = [
                ".make/setup": "touch lib/libre2.a",
                "bin/swift": "echo \"$@\" >>arguments; mkdir -p .build/release; touch .build/release/gridview",
            ]
            for (name, script) in scripts {
                let path = try folder.file(name, "#!/bin/sh\n\(script)\n")
                try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
            }
            return folder
        }

        @Test("E: the first build links the archive that its setup installs, as the second does")
        func firstBuild() throws {
            let folder = try workplace()
            var make = ProcessRunner(executable: "make")
            make.directory = folder.path
            make.environment["PATH"] = "\(folder.place("bin")):\(make.environment["PATH"]!)"
            func build() throws {
                let outcome = try make.run(["build", "ARCHIVE_FOLDERS=\(folder.place("lib"))"])
                #expect(outcome.status == .code(0), "\(outcome.errorText)")
            }
            try build()
            let link = folder.place(".build/archives/libre2.a")
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == folder.place("lib/libre2.a"))
            try FileManager.default.removeItem(atPath: folder.place(".build/release/gridview"))
            try build()
            let calls = try String(contentsOfFile: folder.place("arguments"), encoding: .utf8).split(separator: "\n")
            #expect(calls.count == 2 && calls[0] == calls[1])
            #expect(calls[0].contains("-Xlinker -L") && calls[0].contains("/.build/archives"), "\(calls[0])")
            // Nothing is built where nothing has changed.
            try build()
            #expect(try String(contentsOfFile: folder.place("arguments"), encoding: .utf8).split(separator: "\n").count == 2)
        }
    }
#endif
