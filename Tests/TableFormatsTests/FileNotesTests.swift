import Tables
import Testing

@testable import TableFormats

/// Notes about the files of one table, and their numbers of records, without files: 18.9.
@Suite struct FileNotesTests {
    private func loss(_ number: Int) -> TextConversion { TextConversion("loss \(number).", isLoss: true) }

    @Test func `18.9: no more files are added after files that claim to have very many records use up the record numbers`() {
        var files = FinishedFiles()
        for _ in 0..<1_000 where files.hasRoomForRecords {
            files.add(ConcatFile(count: 1 << 56, map: nil, partialTable: nil), byteCount: 400, meanRecordBytes: 1)
        }
        #expect(files.count == 16 && files.recordCount == 1 << 60 && !files.hasRoomForRecords)
        // A left-out file is added without records.
        files.add(ConcatFile(count: 0, map: nil, partialTable: nil), byteCount: 400, meanRecordBytes: 0)
        #expect(files.count == 17 && files.recordCount == 1 << 60)
    }

    @Test func `18.9: failures are listed up to a limit, and further failures are only counted`() {
        var notes = FileNotes(failures: ["x cannot be read."], omittedEntries: ["1 hidden entry is left out"])
        notes.addPartialFile("a.csv", "It is damaged.")
        #expect(notes.allProblems == ["x cannot be read.", "a.csv is shown only partly. It is damaged.", "1 hidden entry is left out"])
        for number in 0..<198 { notes.addLeftOutFile("\(number).csv", "It is damaged.", isNotTable: false) }
        #expect(notes.failures.count == 200 && notes.allProblems.count == 102)
        #expect(notes.allProblems[99] == "97.csv is left out. It is damaged." && notes.allProblems[100] == "100 more files are left out")
        #expect(notes.conversions(ofTable: "t", isPattern: false) == notes.allProblems.prefix(100).map { TextConversion($0, isLoss: true) })
    }

    @Test(arguments: [false, true])
    func `18.9: a note counts files that are not tables, with the first message; for patterns, this is not a loss`(isPattern: Bool) {
        var notes = FileNotes(lossPhrases: ["1 file with another suffix is left out"])
        notes.addLeftOutFile("1.png", "1.png is an image.", isNotTable: true)
        #expect(notes.allProblems == ["one file is left out because it is not a table: 1.png is an image."])
        notes.addLeftOutFile("2.png", "2.png is an image.", isNotTable: true)
        let phrase = "2 files are left out because they are not tables. The first: 1.png is an image."
        #expect(notes.failures.isEmpty && notes.allProblems == [phrase])
        #expect(
            notes.conversions(ofTable: "t", isPattern: isPattern) == [
                TextConversion("t: \(phrase)", isLoss: !isPattern),
                TextConversion("t: 1 file with another suffix is left out.", isLoss: true),
            ])
    }

    @Test func `18.9: notes about problems, omissions and losses name their file`() {
        var notes = FileNotes()
        notes.add(FileNotes.Notes(), "0.csv")
        #expect(notes.allProblems.isEmpty && notes.omission == nil && !notes.hasInvalidText)
        let note = TextConversion("note.", isLoss: false)
        notes.add(FileNotes.Notes(problems: ["p"], conversions: [note, loss(1)], omission: "o", hasInvalidText: true), "1.csv")
        notes.add(FileNotes.Notes(problems: ["q"], omission: "later"), "2.csv")
        #expect(notes.allProblems == ["1.csv: p", "2.csv: q"] && notes.omission == "1.csv: o" && notes.hasInvalidText)
        #expect(notes.conversions(ofTable: "t", isPattern: false) == [loss(1).labeled("1.csv"), note.labeled("1.csv")])
    }

    @Test func `18.9: notes name a file once, by its path in the folder`() {
        var notes = FileNotes()
        let losses = ["t.csv: 1 blank line.", "t.csv was read as UTF-8.", "t.csvx: other.", "Other."].map {
            TextConversion($0, isLoss: true)
        }
        notes.add(FileNotes.Notes(conversions: losses, omission: "t.csv has 9 fields."), "a/t.csv")
        let labeled = ["a/t.csv: 1 blank line.", "a/t.csv was read as UTF-8.", "a/t.csv: t.csvx: other.", "a/t.csv: Other."]
        #expect(notes.conversions(ofTable: "t", isPattern: false).map(\.sentence) == labeled)
        #expect(notes.omission == "a/t.csv has 9 fields.")
        notes.addLeftOutFile("a/u.csv", "u.csv is damaged. Copy it again.", isNotTable: false)
        notes.addPartialFile("v.csv", "v.csv ends early.")
        notes.addLeftOutFile("w.csv", "Cannot open w.csv: permission denied.", isNotTable: false)
        #expect(
            notes.failures == [
                "a/u.csv is left out. It is damaged. Copy it again.", "v.csv is shown only partly. It ends early.",
                "w.csv is left out. Cannot open w.csv: permission denied.",
            ])
    }

    @Test func `18.9: after 100 problems, no problems of further files are collected`() {
        var notes = FileNotes()
        notes.add(FileNotes.Notes(problems: (0..<99).map { "\($0)" }), "1.csv")
        #expect(notes.hasRoomForProblems)
        notes.add(FileNotes.Notes(problems: ["last"]), "2.csv")
        #expect(!notes.hasRoomForProblems && notes.allProblems.count == 100)
    }

    @Test func `18.9: the first record of each file follows the records of the files before it`() {
        var files = FinishedFiles()
        #expect(files.count == 0 && files.recordCount == 0)
        for (count, bytes) in [(3, 100), (0, 50), (4, 200)] {
            files.add(ConcatFile(count: count, map: nil, partialTable: nil), byteCount: bytes, meanRecordBytes: count * 10)
        }
        #expect(files.starts == [0, 3, 3, 7] && files.recordCount == 7 && files.byteCount == 350 && files.recordBytes == 90 + 160)
        files.add(ConcatFile(count: 1 << 60, map: nil, partialTable: nil), byteCount: 0, meanRecordBytes: 1 << 60)
        #expect(files.recordBytes == 250 + 1 << 60)
    }
}
