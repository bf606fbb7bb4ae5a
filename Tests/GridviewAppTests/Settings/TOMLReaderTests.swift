import GridTestSupport
import Foundation
import Testing

@testable import GridviewApp

/// The reader of settings files.
@Suite struct TOMLReaderTests {
    private func read(_ text: String) throws -> TOMLTable { try TOMLReader.read(Array(text.utf8)).root }

    /// The error of a string, as `line: reason`.
    private func error(_ bytes: [UInt8]) -> String? {
        do throws(TOMLError) {
            _ = try TOMLReader.read(bytes)
            return nil
        } catch {
            return "\(error.line): \(error.reason)"
        }
    }

    @Test func `D20: values of every supported kind are read`() throws {
        let table = try read(
            """
            # A comment.
            text = "a\\t\\"é\\u00e9\\U0001F600\\\\" # after a value
            literal = 'C:\\x'
            integers = [1, -17, 1_000, 0xff, 0o17, 0b101,]
            floats = [1.5, -2e3, inf, 6.02_2E+1]
            flags = [
              true, # one
              false
            ]
            "quoted key" = 1
            a.b.'c d' = 2
            inline = { x = 1, y.z = [ ] }

            [ table . sub ]
            key = ""
            """)
        #expect(table["text"]?.value == .string("a\t\"éé😀\\") && table["literal"]?.value == .string("C:\\x"))
        #expect(table["integers"]?.value == .array([1, -17, 1000, 255, 15, 5].map { .integer($0) }))
        #expect(table["floats"]?.value == .array([1.5, -2000, .infinity, 60.22].map { .float($0) }))
        #expect(table["flags"]?.value == .array([.boolean(true), .boolean(false)]) && table["quoted key"]?.value == .integer(1))
        #expect(table["flags"]?.line == 6 && table["quoted key"]?.line == 10)
        func inner(_ path: String...) -> TOMLTable.Entry? {
            var (entry, table) = (TOMLTable.Entry?.none, table)
            for key in path {
                entry = table[key]
                if case .table(let next)? = entry?.value { table = next }
            }
            return entry
        }
        #expect(inner("a", "b", "c d")?.value == .integer(2) && inner("inline", "y", "z")?.value == .array([]))
        #expect(inner("table", "sub", "key")?.value == .string("") && inner("table", "sub", "key")?.line == 15)
        #expect(try read("\u{FEFF}a = 1\r\nb = 2\r\n").orderedEntries.map(\.key) == ["a", "b"])
    }

    @Test(
        arguments: [
            ("\"\"\"x\"\"\"", "x"), ("\"\"\"\n a\r\n\\tb\n\"\"\"", " a\n\tb\n"), ("\"\"\"a \\\n\n   b\"\"\"", "a b"),
            ("\"\"\"\"a\"\" b\"\"\"\"\"", "\"a\"\" b\"\""), ("\"\"\"\"\"\"", ""), ("'''\nC:\\x\n'y''''", "C:\\x\n'y'"), ("''''''", ""),
        ])
    func `D20: strings of several lines are read`(_ text: String, _ value: String) throws {
        let table = try read("a = \(text) # comment\nb = 1")
        #expect(table["a"]?.value == .string(value) && table["b"]?.value == .integer(1))
    }

    @Test(
        arguments: [
            ("a = 1\nb = dark", "2: “dark” is not a value; put text in quotes"), ("a = 1\na = 2", "2: “a” is set twice"),
            ("a = \"x\ny\"", "1: a string has no closing quote"), ("[a]\n[a]", "2: the table “a” is defined twice"),
            ("a 1", "1: “=” is missing after “a”"), ("\n\n= 1", "3: a key is missing"), ("a = ", "1: a value is missing"),
            ("a = 1 b = 2", "1: the line has unexpected text after the value"),
            ("a = [1 2]", "1: a comma or closing bracket is missing in a list"),
            ("a = \"\\q\"", "1: unknown escape sequence; write \\\\ for a backslash, or use single quotes"),
            ("a = \"\\ud800\"", "1: a \\u sequence is not a character"), ("a = \"\u{7}\"", "1: a string has a control character"),
            ("# \u{7F}", "1: a comment has a control character"),
            ("a = {b = 1", "1: a comma or closing brace is missing in a table in braces"),
            ("a = {}\na.b = 1", "2: the table “a” is already complete"), ("a = 1\n[a]", "2: “a” is not a table"),
            ("a = 2024-01-02", "1: dates and times are not supported"), ("a = 10:20:30", "1: dates and times are not supported"),
            ("\na = \"\"\"x\n\n\"\"", "2: a string has no closing quotes"),
            ("a = '''\nx''' y", "2: the line has unexpected text after the value"),
            ("a = \"\"\"\n\\q\"\"\"", "2: unknown escape sequence; write \\\\ for a backslash, or use single quotes"),
            ("a = \"\"\"\nb\nc\"\"\"\nd = e", "4: “e” is not a value; put text in quotes"),
            ("[[a]]", "1: arrays of tables ([[…]]) are not supported"),
            ("a = 99999999999999999999", "1: the number has more than 64 bits"),
        ])
    func `D20: an error names the line in which it occurs`(_ text: String, _ message: String) {
        #expect(error(Array(text.utf8)) == message)
    }

    @Test func `D20: hostile text is an error, never a crash`() {
        #expect(error([0x61, 0x0A, 0xFF]) == "2: the text is not UTF-8")
        let deep = 300_000
        for text in ["a = " + String(repeating: "[", count: deep), "a = " + String(repeating: "{b=", count: deep)] {
            #expect(error(Array(text.utf8)) == "1: values are nested more than 16 times")
        }
        let dots = String(repeating: "a.", count: deep) + "a"
        for text in [dots + " = 1", "[\(dots)]"] { #expect(error(Array(text.utf8)) == "1: a key has more than 16 parts") }
        // Many keys in one table, and many tables, must not take quadratic time.
        let many = (0..<50_000).map { "k\($0) = 1\n" }.joined()
        #expect(error(Array(many.utf8)) == nil && error(Array(("[a.b]\n" + many + "[a]\n" + many).utf8)) == nil)
        #expect(error(Array((0..<50_000).map { "[t\($0)]\n" }.joined().utf8)) == nil)
    }

    // MARK: Edits

    @Test(
        arguments: [
            ("# Mine.\n theme=\"dark\"  # night\nmouse = true\n[keys]\nsort = \"x\"\n", " theme=\"dark\"", " theme=\"light\""),
            ("# theme = \"dark\"\nmouse = true\n", "# theme = \"dark\"\n", "# theme = \"dark\"\ntheme = \"light\"\n"),
            ("mouse = true # a\n\n# Keys.\n[keys]\n", "# a\n", "# a\ntheme = \"light\"\n"),
            ("# Keys.\n  [keys]\npreset = \"vim\"", "# Keys.\n", "theme = \"light\"\n# Keys.\n"),
            ("mouse = true", "mouse = true", "mouse = true\ntheme = \"light\"\n"), ("", "", "theme = \"light\"\n"),
            ("mouse = true\r\n[keys]\r\n", "true\r\n", "true\r\ntheme = \"light\"\r\n"),
            // The commented line is inside of a list.
            ("options = [\n# theme = \"x\"\n]\nhints = false\n", "hints = false\n", "hints = false\ntheme = \"light\"\n"),
        ])
    func `D20: editing a setting changes one line and keeps all others`(_ text: String, _ old: String, _ new: String) throws {
        let document = try TOMLReader.read(Array(text.utf8))
        let changed = try #require(document.changedBytes(setting: "theme", to: .string("light"), writtenAs: "\"light\""))
        let expected = old.isEmpty ? new : text.replacing(old, with: new, maxReplacements: 1)
        #expect(String(decoding: changed, as: UTF8.self) == expected)
        #expect(try TOMLReader.read(changed).root["theme"]?.value == .string("light"))
    }

    @Test func `D20: a key that names a TOML table cannot be edited`() throws {
        let document = try TOMLReader.read(Array("[theme]\na = 1\n".utf8))
        #expect(document.changedBytes(setting: "theme", to: .boolean(true), writtenAs: "true") == nil)
    }

    @Test func `D20: text that is written as a TOML string is read back unchanged`() throws {
        for text in ["", "plain", "a \"quoted\" \\ word", "tab\tline\nend\r\u{1B}\u{7F}", "é😀"] {
            #expect(try read("a = \(text.tomlText)")["a"]?.value == .string(text))
        }
    }

    // MARK: Comparison with Python

    private static let hasTomllib: Bool = {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", "-c", "import tomllib"]
        process.standardError = Pipe()
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()

    @Test(.enabled(if: hasTomllib, "no tomllib")) func `D20: the reader agrees with Python on random text, which is often damaged`() throws
    {
        var random = SplitMix64(seed: 17)
        let texts = (0..<20_000).map { _ in Self.randomText(&random) }
        let folder = try TemporaryFolder()
        let data = try folder.file("texts", texts.map(Self.hex).joined(separator: "\n") + "\n")
        let script = try folder.file("check.py", Self.script)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", script, data]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let printed = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let expected = printed.split(separator: "\n", omittingEmptySubsequences: false)
        try #require(expected.count == texts.count + 1)
        var counts = (valid: 0, invalid: 0)
        for (text, expected) in zip(texts, expected) {
            let found: String
            do throws(TOMLError) {
                found = Self.form(.table(try TOMLReader.read(text).root))
                counts.valid += 1
            } catch {
                if error.isUnsupported { continue }
                found = "invalid"
                counts.invalid += 1
            }
            #expect(found == expected, "\(String(decoding: text, as: UTF8.self))")
        }
        #expect(counts.valid > 2_000 && counts.invalid > 2_000)
    }

    private static let keys = ["a", "b", "\"a\"", "'b'", "a.b", "a.b.c", "\"é\"", "\"\"", "1", "-", "_x", "true", "a . b", "\"a\\u0062\""]
    private static let values = [
        "1", "-0", "+7", "0x1F", "0o17", "0b101", "1_000", "1.5", "1e5", "-1.5E-3", "inf", "-nan", "true", "\"x\"", "\"\\n\\\"\\\\ é\"",
        "'lit'", "[]", "[1,2,]", "[1,\n # c\n 2]", "{}", "{a=1}", "{a.b=1,a.c=2}", "[[1],[2]]", "{x={y=[1]}}", "\"\\uD800\"", "01",
        "1__0", "1.", ".5", "0x", "\"a", "\"\"\"x\"\"\"", "\"\"\"\nx \\\n  \"y\"\\n\"\"\"\"", "'''\n\\'x\n'''", "1979-05-27", "07:32:00",
        "[{a=1}]", "{a=1,}", "", "tru", "+inf", "1e999",
    ]
    private static let damagingBytes = Array("\"'=[]{}.,#\n\r\t \\ab01_-+e\u{0}\u{7F}\u{1B}".utf8) + [0xFF]

    private static func randomText(_ random: inout SplitMix64) -> [UInt8] {
        let lines = (0..<Int.random(in: 0...7, using: &random)).map { _ in
            switch Int.random(in: 0..<20, using: &random) {
            case 0...3: "[\(keys.randomElement(using: &random)!)]"
            case 4: "# comment"
            default: "\(keys.randomElement(using: &random)!) = \(values.randomElement(using: &random)!)"
            }
        }
        var bytes = Array(lines.joined(separator: Bool.random(using: &random) ? "\n" : "\r\n").utf8)
        guard Bool.random(using: &random) else { return bytes }
        for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
            let place = bytes.indices.randomElement(using: &random)!
            switch Int.random(in: 0..<3, using: &random) {
            case 0: bytes[place] = damagingBytes.randomElement(using: &random)!
            case 1: bytes.remove(at: place)
            default: bytes.insert(damagingBytes.randomElement(using: &random)!, at: place)
            }
        }
        return bytes
    }

    private static func hex(_ bytes: [UInt8]) -> String { bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }

    /// A value as text, like in ``script``.
    private static func form(_ value: TOMLValue) -> String {
        switch value {
        case .string(let text): "s" + hex(Array(text.utf8))
        case .integer(let number): "i\(number)"
        case .float(let number): number.isNaN ? "fnan" : "f" + String(number.bitPattern, radix: 16)
        case .boolean(let flag): flag ? "true" : "false"
        case .array(let values): "[" + values.map(form).joined(separator: ",") + "]"
        case .table(let table):
            "{" + table.entries.map { "\(hex(Array($0.key.utf8))):\(form($0.value.value))" }.sorted().joined(separator: ",") + "}"
        }
    }

    private static let script = #"""
        import struct, sys, tomllib
        def form(v):
            if isinstance(v, bool): return "true" if v else "false"
            if isinstance(v, str): return "s" + v.encode().hex()
            if isinstance(v, int): return f"i{v}"
            if isinstance(v, float): return "fnan" if v != v else "f%x" % struct.unpack(">Q", struct.pack(">d", v))[0]
            if isinstance(v, list): return "[" + ",".join(map(form, v)) + "]"
            if isinstance(v, dict): return "{" + ",".join(sorted(f"{k.encode().hex()}:{form(x)}" for k, x in v.items())) + "}"
            return "?"
        for line in open(sys.argv[1]):
            try: print(form(tomllib.loads(bytes.fromhex(line.strip()).decode())))
            except (tomllib.TOMLDecodeError, UnicodeDecodeError): print("invalid")
        """#
}
