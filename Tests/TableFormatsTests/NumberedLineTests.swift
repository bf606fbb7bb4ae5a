import DelimitedText
import FieldValues
import Foundation
import GridTestSupport
import TableFormats
import Tables
import Testing

/// Lines that begin with numbers or hashes, as `uniq -c`, `wc`, `history` and `git log` print them.
@Suite struct NumberedLineTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    struct NumberedSample: Sendable, CustomTestStringConvertible {
        var name: String
        var text: String
        var titles: [String]
        var rows: [[String]]
        var testDescription: String { name }
    }

    static let numberedSamples = [
        NumberedSample(
            name: "uniq -c",
            text: "      3 the quick brown fox\n     12 jumps over\n      1 \n    107 a, b\n      2     indented text\n",
            titles: ["count", "line"],
            rows: [["3", "the quick brown fox"], ["12", "jumps over"], ["1", ""], ["107", "a, b"], ["2", "    indented text"]]),
        NumberedSample(
            name: "uniq -c with counts that are wider than their column",
            text: "12345678 often\n 123456 seldom\n     17 rare\n      1 once\n      2 twice\n", titles: ["count", "line"],
            rows: [["12345678", "often"], ["123456", "seldom"], ["17", "rare"], ["1", "once"], ["2", "twice"]]),
        NumberedSample(
            name: "uniq -c with large counts", text: " 123456 GET\n  23456 POST\n   1234 PUT\n", titles: ["count", "line"],
            rows: [["123456", "GET"], ["23456", "POST"], ["1234", "PUT"]]),
        NumberedSample(
            name: "cut -d, | uniq -c", text: "      1 a,3,x\n      2 b,4,y\n     13 c,5,z\n", titles: ["count", "line"],
            rows: [["1", "a,3,x"], ["2", "b,4,y"], ["13", "c,5,z"]]),
        NumberedSample(
            name: "uniq -c of BSD", text: "   3 apple pie\n  12 pear\n   1 plum\n   2 fig\n", titles: ["count", "line"],
            rows: [["3", "apple pie"], ["12", "pear"], ["1", "plum"], ["2", "fig"]]),
        NumberedSample(
            name: "wc", text: "   10    25   150 a.txt\n  200  1800 12000 my notes.md\n    0     0     0 empty\n  210  1825 12150 total\n",
            titles: ["lines", "words", "bytes", "file"],
            rows: [
                ["10", "25", "150", "a.txt"], ["200", "1800", "12000", "my notes.md"], ["0", "0", "0", "empty"],
                ["210", "1825", "12150", "total"],
            ]),
        NumberedSample(
            name: "wc -l", text: "   10 a.txt\n  200 b c.txt\n  210 total\n", titles: ["count", "file"],
            rows: [["10", "a.txt"], ["200", "b c.txt"], ["210", "total"]]),
        NumberedSample(
            name: "cat -n", text: "     1\timport os\n     2\t\n     3\tdef f(a, b):\n     4\t\treturn a\n", titles: ["number", "line"],
            rows: [["1", "import os"], ["2", ""], ["3", "def f(a, b):"], ["4", "\treturn a"]]),
        NumberedSample(
            name: "history", text: "  498  ls -la\n  499  cd /tmp\n  500  git log --oneline | head\n 1001  exit\n",
            titles: ["number", "line"],
            rows: [["498", "ls -la"], ["499", "cd /tmp"], ["500", "git log --oneline | head"], ["1001", "exit"]]),
        NumberedSample(
            name: "ps -eo pid=,comm=",
            text: "      1 systemd\n      2 kthreadd\n      3 kworker/R-rcu_gp\n     57 sshd\n 123456 tmux: server\n4194303 ps\n",
            titles: ["number", "line"],
            rows: [
                ["1", "systemd"], ["2", "kthreadd"], ["3", "kworker/R-rcu_gp"], ["57", "sshd"], ["123456", "tmux: server"],
                ["4194303", "ps"],
            ]),
        NumberedSample(
            name: "ps -o pid=,args= with numbers of five digits",
            text: " 2291 -bash\n 3001 vim a.txt\n 3002 sh -c make\n12345 ps -o pid=,args=\n", titles: ["number", "line"],
            rows: [["2291", "-bash"], ["3001", "vim a.txt"], ["3002", "sh -c make"], ["12345", "ps -o pid=,args="]]),
        NumberedSample(
            name: "uniq -c | sort -n", text: "      3 plum\n     12 pear\n     57 fig\n    107 apple\n", titles: ["count", "line"],
            rows: [["3", "plum"], ["12", "pear"], ["57", "fig"], ["107", "apple"]]),
        NumberedSample(name: "uniq -c, one line", text: "     12 GET /x\n", titles: ["count", "line"], rows: [["12", "GET /x"]]),
        NumberedSample(name: "uniq -c of BSD, one line", text: "   3 b\n", titles: ["count", "line"], rows: [["3", "b"]]),
        NumberedSample(
            name: "git log --oneline -1", text: "a1b2c3d fix: a thing\n", titles: ["commit", "subject"],
            rows: [["a1b2c3d", "fix: a thing"]]),
        NumberedSample(
            name: "git log --oneline",
            text: """
                63ac5484 servers: keep a given time limit of walks exact
                29ee71cd engine: send requests, answers with one loop
                9390ba02 (tag: v0.1, origin/main) tables: name a marker
                cf00532e2 csv: count blank lines

                """, titles: ["commit", "subject"],
            rows: [
                ["63ac5484", "servers: keep a given time limit of walks exact"],
                ["29ee71cd", "engine: send requests, answers with one loop"],
                ["9390ba02", "(tag: v0.1, origin/main) tables: name a marker"], ["cf00532e2", "csv: count blank lines"],
            ]),
    ]

    @Test(arguments: numberedSamples)
    func `17.3: leading numbers or commit hashes become columns, and the text after them keeps its indentation`(_ sample: NumberedSample)
        throws
    {
        let source = try folder.readOutput(sample.text)
        #expect(titles(source) == sample.titles && !source.hasColumnNames, "\(source.details)")
        #expect(try rowTexts(source) == sample.rows)
        #expect(source.suggestions == [] && source.problems == [])
        let windows = try folder.readOutput(sample.text.replacing("\n", with: "\r\n"))
        #expect(try rowTexts(windows) == sample.rows)
    }

    @Test func `17.3: output of commands is also detected in a pipe`() throws {
        for sample in Self.numberedSamples {
            let pipe = Pipe()
            try pipe.fileHandleForWriting.write(contentsOf: Data(sample.text.utf8))
            try pipe.fileHandleForWriting.close()
            let source = try FileOpener().open(descriptor: dup(pipe.fileHandleForReading.fileDescriptor), name: "standard input")
            try source.readAll(threads: 1) { _ in true }
            #expect(titles(source) == sample.titles, "\(sample.name)")
            #expect(try rowTexts(source) == sample.rows, "\(sample.name)")
        }
    }

    @Test func `17.3: numbered lines beyond the sample are read in the same way, and other lines become text`() throws {
        func padded(_ number: Int, _ width: Int) -> String {
            let digits = "\(number)"
            return String(repeating: " ", count: max(0, width - digits.count)) + digits
        }
        let counts = (0..<20_000).map { ($0 * 7919 % 400 + 1, "line \($0)\(String(repeating: ", x", count: $0 % 4))") }
        let uniq = try folder.readOutput(counts.map { padded($0.0, 7) + " " + $0.1 + "\n" }.joined() + "no count\n  12: x\n1234567 seven\n")
        #expect(titles(uniq) == ["count", "line"])
        var expected = counts.map { ["\($0.0)", $0.1] }
        expected += [["", "no count"], ["", "  12: x"], ["1234567", "seven"]]
        #expect(try rowTexts(uniq) == expected)
        #expect(uniq.profiles(budgetMilliseconds: 1_000).map(\.kind) == [.integer, .text])

        let files = (0..<20_000).map { ["\($0)", "\($0 * 3)", "\($0 * 20)", "dir/f\($0).txt"] }
        let wordCounts = try folder.readOutput(
            files.map { row in row.prefix(3).map { padded(Int($0)!, 7) }.joined(separator: " ") + " \(row[3])\n" }.joined())
        #expect(titles(wordCounts) == ["lines", "words", "bytes", "file"])
        #expect(try rowTexts(wordCounts) == files)

        let code = (1...20_000).map { ["\($0)", "\(String(repeating: "\t", count: $0 % 3))call(a\($0 % 5 == 0 ? ", b" : ""))"] }
        let numbered = try folder.readOutput(code.map { padded(Int($0[0])!, 6) + "\t" + $0[1] + "\n" }.joined())
        #expect(titles(numbered) == ["number", "line"])
        #expect(try rowTexts(numbered) == code)

        let commits = (0..<20_000).map { ["\(String(0xA000_0000 + $0 * 7919, radix: 16))", "area: change \($0)"] }
        let log = try folder.readOutput(commits.map { $0.joined(separator: " ") + "\n" }.joined() + "deadbee short hash\n* graph\n")
        #expect(titles(log) == ["commit", "subject"])
        #expect(try rowTexts(log) == commits + [["deadbee", "short hash"], ["", "* graph"]])

        let processes = (0..<20_000).map { ["\($0 < 5 ? $0 + 1 : $0 * 3)", "worker/\($0 % 7)"] }
        let ps = try folder.readOutput(processes.map { padded(Int($0[0])!, 7) + " " + $0[1] + "\n" }.joined())
        #expect(titles(ps) == ["number", "line"])
        #expect(try rowTexts(ps) == processes)

        let keys = (0..<20_000).map {
            ["\(String(0xA000_0000 + $0 * 7919, radix: 16))", ["ann", "bob", "cid"][$0 % 3], ["Bonn", "Rome"][$0 % 2], "\($0)"]
        }
        let table = try folder.readOutput(keys.map { $0.joined(separator: " ") + "\n" }.joined())
        #expect(try table.columnCount == 4 && !table.hasColumnNames && rowTexts(table) == keys, "\(titles(table))")
    }

    @Test(arguments: 0..<10 as Range<UInt64>)
    func `D1: lines with leading counts satisfy the table contract, and other lines lose no character`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let regular = (0..<1_100).map { "\($0 % 2 == 0 ? "     12" : "      7") text \($0)" }
        let odd = (0..<300).map { _ in
            String((0..<Int.random(in: 1...20, using: &random)).map { _ in "  123aé\t".randomElement(using: &random)! })
        }
        let source = try folder.readOutput((regular + odd).joined(separator: "\n") + "\n")
        #expect(titles(source) == ["count", "line"])
        let found = try rows(source)
        try #require(found.count == 1_400)
        for (line, fields) in zip(odd, found.suffix(300)) {
            #expect(fields.compactMap { $0 }.joined().filter { $0 != " " } == line.filter { $0 != " " }, "\(line)")
            #expect(fields[0]?.allSatisfy(\.isNumber) != false)
        }
        var conformance = TableConformance(source: source, rows: found, random: random)
        try conformance.check(source.snapshot())
    }

    static let otherTexts = [
        "It was the best of times, it was the worst of times,\nit was the age of wisdom,\nit was the age of foolishness,\n",
        "import os\n\ndef total(rows):\n    result = 0\n    for row in rows:\n        result += row[1]\n    return result\n",
        "1. Buy some milk\n2. Call the bank\n3. Write a letter\n10. Read the news\n",
        "  1. Buy some milk\n  2. Call the bank\n  3. Write a letter\n 10. Read the news\n",
        "1,apple\n2,pear\n3,plum\n", "     1\ta\tx\n     2\tb\ty\n     3\tc\tz\n",
        "1700000000 starting now\n1700000001 listening on port 80\n1700000005 stopped by user\n",
        "2026-11-25T10:00:00Z INFO started\n2026-11-25T10:00:01Z WARN slow query\n2026-11-25T10:00:02Z INFO done\n",
        "12 drummers drumming\n11 pipers piping\n10 lords a-leaping\n 9 ladies dancing\n 8 maids a-milking\n",
        "   1 Sing, O goddess, the anger of Achilles\n   2 son of Peleus, that brought\n   3 countless ills\n   4 upon the Achaeans\n",
        "defaced the wall of the house\ndecaded more than a year ago\neffaced by rain and by wind\n",
        "123456\tapple\n123457\tpear\n123460\tplum\n", "1234567\tapple\n1234568\tpear\n", "12345  apple\n12346  pear\n12349  plum\n",
        "1234567 first record\n2345678 second record\n3456789 third record\n",
        "00000a0 457f 464c 0102\n00000b0 0003 003e 0001\n00000c0 6d30 0000 0000\n",
        "00000000000a1139 T main\n00000000000a3dc8 d _DYNAMIC\n00000000000b2010 B total\n",
        "d41d8cd98f00b204e9800998ecf8427e  a.txt\n0cc175b9c0f1b6a831c399e269772661  b.txt\n92eb5ffee6ae2fec3ad71c777531578f  c.txt\n",
        " 253855 bin\n 966657 etc\n 254908 games\n1254909 include\n 263667 lib\n",
        "2265b1f5 alpha\n91b7584a beta\nd8f16adf gamma delta\ncd613e30 epsilon\n",
        "1027c4d1 414c343c alpha\n1e2feb89 7ed4d57b beta\nc2ce6f44 7311d8a3 gamma\n",
        "c4647159 8 alpha 3\nb2221a58 1824 beta 3\n442e3d43 2955 gamma 3\n9755d4c1 3871 zeta 3\n",
        "c2cd789a alpha Bonn 58\nf3c64af7 beta Rome 37\ned2f89d9 gamma Oslo 2\n6a8ac4ba eps Bern 71\n",
        "0804a000 T main\n0804a1f0 d _DYNAMIC\n0804b2e8 B total\n0804c2e8 t frame_dummy\n",
        "c2cd789a alpha   58  new\nf3c64af7 beta     7  old\ned2f89d9 gamma  102  new\n",
        "   10 CONTINUE\n   20 FORMAT (I5)\n   30 WRITE (6, 20)\n   40 STOP\n",
        "10 PRINT \"HELLO\"\n20 GOTO 10\n30 END\n", "Pancakes\n\n  2 eggs\n200 g flour\n  1 pinch of salt\n250 ml milk\n",
        "      PROGRAM HELLO\n      DO 10 I = 1, 10\n   10 CONTINUE\n   20 FORMAT (I5)\n      END\n",
        "   10    25   150 apples\n  200  1800  2000 pears\n    3     4     5 plums\n",
        "      1 ?        00:00:02 systemd\n      2 ?        00:00:00 kthreadd\n    123 pts/0    00:00:00 bash\n    124 pts/0    00:00:00 ps\n",
    ]

    @Test(arguments: otherTexts)
    func `17.3: numbers in prose, code, lists, logs and delimited text are not read as leading counts`(_ text: String) throws {
        let known: Set = ["count", "number", "commit", "lines", "subject"]
        #expect(try known.isDisjoint(with: titles(folder.readOutput(text))))
    }

    @Test func `17.3: leading counts are not split off in a CSV file or if another format is requested`()
        throws
    {
        let sample = Self.numberedSamples[0]
        #expect(try titles(folder.readOutput(sample.text, "t.csv")) != sample.titles)
        #expect(try titles(folder.readOutput(sample.text, as: "lines")) == ["line"])
        #expect(try folder.readOutput(sample.text, as: "delimited") is DelimitedFile)
        let aligned = try folder.readOutput(
            "    10    25   150 a.txt\n   200  1800 12000 b.txt\n   210  1825 12150 total\n", as: "fixed-width")
        #expect(titles(aligned) == ["column 1", "column 2", "column 3", "column 4"])
        #expect(try rowTexts(aligned)[1] == ["200", "1800", "12000", "b.txt"])
    }
}
