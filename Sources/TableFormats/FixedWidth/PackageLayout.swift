/// The output of `apt list`: `zlib1g/noble,now 1:1.3 amd64 [installed]`. A line of another form is text in the last column.
struct PackageLayout: LineLayout {
    /// 1 if the first line is a message such as `Listing...` instead of a package; otherwise 0.
    let headerLines: Int

    var titles: [String] { ["package", "suite", "version", "architecture", "state"] }
    var hasColumnNames: Bool { false }
    var details: [(name: String, value: String)] { [("format", "list of packages"), ("header", "none")] }

    /// Detects the layout. Returns `nil` unless nearly all lines, and the first line except `Listing...`, have this form.
    init?(_ lines: [ArraySlice<UInt8>]) {
        guard let first = lines.first else { return nil }
        headerLines = Self.isListingMessage(first) ? 1 : 0
        let found = lines.dropFirst(headerLines).prefix(1_000).filter { !$0.isEmpty }.map { line in
            line.withUnsafeBufferPointer { line in Parts(line).map { Self.isArchitecture(line[$0.architecture]) } ?? false }
        }
        guard found.count + headerLines > 1, found.first == true, found.count(where: { $0 }) * 20 >= found.count * 19 else { return nil }
    }

    func divide(_ line: UnsafeBufferPointer<UInt8>, into fields: inout LineFields) {
        guard let parts = Parts(line) else {
            for _ in 0..<4 { fields.append(line[..<0]) }
            return fields.append(line[...])
        }
        for part in [parts.name, parts.suites, parts.version, parts.architecture, parts.state] { fields.append(line[part]) }
    }

    /// True for `Listing...` and `Listing... Done`, also in other languages.
    private static func isListingMessage(_ line: ArraySlice<UInt8>) -> Bool {
        let word = line.prefix { $0 != 32 }
        let hasDots = word.suffix(3).elementsEqual("...".utf8) || word.suffix(3).elementsEqual("…".utf8)
        return hasDots && !line.contains(UInt8(ascii: "/")) && line.count < 60
    }

    private static let architectures = [
        "all", "amd64", "arm64", "armel", "armhf", "i386", "loong64", "mips64el", "mipsel", "ppc64el", "riscv64", "s390x",
    ]

    private static func isArchitecture(_ word: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        architectures.contains { word.elementsEqual($0.utf8) }
    }

    /// The places of the fields in a line.
    private struct Parts {
        var name: Range<Int>
        var suites: Range<Int>
        var version: Range<Int>
        var architecture: Range<Int>
        /// The text in brackets at the end; empty without brackets.
        var state: Range<Int>

        init?(_ line: UnsafeBufferPointer<UInt8>) {
            func end(from start: Int) -> Int { line[start...].firstIndex(of: 32) ?? line.count }
            guard let slash = line.firstIndex(of: UInt8(ascii: "/")), slash > 0, !line[..<slash].contains(32) else { return nil }
            let suitesEnd = end(from: slash + 1)
            guard suitesEnd > slash + 1, suitesEnd < line.count, 48...57 ~= line[min(suitesEnd + 1, line.count - 1)] else { return nil }
            let versionEnd = end(from: suitesEnd + 1)
            guard versionEnd < line.count else { return nil }
            let architectureEnd = end(from: versionEnd + 1)
            guard architectureEnd > versionEnd + 1 else { return nil }
            (name, suites) = (0..<slash, slash + 1..<suitesEnd)
            (version, architecture) = (suitesEnd + 1..<versionEnd, versionEnd + 1..<architectureEnd)
            state = line.count..<line.count
            guard architectureEnd < line.count else { return }
            let open = architectureEnd + 1
            guard open + 1 < line.count, line[open] == UInt8(ascii: "["), line[line.count - 1] == UInt8(ascii: "]") else { return nil }
            state = open + 1..<line.count - 1
        }
    }
}
