public import DelimitedText
import FieldValues
public import Tables

/// JSON Lines: one JSON value per line, usually an object.
public struct JSONLinesFormat: TableFormat {
    /// The name used with `--format`: `jsonl`.
    public var name: String { "jsonl" }

    init() {}

    /// Opens an input if most of its first lines are complete values. If the format is requested, one line with an object suffices, so that
    /// damaged first lines do not hide the other ones.
    public func open(_ input: DelimitedFile, isRequested: Bool) throws -> (any TableSource)? {
        let isNamed = JSONFormat.hasName(input, [".jsonl", ".ndjson"])
        var sample = try JSONSample(input, JSONFormat.sampleBytes)
        let looksLikeJSON = isRequested || isNamed || JSONFormat.looksLikeJSON(sample, input)
        while true {
            let layout = sample.lines
            // Accept objects even if the bytes do not look like JSON, because the first line may be damaged. In a file with the suffix of
            // delimited text, the objects may be below a header.
            guard looksLikeJSON || layout == .objects && !PlainLinesFormat.hasDelimitedSuffix(input.name) else { return nil }
            switch layout {
            case .objects, .values: return try JSONSource(input, lines(of: input))
            case .incomplete: return isRequested || isNamed ? try JSONSource(input, lines(of: input)) : nil
            case .document: return nil
            case .other:
                guard isRequested else { return nil }
                if sample.hasObjectLine { return try JSONSource(input, lines(of: input)) }
                guard !sample.isWhole, sample.bytes.count < JSONFormat.sampleBytes else { return nil }
                // Each pass reads all lines again. Therefore, wait until the sample has grown by an eighth.
                _ = input.waitForContent(moreThan: min(sample.bytes.count + sample.bytes.count / 8, JSONFormat.sampleBytes - 1))
                sample = try JSONSample(input, JSONFormat.sampleBytes)
            case .single:
                if isRequested || isNamed { return try JSONSource(input, lines(of: input)) }
                guard input.isGrowing else { return nil }
                // More lines may follow, unless the line is a document with an array, or with objects as members.
                let isDocument =
                    sample.bytes[sample.start] == UInt8(ascii: "[") || sample.firstArray(from: sample.start) != nil
                    || sample.members(at: sample.start)?.haveCommonKeys == true || sample.dataFrame(at: sample.start) != .absent
                if !isDocument { return try JSONSource(input, lines(of: input)) }
                guard input.waitForContent(moreThan: sample.bytes.count) else { return nil }
                sample = try JSONSample(input, JSONFormat.sampleBytes)
            }
        }
    }

    /// The lines of an input. Blank lines between values are not rows.
    private func lines(of input: DelimitedFile) throws -> DelimitedFile { try input.lines(skipsBlankLines: true) }
}

/// JSON documents: an array of objects or arrays, an object with such an array or with objects as members, a data frame of pandas, or
/// values that are not one per line.
public struct JSONFormat: TableFormat {
    /// The name used with `--format`: `json`.
    public var name: String { "json" }
    /// The keys that lead to the records; `nil` for the first array of objects, or for the members of an object.
    private let path: String?

    /// The size in bytes of the first sample, which is used to detect the format.
    static let sampleBytes = 256 << 10

    init(path: String? = nil) { self.path = path }

    static func hasName(_ input: DelimitedFile, _ suffixes: [String]) -> Bool {
        let name = input.name.lowercased()
        return suffixes.contains(where: name.hasSuffix)
    }

    /// True if the content of an input is probably JSON. A file with the suffix of delimited text must also begin with complete values.
    static func looksLikeJSON(_ sample: JSONSample, _ input: DelimitedFile) -> Bool {
        sample.looksLikeJSON && (sample.beginsWithValues || !PlainLinesFormat.hasDelimitedSuffix(input.name))
    }

    /// Opens an input that begins with a JSON document.
    /// - Throws: ``FormatError`` if the document is damaged before its first record, or if it does not have the requested path.
    public func open(_ input: DelimitedFile, isRequested: Bool) throws -> (any TableSource)? {
        let isNamed = Self.hasName(input, [".json", ".geojson", ".jsonl", ".ndjson"])
        var sample = try JSONSample(input, Self.sampleBytes)
        // If a pipe has delivered only the opening bracket, wait for the next byte, because the bracket alone does not tell the format.
        while sample.start < sample.bytes.count, sample.bytes.count < 512, !sample.looksLikeJSON,
            [UInt8(ascii: "{"), UInt8(ascii: "[")].contains(sample.bytes[sample.start]),
            sample.nextNonBlank(from: sample.start + 1) == nil, input.waitForContent(moreThan: sample.bytes.count)
        {
            sample = try JSONSample(input, Self.sampleBytes)
        }
        guard isRequested || isNamed || Self.looksLikeJSON(sample, input) else { return nil }
        guard let first = sample.nextNonBlank(from: sample.start) else { return nil }
        let frame = path == nil ? try dataFrame(in: input, sample: &sample, first: first) : nil
        let selected: (records: JSONRewriter.Records, description: String)? =
            frame == nil ? nil : (.elements([JSONDataFrame.dataKey]), "elements of data")
        guard let (records, description) = try selected ?? records(of: input, sample: &sample, first: first) else {
            // A file with the name of a JSON file may have another format, unless it begins with a bracket.
            let isContainer = [UInt8(ascii: "{"), UInt8(ascii: "[")].contains(sample.bytes[first])
            guard isRequested || isNamed && isContainer else { return nil }
            let reason = sample.isTooDeep ? "has more than \(NumberText.count(JSONRewriter.maximumDepth)) levels" : "is not valid JSON"
            let advice = sample.hasObjectLine ? "jsonl to read its valid lines" : "lines to read it as text"
            throw FormatError("\(input.name) \(reason). Use --format \(advice).")
        }
        let notes = JSONNotes(description: description)
        let request = DelimitedFile.lineRequest(encoding: input.dialect.encoding)
        let lines = try input.rewritten(by: JSONRewriter(records, notes, notesOtherValues: path == nil, frame: frame), as: request)
        if !notes.hasRecords, let problem = notes.problem {
            guard isRequested || isNamed || path != nil else { return nil }
            throw FormatError("Cannot read \(input.name): \(problem). Correct the file, or use --format lines to read it as text.")
        }
        return try JSONSource(input, lines, notes)
    }

    /// The data frame that is the document; `nil` for other documents.
    private func dataFrame(in input: DelimitedFile, sample: inout JSONSample, first: Int) throws -> JSONDataFrame? {
        while true {
            switch sample.dataFrame(at: first) {
            case .found(let frame): return frame
            case .absent: return nil
            case .cut: guard try enlarge(&sample, input) else { return nil }
            }
        }
    }

    /// The records at a path, and a phrase that names them. The members of an object are the records if the path has the suffix `.*`, or if
    /// there are several members and all of them are objects.
    private func records(
        at path: String, of input: DelimitedFile, sample: inout JSONSample, first: Int
    ) throws -> (records: JSONRewriter.Records, description: String) {
        let hasMembers = path == "*" || path.hasSuffix(".*")
        guard let keys = JSONPath.keys(hasMembers ? String(path.dropLast(path == "*" ? 1 : 2)) : path) else {
            throw FormatError("The path “\(path)” has an unclosed quote. Write it like data.items or \"a.b\".items.")
        }
        while true {
            var members: JSONMemberSample?
            var isDecided = false
            switch sample.place(of: keys, from: first) {
            case .absent: isDecided = true
            case .cut: break
            case .found(let index):
                members = sample.members(at: index, skipsOthers: hasMembers)
                isDecided = members.map { !$0.areObjects || $0.isComplete || $0.count > 1 } ?? true
            }
            guard try isDecided || !enlarge(&sample, input) else { continue }
            let areMembers = hasMembers || members.map { $0.areObjects && $0.count > 1 } ?? false
            guard areMembers else { return (.elements(keys), "elements of \(path)") }
            return (.members(keys, key: members?.keyName ?? "key"), Self.membersPhrase(keys))
        }
    }

    private static func membersPhrase(_ keys: [[UInt8]]) -> String {
        keys.isEmpty ? "members of the object" : "members of \(JSONPath.text(keys))"
    }

    /// Replaces a sample by one with more bytes. Returns `false` if it has all bytes of the input, or the maximum number of bytes.
    private func enlarge(_ sample: inout JSONSample, _ input: DelimitedFile) throws -> Bool {
        guard !sample.isWhole, sample.bytes.count < JSONRewriter.maximumBytes else { return false }
        let known = sample.bytes.count
        sample = try JSONSample(input, known * 4)
        if sample.bytes.count <= known {
            // The whole input is in the sample, unless it is a pipe that delivers more.
            guard input.waitForContent(moreThan: known) else { return false }
            sample = try JSONSample(input, known * 4)
        }
        return true
    }

    /// The records of a document and a phrase that names them; `nil` if it is not JSON.
    /// - Parameters:
    ///   - sample: the start of the document; replaced by a larger one if the records are not found in it.
    ///   - first: the index of the first byte of the document that is not blank.
    private func records(
        of input: DelimitedFile, sample: inout JSONSample, first: Int
    ) throws -> (records: JSONRewriter.Records, description: String)? {
        if let path { return try records(at: path, of: input, sample: &sample, first: first) }
        switch sample.bytes[first] {
        case UInt8(ascii: "["):
            // The input is JSON if the first element is valid.
            guard let element = sample.nextNonBlank(from: first + 1) else { return (.elements([]), "elements of the array") }
            let (end, isTruncated) = sample.valueEnd(from: element)
            guard end != nil || isTruncated || sample.bytes[element] == UInt8(ascii: "]") else { return nil }
            return (.elements([]), "elements of the array")
        case UInt8(ascii: "{"):
            while true {
                let (end, isTruncated) = sample.valueEnd(from: first)
                let array = sample.firstArray(from: first)
                if let end {
                    if sample.nextNonBlank(from: end) != nil { return (.values, "values of the file") }
                    if !sample.isWhole, input.isGrowing, input.waitForContent(moreThan: sample.bytes.count) {
                        sample = try JSONSample(input, sample.bytes.count + Self.sampleBytes)
                        continue
                    }
                    if let array { return (.elements(array), "elements of \(JSONPath.text(array))") }
                    guard let members = sample.members(at: first), members.haveCommonKeys else { return (.values, "the object") }
                    return (.members([], key: members.keyName), Self.membersPhrase([]))
                }
                if let array { return (.elements(array), "elements of \(JSONPath.text(array))") }
                guard isTruncated else { return nil }
                // The sample of a pipe must be as long as that of a file, so that both are read in the same way.
                if sample.bytes.count >= Self.sampleBytes, let members = sample.members(at: first), members.haveCommonKeys {
                    return (.members([], key: members.keyName), Self.membersPhrase([]))
                }
                guard try enlarge(&sample, input) else { return (.values, "values of the file") }
            }
        default:
            // A number or a string before a comma is a field of delimited text.
            guard let end = sample.valueEnd(from: first).end, end == sample.bytes.count || sample.bytes[end] <= 32 else { return nil }
            return (.values, "values of the file")
        }
    }
}
