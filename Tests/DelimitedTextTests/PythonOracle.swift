import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Python's csv module, called once for many cases.
enum PythonOracle {
    struct Case {
        var bytes: [UInt8]
        var delimiter: UInt8
        var quote: UInt8?
    }

    struct Missing: Error, CustomStringConvertible {
        var description: String
    }

    /// Latin-1 maps bytes to characters one to one, so bytes are preserved.
    private static let script = """
        import csv, io, sys
        csv.field_size_limit(1 << 30)
        for line in open(sys.argv[1]):
            delimiter, quote, data = line.rstrip("\\n").split(" ")
            text = bytes.fromhex(data).decode("latin-1")
            if data.startswith("efbbbf"): text = text[3:]
            options = dict(delimiter=chr(int(delimiter)), strict=False, doublequote=True)
            if quote == "-1": options.update(quoting=csv.QUOTE_NONE, quotechar=None)
            else: options.update(quotechar=chr(int(quote)))
            # Like the lines of a file opened with newline="".
            rows = csv.reader(io.StringIO(text, newline=""), **options)
            print("|".join(",".join(field.encode("latin-1").hex() or "-" for field in row) or "=" for row in rows))
        """

    /// The records of each case, each a list of fields.
    static func records(_ cases: [Case]) throws -> [[[[UInt8]]]] {
        var input = ""
        for item in cases {
            input += "\(item.delimiter) \(item.quote.map { Int($0) } ?? -1) \(hex(item.bytes))\n"
        }
        let data = TestFile(input, suffix: ".txt")
        let program = TestFile(script, suffix: ".py")
        guard let pipe = popen("python3 '\(program.path)' '\(data.path)'", "r") else {
            throw Missing(description: "Cannot start python3, which this test compares with. Install python3.")
        }
        var output: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = fread(&block, 1, block.count, pipe)
            if count == 0 { break }
            output += block[..<count]
        }
        guard pclose(pipe) == 0 else {
            throw Missing(description: "python3 failed or is missing. This test compares with its csv module. Install python3.")
        }
        let lines = output.split(separator: 0x0a, omittingEmptySubsequences: false)
        return cases.indices.map { parse(lines[$0]) }
    }

    private static func parse(_ line: ArraySlice<UInt8>) -> [[[UInt8]]] {
        if line.isEmpty { return [] }
        return line.split(separator: UInt8(ascii: "|"), omittingEmptySubsequences: false).map { record in
            if record.first == UInt8(ascii: "=") { return [] }
            return record.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map { field in
                field.first == UInt8(ascii: "-") ? [] : bytes(field)
            }
        }
    }

    private static let digits = Array("0123456789abcdef".utf8)

    static func hex(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count * 2)
        for byte in bytes {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func bytes(_ hex: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        var high: UInt8?
        for digit in hex {
            let value = digit >= 0x61 ? digit - 0x61 + 10 : digit - 0x30
            if let first = high {
                result.append(first << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        return result
    }
}
