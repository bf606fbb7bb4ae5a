import GridTestSupport
import Foundation
import Testing

/// A table of 100,000 rows with every difficult feature of CSV is written completely and compared by Python's csv module.
struct LargeOutputTests {
    /// Writes the table to the path in its argument.
    private static let generator = """
        import csv, random, sys
        rng = random.Random(42)
        words = ['plain', 'with, comma', 'with "quotes"', 'two\\nlines', '', ' blanks ', 'größer', '日本']
        words += ['a|b', "it's", '"', ',', 'x' * 300]
        with open(sys.argv[1], 'w', newline='', encoding='utf-8') as file:
            table = csv.writer(file, lineterminator='\\n')
            table.writerow(['id', 'word', 'amount', 'other word', 'day'])
            for n in range(100_000):
                amount = f'{rng.uniform(-1000, 1000):.2f}'
                day = f'2026-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}'
                table.writerow([n, rng.choice(words), amount, rng.choice(words), day])
        """

    /// Compares the records of two files, sorted by a key if one is given, and prints their number.
    private static let comparison = """
        import csv, sys
        def records(path):
            with open(path, newline='', encoding='utf-8') as file:
                return list(csv.reader(file))
        before, after = records(sys.argv[1]), records(sys.argv[2])
        if sys.argv[3:] == ['amount']:
            before[1:] = sorted(before[1:], key=lambda row: float(row[2]))
        different = [n for n, (a, b) in enumerate(zip(before, after)) if a != b]
        print('first difference:', different[0] if different else None, 'records:', len(before), len(after))
        """

    @Test func `T1: 100,000 records with every kind of quoting are written unchanged`() throws {
        let folder = try TemporaryFolder()
        let table = folder.path(of: "table.csv"), written = folder.path(of: "written.csv")
        // The time limit allows for a debug build and other tests at the same time.
        let python = ProcessRunner(executable: "python3"), shell = ProcessRunner(executable: "sh", timeLimit: .seconds(600))
        try #require(python.run(["-c", Self.generator, table]).status == .code(0))
        for (options, key) in [("", []), ("--threads 1", []), ("--sort amount", ["amount"])] {
            let outcome = try shell.run(["-c", "exec \"$0\" -o csv \(options) \"$1\" >\"$2\"", ProgramUnderTest.path, table, written])
            #expect(outcome.status == .code(0), "\(outcome.errorText)")
            let compared = try python.run(["-c", Self.comparison, table, written] + key)
            #expect(compared.outputText == "first difference: None records: 100001 100001\n", "\(options) \(compared.errorText)")
        }
        // The output for a pipe must be the same, although a pipe cannot be read twice.
        let piped = try shell.run(["-c", "cat \"$1\" | \"$0\" -o csv >\"$2\"", ProgramUnderTest.path, table, written])
        #expect(piped.status == .code(0))
        let compared = try python.run(["-c", Self.comparison, table, written])
        #expect(compared.outputText == "first difference: None records: 100001 100001\n")
    }
}
