import CByteScan
import DelimitedText
import FieldValues
import Tables

/// Writes the records of JSON documents, one compact record per line. Blanks between values are removed, and values are not changed.
///
/// Only the start of a record with more than 16 MiB or more than 1,024 levels is written, which bounds memory.
struct JSONRewriter: TextRewriter {
    /// The records of a document.
    enum Records: Sendable, Equatable {
        /// All values at the top level.
        case values
        /// The elements of the array, or the only value, at this path of keys. Without keys, the elements of all arrays at the top level.
        case elements([[UInt8]])
        /// Each member of the object at this path is a record. The key of the member is stored in the field named `key`, the first field of
        /// the record. If there is an array at the path, its elements are the records.
        case members([[UInt8]], key: String)

        /// The keys that lead to the records; `nil` for all values at the top level.
        fileprivate var path: [[UInt8]]? {
            switch self {
            case .values: nil
            case .elements(let path), .members(let path, key: _): path
            }
        }
    }

    private let records: Records
    /// The start of the text of a member, up to its key; empty if the records are not members.
    private var memberStart: [UInt8] = []
    private let notes: JSONNotes
    /// The number of open arrays and objects.
    private var depth = 0
    /// For each open array or object, true for an object. Index 1 is the outermost one.
    private var levels = [Bool](repeating: false, count: maximumDepth + 1)
    /// The number of open containers that lead to the records.
    private var pathDepth = 0
    /// The depth of the values that are records; `nil` before they are found.
    private var recordDepth: Int? {
        didSet {
            // Remove the stored start, which belongs to a record at another depth.
            if recordDepth != oldValue { recordStart = nil }
        }
    }
    /// `isInString` is true within a string, and `isEscaped` after a backslash in a string.
    private var isInString = false
    private var isEscaped = false
    /// `expectsKey` is true if the next string is a key, `isKey` within a key that is compared with the path.
    private var expectsKey = false
    private var isKey = false
    private var key: [UInt8] = []
    /// True if the last compared key is the next one on the path.
    private var isKeyMatched = false
    /// True after the key of a member, until its value begins.
    private var hasMemberKey = false
    private var otherValues: JSONOtherValues
    /// True within a record: its bytes are copied, not only read.
    private var isInRecord = false
    private var record: [UInt8] = []
    /// The state of copying a record that is an array or object.
    private var container = gv_json_copy()
    private var isInContainer = false
    /// True if a blank follows a number or a literal.
    private var hasBlankAfterWord = false
    /// True if the record is the rest of a line that is not JSON.
    private var isRestOfLine = false
    /// The number of blanks at the start of the current line; `nil` after another byte of the line.
    private var indent: Int? = 0
    /// The start of the last array or object that is a record and begins its line: its bracket, and the number of blanks before it.
    private var recordStart: (bracket: UInt8, column: Int)?
    /// True if a valid record contains a bracket that looks like the start of a record, or like the end of the array of the records. After
    /// damage, the next record cannot be found then.
    private var hasBracketsInColumn = false
    /// The start of the message about damage at the current byte; `nil` without damage. While it is set, bytes are skipped up to the next
    /// record.
    private var damage: String?
    /// The reason why only the start of the record is written, such as `is larger than 16 MiB`; `nil` for whole records. A message puts it
    /// after the number of the row.
    private var obstacle: String?
    private var hasEnded = false
    /// True after damage: the current byte is not read as a part of the document.
    private var hasStopped: Bool { hasEnded || damage != nil }
    private var position = 0
    private var lineNumber = 1
    private var recordCount = 0
    /// True if the first valid record is an array, whose elements are the fields; `nil` before that record.
    private var hasArrays: Bool?
    private var arrays: JSONArrayWriter

    /// The maximum number of open arrays and objects.
    static let maximumDepth = 1_024
    /// The maximum number of bytes of a record.
    static let maximumBytes = 16 << 20
    /// The number of bytes that are written of a record that is too large or too deep.
    private static let shownBytes = 4_096

    /// - Parameters:
    ///   - records: the records of the document.
    ///   - notes: receives the properties of the records.
    ///   - notesOtherValues: true to add paths to the notes: those of the arrays of objects that are not the records, and those of the
    ///     other fields beside the records.
    ///   - frame: the data frame whose rows are the records; `nil` for other documents.
    init(_ records: Records, _ notes: JSONNotes, notesOtherValues: Bool = false, frame: JSONDataFrame? = nil) {
        (self.records, self.notes) = (records, notes)
        otherValues = JSONOtherValues(notes, isEnabled: notesOtherValues, descriptions: frame?.descriptions ?? [])
        arrays = JSONArrayWriter(notes, frame)
        if records == .values { recordDepth = 0 }
        if case .members(_, let name) = records { memberStart = Array("{\"\(name)\":\"".utf8) }
    }

    /// True if the values at the depth of the records are members of an object.
    private var areRecordsMembers: Bool {
        guard !memberStart.isEmpty, let recordDepth, recordDepth > 0 else { return false }
        return levels[recordDepth]
    }

    mutating func rewrite(_ bytes: UnsafeBufferPointer<UInt8>, isEnd: Bool, into output: inout [UInt8]) {
        var index = 0
        let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 2 * bytes.count + 1)
        defer { buffer.deallocate() }
        while index < bytes.count, !hasEnded {
            if damage != nil {
                index = skipDamage(bytes, from: index, &output)
            } else if isRestOfLine {
                index = readLine(bytes, from: index, &output)
            } else if isInContainer {
                index += copyContainer(UnsafeBufferPointer(rebasing: bytes[index...]), buffer, &output)
            } else if isInString {
                index = readString(bytes, from: index)
                if !isInString, isInRecord, depth == recordDepth { finishRecord(&output) }
            } else {
                read(bytes[index], &output)
                // The opening bracket of a record is not skipped here, because it is copied with the record.
                if !isInContainer { index += 1 }
            }
        }
        position += bytes.count
        if isEnd { end(&output) }
    }

    /// Copies an array or object that is a record, up to its end or the end of the bytes. Returns the number of bytes read.
    private mutating func copyContainer(
        _ bytes: UnsafeBufferPointer<UInt8>, _ buffer: UnsafeMutableBufferPointer<UInt8>, _ output: inout [UInt8]
    ) -> Int {
        var written = 0
        let (lines, isNew) = (container.lines, record.isEmpty)
        let count = gv_json_copy_value(&container, bytes.baseAddress, bytes.count, buffer.baseAddress, &written)
        lineNumber += Int(container.lines - lines)
        let text = UnsafeBufferPointer(rebasing: buffer[..<written])
        let hasEnded = container.has_ended != 0
        if hasEnded {
            isInContainer = false
            if container.has_bracket_in_column != 0 { (hasBracketsInColumn, recordStart) = (true, nil) }
            if isNew, hasArrays == false, memberStart.isEmpty, obstacle == nil, container.is_too_deep == 0 {
                // The usual case: the record ends in the block in which it starts.
                output.append(contentsOf: text)
                output.append(10)
                recordCount += 1
                isInRecord = false
                endRecordSearchIfSingle()
                return count
            }
        }
        if obstacle == nil {
            record.append(contentsOf: text)
            if record.count > Self.maximumBytes { obstacle = "is larger than 16 MiB" }
            if container.is_too_deep != 0 { obstacle = "has more than 1,024 levels" }
            if obstacle != nil { container.is_silent = 1 }
        }
        if container.restart != GV_JSON_RESTART_NONE {
            restartAtNextRecord(&output)
        } else if container.error == UInt8(ascii: "]"), depth > 0, let recordStart, container.indent <= recordStart.column {
            // The bracket that closes the array of records comes before the end of this record, so the record is damaged.
            isInContainer = false
            finishDamaged(&output)
        } else if container.error != 0 {
            let character = String(UnicodeScalar(container.error))
            stop(Self.isBracket(container.error) ? Self.strayBracketPhrase(character) : Self.strayMarkPhrase(character), &output)
        } else if hasEnded {
            finishRecord(&output)
        }
        return count
    }

    /// Ends a damaged record where the next one begins.
    private mutating func restartAtNextRecord(_ output: inout [UInt8]) {
        let isInKey = container.restart == GV_JSON_RESTART_IN_KEY
        isInContainer = false
        finishDamaged(&output)
        guard isInKey else { return indent = recordStart?.column }
        // Begin the next record here: its opening bracket and the opening quote of its first key were read with the damaged record.
        beginContainer(column: recordStart?.column)
        container.depth = 1
        container.objects.0 = 1
        container.in_string = 1
        record = Array("{\"".utf8)
    }

    private static func isBracket(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") }
    private static func strayBracketPhrase(_ character: String) -> String { "there is a “\(character)” without its opening bracket" }
    private static func strayMarkPhrase(_ character: String) -> String {
        "there is a “\(character)” outside of strings\(character == "'" ? "" : ", and JSON has no comments")"
    }

    /// Reads the rest of a string, at most to the end of the bytes. Returns the index after it.
    private mutating func readString(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var index = start
        // The index of the first byte that is not copied yet.
        var copied = start
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isInString = false
                break
            } else if byte == 10 || byte == 13 {
                // A line end within a string is written as an escape, because it would end the record.
                if byte == 10 { lineNumber += 1 }
                copy(bytes[copied..<index - 1])
                copy([UInt8(ascii: "\\"), byte == 10 ? UInt8(ascii: "n") : UInt8(ascii: "r")])
                copied = index
            }
        }
        copy(bytes[copied..<index])
        if !isInString, isKey { finishKey() }
        return index
    }

    /// Copies bytes to the record or the key.
    private mutating func copy(_ bytes: some Collection<UInt8>) {
        if isInRecord {
            guard obstacle == nil else { return }
            record.append(contentsOf: bytes)
            if record.count > Self.maximumBytes { obstacle = "is larger than 16 MiB" }
        } else if isKey, key.count <= (memberStart.isEmpty ? Self.shownBytes : Self.maximumBytes) {
            key.append(contentsOf: bytes)
        }
    }

    private mutating func read(_ byte: UInt8, _ output: inout [UInt8]) {
        switch byte {
        case 32, 9, 13, 10, 0x1E:
            if byte == 10 { lineNumber += 1 }
            indent = byte == 10 || byte == 13 ? 0 : indent.map { $0 + 1 }
            if isInRecord {
                hasBlankAfterWord = true
                // A blank ends a number or a literal at the top level.
                if depth == 0 { finishRecord(&output) }
            }
        case UInt8(ascii: "\""):
            if isInRecord || !expectsKey { beginScalar(&output) }
            guard !hasStopped else { return }
            isInString = true
            isKey = !isInRecord && expectsKey && (depth == pathDepth || depth == otherValues.keyDepth)
            if isKey { key.removeAll(keepingCapacity: true) }
            if isInRecord { append(byte) }
        case UInt8(ascii: "{"), UInt8(ascii: "["): open(isObject: byte == UInt8(ascii: "{"), byte, &output)
        case UInt8(ascii: "}"), UInt8(ascii: "]"): close(isObject: byte == UInt8(ascii: "}"), byte, &output)
        case UInt8(ascii: ","):
            if isInRecord, depth == recordDepth { finishRecord(&output) }
            guard !isValueMissing else { return stop(Self.missingValuePhrase, &output) }
            if isInRecord { append(byte) } else { isKeyMatched = false }
            expectsKey = depth > 0 && depth <= Self.maximumDepth && levels[depth]
        case UInt8(ascii: ":"):
            guard depth > 0 else { return stop("there is a “:” outside objects", &output) }
            if !isInRecord, !expectsKey, depth == recordDepth { hasMemberKey = true }
            expectsKey = false
            if isInRecord { append(byte) }
        case UInt8(ascii: "/"), UInt8(ascii: "#"), UInt8(ascii: "'"):
            if depth == recordDepth, !areRecordsMembers {
                if isInRecord, hasBlankAfterWord { finishRecord(&output) }
                // The rest of the line is an invalid record, such as a comment.
                if !isInRecord { isRestOfLine = true }
                beginValue(&output)
                return append(byte)
            }
            stop(Self.strayMarkPhrase(String(UnicodeScalar(byte))), &output)
        default:
            beginScalar(&output)
            if isInRecord { append(byte) }
        }
        if byte > 32 { indent = nil }
    }

    /// Reads the rest of a line that is not JSON. Returns the index after it.
    private mutating func readLine(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int, _ output: inout [UInt8]) -> Int {
        let end = bytes[start...].firstIndex { $0 == 10 || $0 == 13 }
        copy(bytes[start..<(end ?? bytes.count)])
        guard let end else { return bytes.count }
        finishLine(&output)
        return end
    }

    private mutating func finishLine(_ output: inout [UInt8]) {
        isRestOfLine = false
        finishDamaged(isWhole: true, &output)
    }

    /// Begins a value that is not an array or object, and starts a record if the value is a record. A value beside the arrays at the top
    /// level is a record, too, so that it is not lost. If keys lead to the records, reading stops at such a value, because the table has no
    /// place for it.
    private mutating func beginScalar(_ output: inout [UInt8]) {
        if !isInRecord, depth == 0, recordDepth == nil, let path = records.path {
            guard path.isEmpty else { return stop("there is text after the object", &output) }
            recordDepth = 0
        }
        beginValue(&output)
    }

    /// Starts a record if the next value is at the depth of the records.
    private mutating func beginValue(_ output: inout [UInt8]) {
        guard !isInRecord, depth == recordDepth else { return }
        if areRecordsMembers {
            guard hasMemberKey else { return stop("there is a value without a key", &output) }
            hasMemberKey = false
            if key.count > Self.maximumBytes { obstacle = "is larger than 16 MiB" }
        }
        isInRecord = true
        hasBlankAfterWord = false
        record.removeAll(keepingCapacity: true)
    }

    /// True if the last member has a key but no value, so that its row would be missing.
    private var isValueMissing: Bool { hasMemberKey && areRecordsMembers && depth == recordDepth }
    private static let missingValuePhrase = "there is a key without a value"

    /// Appends a byte outside of strings to the record.
    private mutating func append(_ byte: UInt8) {
        guard obstacle == nil else { return }
        // A blank between two values without a separator is kept. Otherwise the values would be joined.
        if hasBlankAfterWord, let last = record.last, Self.isWord(last), Self.isWord(byte) { record.append(32) }
        hasBlankAfterWord = false
        record.append(byte)
    }

    private static func isWord(_ byte: UInt8) -> Bool { !"{}[],:".utf8.contains(byte) }

    private mutating func open(isObject: Bool, _ byte: UInt8, _ output: inout [UInt8]) {
        if isInRecord, depth == recordDepth { finishRecord(&output) }
        if !isInRecord, depth == pathDepth, let path = records.path {
            if depth == 0 || isKeyMatched {
                if depth == path.count, !isObject || !memberStart.isEmpty {
                    // The elements of this array, or the members of this object, are the records.
                    pathDepth += 1
                    recordDepth = pathDepth
                    push(isObject)
                    return
                }
                if depth < path.count, isObject { pathDepth += 1 } else if depth == path.count { recordDepth = depth }
            }
            isKeyMatched = false
        }
        let column = areRecordsMembers || hasBracketsInColumn ? nil : indent
        if depth == recordDepth, let column { recordStart = (byte, column) }
        beginValue(&output)
        guard !hasStopped else { return }
        guard isInRecord else {
            otherValues.open(isObject: isObject, depth: depth, isInArray: depth <= Self.maximumDepth && !levels[depth])
            return push(isObject)
        }
        // The bracket is copied with the rest of the record.
        beginContainer(column: column)
    }

    /// Begins to copy a record that is an array or object.
    /// - Parameter column: the number of blanks before it on its line; `nil` if another byte precedes it, or if the next record cannot be
    ///   recognized by its column.
    private mutating func beginContainer(column: Int?) {
        container = gv_json_copy()
        container.limit = UInt32(max(0, Self.maximumDepth - depth))
        container.column = column.flatMap { UInt32(exactly: $0) } ?? UInt32(GV_JSON_NO_COLUMN)
        container.indent = UInt32(GV_JSON_NO_COLUMN)
        (isInRecord, isInContainer) = (true, true)
    }

    private mutating func push(_ isObject: Bool) {
        depth += 1
        if depth > Self.maximumDepth {
            if obstacle == nil { obstacle = "has more than 1,024 levels" }
        } else {
            levels[depth] = isObject
        }
        expectsKey = isObject
    }

    private mutating func close(isObject: Bool, _ byte: UInt8, _ output: inout [UInt8]) {
        if isInRecord, depth == recordDepth { finishRecord(&output) }
        guard !isValueMissing else { return stop(Self.missingValuePhrase, &output) }
        guard depth > 0, depth > Self.maximumDepth || levels[depth] == isObject else {
            return stop(Self.strayBracketPhrase(String(UnicodeScalar(byte))), &output)
        }
        if isInRecord { append(byte) }
        if depth == pathDepth { otherValues.endField() }
        depth -= 1
        otherValues.close(depth: depth)
        expectsKey = false
        if isInRecord, depth == recordDepth { finishRecord(&output) }
        guard let path = records.path, depth < pathDepth else { return }
        // The array or object of records ends.
        pathDepth = depth
        if recordDepth == depth + 1 || path.isEmpty { recordDepth = nil }
        isKeyMatched = false
    }

    private mutating func finishKey() {
        isKey = false
        expectsKey = false
        let name = key.dropLast().withUnsafeBufferPointer { JSONSchema.unescaped($0) }
        otherValues.beginMember(name, depth: depth)
        guard let path = records.path, depth == pathDepth, pathDepth > 0, pathDepth <= path.count else { return }
        isKeyMatched = name == path[pathDepth - 1]
        otherValues.beginField(isKeyMatched ? nil : Array(path.prefix(pathDepth - 1)) + [name])
    }

    // MARK: Records

    private mutating func finishRecord(_ output: inout [UInt8]) {
        isInRecord = false
        recordCount += 1
        if recordCount == 1 { notes.addRecord() }
        if let obstacle {
            notes.addSkippedPhrase("row \(NumberText.count(recordCount)) \(obstacle); only its start is in the column (unreadable)")
            self.obstacle = nil
            writeIncomplete(&output)
        } else if areRecordsMembers {
            writeMember(&output)
        } else if hasArrays ?? (record.first == UInt8(ascii: "[")) {
            hasArrays = true
            arrays.write(record, number: recordCount - 1, into: &output)
        } else {
            hasArrays = false
            output.append(contentsOf: record)
            output.append(10)
        }
        endRecordSearchIfSingle()
        if record.capacity > 1 << 20 { record = [] } else { record.removeAll(keepingCapacity: true) }
    }

    /// Ends the search for records if the value at the path is not an array. That value is then the only record.
    private mutating func endRecordSearchIfSingle() {
        if case .elements(let path) = records, recordDepth == path.count, !path.isEmpty { recordDepth = nil }
        expectsKey = false
    }

    /// Ends a record that is not valid JSON.
    /// - Parameter isWhole: true to write the whole record, false to write its start.
    private mutating func finishDamaged(isWhole: Bool = false, _ output: inout [UInt8]) {
        arrays.dropLabels(from: recordCount)
        recordCount += 1
        if recordCount == 1 { notes.addRecord() }
        if isWhole, obstacle == nil {
            output.append(contentsOf: record)
            output.append(10)
        } else {
            writeIncomplete(&output)
        }
        (isInRecord, obstacle) = (false, nil)
        endRecordSearchIfSingle()
        record.removeAll(keepingCapacity: true)
    }

    /// Writes the start of a record with an ellipsis. This text is not valid JSON, so it is shown as text.
    private mutating func writeIncomplete(_ output: inout [UInt8]) {
        if areRecordsMembers {
            output.append(UInt8(ascii: "\""))
            output.append(contentsOf: key.prefix(Self.shownBytes))
            output.append(UInt8(ascii: ":"))
        } else if hasArrays == nil, record.first == UInt8(ascii: "[") {
            arrays.skipDamagedHeader()
        }
        output.append(contentsOf: record.prefix(Self.shownBytes))
        output.append(contentsOf: "…\n".utf8)
    }

    /// Writes a member of the object as a record: an object with the member's key, followed by the members of its value. If the value is
    /// not an object, the field `value` contains it.
    private mutating func writeMember(_ output: inout [UInt8]) {
        output.append(contentsOf: memberStart)
        // `key` includes the closing quote.
        output.append(contentsOf: key)
        if record.first == UInt8(ascii: "{"), record.last == UInt8(ascii: "}") {
            if record.count > 2 { output.append(UInt8(ascii: ",")) }
            output.append(contentsOf: record.dropFirst())
        } else {
            output.append(contentsOf: ",\"value\":".utf8)
            output.append(contentsOf: record)
            output.append(UInt8(ascii: "}"))
        }
        output.append(10)
    }

    // MARK: The end

    /// Skips bytes up to the next record if each record begins its line. Otherwise, reading stops.
    private mutating func stop(_ reason: String, _ output: inout [UInt8]) {
        let damage = "the JSON is damaged on line \(NumberText.count(lineNumber)): \(reason); reading "
        guard recordStart != nil, depth == recordDepth else {
            notes.addProblem(damage + "stopped there")
            return finish(&output)
        }
        isInContainer = false
        if isInRecord { finishDamaged(&output) }
        arrays.dropLabels(from: recordCount)
        (self.damage, indent) = (damage, nil)
    }

    /// Skips damaged bytes up to the start of the next record, and returns its index. The next record begins with the same bracket and in
    /// the same column as the last one. Reading stops if the array of the records ends before it.
    private mutating func skipDamage(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int, _ output: inout [UInt8]) -> Int {
        for index in start..<bytes.count {
            let byte = bytes[index]
            switch byte {
            case 10, 13:
                if byte == 10 { lineNumber += 1 }
                indent = 0
            case 32, 9: indent = indent.map { $0 + 1 }
            default:
                if let recordStart, let indent, let damage {
                    if byte == recordStart.bracket, indent == recordStart.column {
                        notes.addDamage(damage + "continued on line \(NumberText.count(lineNumber))")
                        self.damage = nil
                        return index
                    }
                    if byte == UInt8(ascii: "]"), depth > 0, indent <= recordStart.column {
                        notes.addProblem(damage + "stopped there")
                        finish(&output)
                        return index
                    }
                }
                indent = nil
            }
        }
        return bytes.count
    }

    private mutating func end(_ output: inout [UInt8]) {
        guard !hasEnded else { return }
        if let damage {
            notes.addProblem(damage + "stopped there")
            return finish(&output)
        }
        if isRestOfLine { finishLine(&output) }
        if isInRecord, depth == 0, !isInString, !isInContainer { finishRecord(&output) }
        if depth > 0 || isInString || isInContainer {
            let place = isInContainer ? "a record" : isInString ? "a string" : levelName
            notes.addProblem("the JSON is incomplete: the file ends within \(place)")
        }
        finish(&output)
    }

    private var levelName: String { depth <= Self.maximumDepth && levels[depth] ? "an object" : "an array" }

    private mutating func finish(_ output: inout [UInt8]) {
        hasEnded = true
        otherValues.endField()
        if isInRecord {
            recordCount += 1
            writeIncomplete(&output)
        }
        arrays.finish(into: &output, recordCount: recordCount)
        if recordCount == 0, notes.problem == nil, let path = records.path, !path.isEmpty {
            notes.addProblem("there is no record in \(JSONPath.text(path).quotedForMessage)")
        }
    }
}
