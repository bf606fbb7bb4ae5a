import GridTestSupport
import DataGrid
import DataGridQuery
import Foundation
import GridviewApp
import Testing

/// Compares `--stats` of random files with Python's `csv` and `statistics`: D9.
@MainActor
@Suite struct StatisticsOracleTests {
    @Test(arguments: [(1, 1), (6, 4), (40, 2), (3_000, 3)] as [(Int, UInt64)])
    func `D9: statistics equal those of Python`(count: Int, seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        func pick(_ values: [String]) -> String { values[Int(random.next() % UInt64(values.count))] }
        var content = "whole,number,name,tail\n"
        for _ in 0..<count {
            let whole = random.next() % 9 == 0 ? "" : "\(Int64(bitPattern: random.next()) >> Int64(random.next() % 50))"
            let number = random.next() % 7 == 0 ? "n/a" : "\(Double(Int64(bitPattern: random.next()) >> 34) / 64)"
            let name = pick(["a", "\"b, c\"", "\"line\nbreak\"", "\"say \"\"hi\"\"\"", "", "é", "name \(random.next() % 50)"])
            content += "\(whole),\(number),\(name)" + (random.next() % 5 == 0 ? "\n" : ",\(random.next() % 10)\n")
        }
        let types = [("whole", "integer"), ("number", "decimal"), ("name", "text"), ("tail", "integer")]
        let bytes = try BatchOutput.bytes(Array(content.utf8), .jsonl, statistics: true) { options in
            options.files.dialect.hasHeader = true
            options.types = types.map {
                (ColumnReference($0.0), ColumnType($0.1 == "text" ? .text : $0.1 == "integer" ? .integer : .decimal))
            }
        }
        let folder = try TemporaryFolder()
        let data = try folder.file("data.csv", content)
        let found = try folder.file("found.jsonl", bytes: bytes)
        let program = try folder.file("check.py", Self.script)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", program, data, found]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let printed = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(printed == "done\n", "\(printed.prefix(3000))")
    }

    static let script = #"""
        import collections, csv, json, math, statistics, sys
        rows = list(csv.reader(open(sys.argv[1], newline="", encoding="utf-8")))
        head, rows = rows[0], rows[1:]
        found = {line["column"]: line for line in map(json.loads, open(sys.argv[2], encoding="utf-8"))}
        def check(column, name, expected):
            actual = found[column][name]
            same = actual == expected
            if not same and isinstance(actual, (int, float)) and isinstance(expected, (int, float)):
                same = math.isclose(actual, expected, rel_tol=1e-9, abs_tol=1e-6)
            if not same: print(column, name, actual, expected)
        for index, column in enumerate(head):
            present = [row[index] for row in rows if index < len(row)]
            filled = [text for text in present if text.strip(" \t")]
            check(column, "rows", len(rows))
            check(column, "missing", len(rows) - len(present))
            check(column, "empty", len(present) - len(filled))
            check(column, "distinct", len(set(filled)))
            counts = collections.Counter(filled)
            # If every value occurs once, there is no most frequent one.
            highest = max(counts.values(), default=0)
            check(column, "most_frequent_count", highest if highest > 1 else None)
            if (counts[found[column]["most_frequent"]] != highest) if highest > 1 else found[column]["most_frequent"] is not None:
                print(column, "most_frequent")
            if column == "name":
                check(column, "shortest", min(map(len, filled)) if filled else None)
                check(column, "longest", max(map(len, filled)) if filled else None)
                continue
            values = []
            for text in filled:
                try: values.append(int(text) if column != "number" else float(text))
                except ValueError: pass
            check(column, "values", len(values))
            check(column, "invalid", len(filled) - len(values))
            if not values: continue
            if column == "whole" and (found[column]["min"], found[column]["max"]) != (min(values), max(values)): print(column, "min, max")
            check(column, "min", min(values))
            check(column, "max", max(values))
            check(column, "sum", math.fsum(values) if column == "number" else sum(values))
            check(column, "mean", statistics.fmean(values))
            if len(values) < 2: continue
            check(column, "stddev", statistics.stdev(values))
            quantiles = statistics.quantiles(values, n=20, method="inclusive")
            for name, part in (("p5", 0), ("p25", 4), ("median", 9), ("p75", 14), ("p95", 18)):
                check(column, name, quantiles[part])
        print("done")
        """#
}
