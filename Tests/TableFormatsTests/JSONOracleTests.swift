import FieldValues
import Foundation
import GridTestSupport
import Tables
import Testing

@testable import TableFormats

/// Random JSON, compared with the values that Python reads from it.
@Suite struct JSONOracleTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Writes a random file, and its expected titles and rows. Arguments: seed, layout, rows, path, expected path.
    private static let script = #"""
        import json, random, sys
        seed, layout, count, path, expected = int(sys.argv[1]), sys.argv[2], int(sys.argv[3]), sys.argv[4], sys.argv[5]
        R = random.Random(seed)
        # Tidy lines have no duplicate and no escaped keys, so the readers for trusted records are used.
        tidy = layout == "tidy"
        lines = layout == "lines" or tidy
        long = "long key with blanks, longer than one block of sixty-four bytes"
        keys = ["id", "näme", "a.b", "", "by", long, "日", "idx"] if tidy else [
            "id", "näme", "a.b", "", "x\"y", "z\\w", "by", "long key with blanks", "日", "t\tab"]

        def blank(multi):
            if R.random() < 0.7: return ""
            return "".join(R.choice([" ", "\t"] + (["\n", "\r\n"] if multi else [])) for _ in range(R.randint(1, 3)))

        def text(s, raw=False):
            if raw: return '"' + s + '"'
            out = ""
            for c in s:
                r = R.random()
                if c in "\"\\" or ord(c) < 32 or r < 0.1 or 0xD800 <= ord(c) < 0xE000:
                    short = {
                        "\"": "\\\"", "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r", "\b": "\\b", "\f": "\\f", "/": "\\/"}
                    if c in short and r < 0.5: out += short[c]
                    elif ord(c) > 0xFFFF:
                        n = ord(c) - 0x10000
                        out += "\\u%04x\\u%04X" % (0xD800 + (n >> 10), 0xDC00 + (n & 0x3FF))
                    else: out += "\\u%04x" % ord(c)
                else: out += c
            return '"' + out + '"'

        def scalar():
            return R.choice([
                lambda: text("".join(R.choice([
                    "a", "B", "7", " ", "é", "日", "😀", "\"", "\\", "/", "\n", "\t", "\x01", ",", "{", "}", "[", "]", ":",
                    "\ud800", '"id":', '{"by":', 'id"'])
                    for _ in range(R.choice([0, 1, 3, 9, 40])))),
                lambda: str(R.randint(-10**6, 10**6)), lambda: str(R.randint(0, 10**40)), lambda: repr(R.uniform(-1e6, 1e6)),
                lambda: "1e400", lambda: "-0.10", lambda: "12.500E-3", lambda: "true",
                lambda: "false", lambda: "null", lambda: "NaN", lambda: "-Infinity"])()

        # A value is a text, a compact text and, for an object, its members.
        def value(depth):
            r = R.random()
            if depth > 5 or r < 0.75:
                s = scalar()
                return s, s, None
            multi = not lines
            if r < 0.83:
                parts = [value(depth + 1) for _ in range(R.randint(0, 3))]
                return ("[" + blank(multi) + ",".join(blank(multi) + p[0] + blank(multi) for p in parts) + "]",
                        "[" + ",".join(p[1] for p in parts) + "]", None)
            if tidy: return obj(R.sample(["desk", "venue", "id"], R.choice([0, 1, 2, 3])), depth)
            inner = ["desk", "venue"] if count > 1000 else ["desk", "venue", "p.q", "k"]
            return obj([R.choice(inner) for _ in range(R.choice([0, 1, 2, 3]))], depth)

        def obj(names, depth):
            multi = not lines
            members = [(n, text(n, tidy), value(depth + 1)) for n in names]
            b = lambda: blank(multi)
            t = "{" + b() + ",".join(b() + k + b() + ":" + b() + v[0] + b() for _, k, v in members) + "}"
            c = "{" + ",".join(k + ":" + v[1] for _, k, v in members) + "}"
            return t, c, [(n, v) for n, _, v in members]

        rows = []
        order = keys[:]
        for i in range(count):
            if R.random() < 0.05: R.shuffle(order)
            names = [k for k in order if R.random() < 0.8]
            if not tidy and R.random() < 0.02 and names: names.append(R.choice(names))
            if lines and i > count * 0.6 and R.random() < 0.1: names.append("late%d" % R.randint(0, 5))
            rows.append(obj(names, 0))

        nl = R.choice(["\n", "\r\n"])
        with open(path, "w", newline="", encoding="utf-8") as f:
            if lines:
                body = nl.join(r[0] for r in rows) + R.choice(["", nl])
            elif layout == "array":
                body = R.choice(["", "\n "]) + "[" + ",".join(blank(True) + r[0] + blank(True) for r in rows) + "]" + R.choice(["", nl])
            elif layout == "object":
                body = '{ "meta": {"n": [1, 2], "q": [[]]}, "da\\u0074a":\n{"rows": [' + ",".join(
                    blank(True) + r[0] for r in rows) + '], "x": [{"no": 1}]}, "end": "}]" }'
            else:
                body = "".join(r[0] + R.choice(["", "\n", " "]) for r in rows) + "\n"
            f.write(R.choice(["", "\ufeff"]) + body)

        # The expected columns: keys in order of appearance, the keys of an object together.
        sample_end = 262144
        class Node:
            def __init__(self, path): self.path, self.children, self.value, self.column = path, {}, False, None
        root = Node([])
        columns = []
        def add(node, members, settled):
            last = dict(members)
            seen = set()
            for n, _ in members:
                if n in seen: continue
                seen.add(n)
            for n, v in members:
                child = node.children.get(n)
                if child is None:
                    child = node.children[n] = Node(node.path + [n])
                if v[2] and len(child.path) < 3:
                    add(child, v[2], settled)
                elif v[1] != "null":
                    child.value = True
        def settle(node):
            for child in node.children.values():
                if child.value or not child.children:
                    child.column = len(columns)
                    columns.append(child)
                settle(child)
        for r in rows: add(root, r[2], False)
        settle(root)
        def fields(node, members, out):
            # The last of two equal keys counts.
            for n, v in dict(members).items():
                child = node.children[n]
                if v[2] and len(child.path) < 3: fields(child, v[2], out)
                elif v[1] == "null": pass
                elif v[0].startswith('"'):
                    s = json.loads(v[0]).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
                    out[child.column] = s
                elif v[0][0] in "[{": out[child.column] = v[0] if lines else v[1]
                else: out[child.column] = v[1]
        def quoted(k): return '"' + k + '"' if "." in k or k == "" else k
        texts = []
        for r in rows:
            # Python reads the record too, except for its own literals of numbers.
            json.loads(r[0])
            texts.append([None] * len(columns))
            fields(root, r[2], texts[-1])
        with open(expected, "w") as f: json.dump({"titles": [".".join(quoted(k) for k in c.path) for c in columns], "rows": texts}, f)
        """#

    private struct Expected: Decodable {
        var titles: [String]
        var rows: [[String?]]
    }

    private func expectedTable(_ path: String) throws -> (titles: [String], rows: [[String?]]) {
        let expected = try JSONDecoder().decode(Expected.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
        return (expected.titles, expected.rows)
    }

    @Test(
        .enabled(if: Python.isAvailable),
        arguments: ["lines", "tidy", "array", "object", "values"], 0..<6)
    func `18.3: random JSON is read as Python reads it`(layout: String, seed: Int) throws {
        let (path, answer) = (folder.path + "/t.json", folder.path + "/expected")
        let count = [1, 2, 40, 300, 300, 300][seed]
        try Python.run(Self.script, "\(seed)", layout, "\(count)", path, answer)
        let (titles, rows) = try expectedTable(answer)
        // A single record in a document is ambiguous.
        if count == 1, layout != "array", layout != "object" { return }
        if layout == "values", count == 2 { return }
        let source = try FileOpener().open(path: path)
        try source.readAll(threads: 2) { _ in true }
        try #require(source is JSONSource)
        #expect(source.details.first?.value == (["lines", "tidy"].contains(layout) ? "JSON Lines" : "JSON"))
        let found = TableFormatsTests.titles(source)
        try #require(found.sorted() == titles.sorted(), "\(found)")
        if layout == "object" { #expect(source.details.contains { $0.value == "elements of data.rows" }, "\(source.details)") }
        // Columns that appear after the sample are at the right.
        let order = titles.map { found.firstIndex(of: $0)! }
        if source.byteCount < 200_000 { #expect(found == titles) }
        var arranged = rows
        for (index, row) in rows.enumerated() { for (column, text) in row.enumerated() { arranged[index][order[column]] = text } }
        let problems = source.problems.filter { problem in
            !["unpaired surrogate", "key twice", "a number equals a string"].contains { problem.contains($0) }
        }
        let beside = [
            "the array “data.x” is left out; --path data.x shows it",
            "the fields “meta” and “end” are left out; --path '' shows the whole document",
        ]
        #expect(problems == (layout == "object" ? beside : []))
        let read = try TableFormatsTests.rows(source)
        for (index, row) in arranged.enumerated() where index < read.count {
            try #require(read[index] == row, "row \(index)")
        }
        var conformance = TableConformance(source: source, rows: arranged, random: SplitMix64(seed: UInt64(seed)))
        try conformance.check(source.snapshot())
    }

    @Test(.enabled(if: Python.isAvailable), arguments: ["lines", "tidy"])
    func `18.3: columns that appear late are read as Python reads them`(layout: String) throws {
        let (path, answer) = (folder.path + "/t.jsonl", folder.path + "/expected")
        try Python.run(Self.script, "77", layout, "9000", path, answer)
        let (titles, rows) = try expectedTable(answer)
        let source = try FileOpener().open(path: path)
        let early = source.columnCount
        let first = source.snapshot()
        #expect(early < titles.count && source.profiles(budgetMilliseconds: 4).count == early)
        try source.readAll(threads: 2) { _ in true }
        #expect(first.columnCount == early, "a snapshot does not change")
        let found = TableFormatsTests.titles(source)
        let order = try titles.map { try #require(found.firstIndex(of: $0)) }
        #expect(source.profiles(ofColumnsFrom: early).count == found.count - early)
        let read = try TableFormatsTests.rows(source)
        try #require(read.count == rows.count)
        // A key that was only null in the sample keeps its column, although it is divided later.
        for column in Set(found.indices).subtracting(order) { #expect(read.allSatisfy { $0[column] == nil }, "\(found[column])") }
        for (index, row) in rows.enumerated() {
            try #require(order.map { read[index][$0] } == row, "row \(index)")
        }
        #expect(try #require(source as? JSONSource).snapshot().checkResult.validity(ofRecord: 0).isTrusted == (layout == "tidy"))
        // A scan of one column returns the same values as a scan of all columns.
        let table = source.snapshot()
        for column in found.indices {
            var texts: [String?] = []
            try table.scanBatches(0..<table.recordCount, columns: [column]) { batch in
                for record in 0..<batch.count {
                    let field = batch[record, 0]
                    texts.append(field.isMissing ? nil : String(decoding: field.bytes, as: UTF8.self))
                }
                return true
            }
            try #require(texts == read.map { $0[column] })
        }
    }
}
