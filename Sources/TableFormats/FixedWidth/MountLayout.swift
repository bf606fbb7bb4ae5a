/// The output of `mount` on Linux: `/dev/sda1 on /home type ext4 (rw,relatime)`. A line of another form is text in the last column.
struct MountLayout: LineLayout {
    var titles: [String] { ["device", "directory", "type", "options"] }
    var hasColumnNames: Bool { false }
    var headerLines: Int { 0 }
    var details: [(name: String, value: String)] { [("format", "list of mounted devices"), ("header", "none")] }

    /// Detects the layout. Returns `nil` unless the first line, and nearly all lines after it, have this form.
    init?(_ lines: [ArraySlice<UInt8>]) {
        let found = lines.prefix(1_000).filter { !$0.isEmpty }.map { line in line.withUnsafeBufferPointer { Parts($0) != nil } }
        guard found.count > 1, found[0], found.count(where: { $0 }) * 20 >= found.count * 19 else { return nil }
    }

    func divide(_ line: UnsafeBufferPointer<UInt8>, into fields: inout LineFields) {
        guard let parts = Parts(line) else {
            for _ in 0..<3 { fields.append(line[..<0]) }
            return fields.append(line[...])
        }
        fields.append(line[parts.device])
        fields.append(line[parts.directory])
        fields.append(line[parts.type])
        fields.append(line[parts.options])
    }

    /// The places of the fields in a line.
    private struct Parts {
        var device: Range<Int>
        var directory: Range<Int>
        var type: Range<Int>
        var options: Range<Int>

        init?(_ line: UnsafeBufferPointer<UInt8>) {
            guard line.last == UInt8(ascii: ")"), let on = Self.index(of: " on /", in: line, from: 0),
                var type = Self.index(of: " type ", in: line, from: on + 4)
            else { return nil }
            // The name of a directory may contain ` type `, but the type of a file system never does.
            while let next = Self.index(of: " type ", in: line, from: type + 1) { type = next }
            let typeStart = type + 6
            guard let open = Self.index(of: " (", in: line, from: typeStart), !line[typeStart..<open].contains(32) else { return nil }
            (device, directory) = (0..<on, on + 4..<type)
            (self.type, options) = (typeStart..<open, open + 2..<line.count - 1)
        }

        private static func index(of text: StaticString, in line: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
            let count = text.utf8CodeUnitCount
            let text = UnsafeBufferPointer(start: text.utf8Start, count: count)
            guard line.count - start >= count else { return nil }
            return (start...line.count - count).first { line[$0] == text[0] && line[$0..<$0 + count].elementsEqual(text) }
        }
    }
}
