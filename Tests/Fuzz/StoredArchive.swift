import CCodecs

/// A zip archive without compression.
struct StoredArchive {
    private var output: [UInt8] = []
    private var directory: [UInt8] = []
    private var count = 0

    static let workbook = """
        <workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" \
        xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">\
        <sheets><sheet name="a" sheetId="1" r:id="rId1"/></sheets></workbook>
        """
    private static let main = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    static let relations = """
        <Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">\
        <Relationship Id="rId1" Type="\(main)/worksheet" Target="worksheets/sheet1.xml"/>\
        <Relationship Id="rId2" Type="\(main)/sharedStrings" Target="sharedStrings.xml"/>\
        <Relationship Id="rId3" Type="\(main)/styles" Target="styles.xml"/></Relationships>
        """

    /// The parts of an input, which are separated by NUL bytes. There is at least one part.
    static func parts(_ bytes: UnsafeBufferPointer<UInt8>) -> [[UInt8]] {
        bytes.split(separator: 0, maxSplits: 4, omittingEmptySubsequences: false).map(Array.init)
    }

    mutating func add(_ name: String, _ content: String) { add(name, Array(content.utf8)) }

    mutating func add(_ name: String, _ content: [UInt8]) {
        var shared: [UInt8] = []
        for value in [0, 0, 0, 0x21] { Self.append(value, 2, to: &shared) }
        Self.append(Int(gv_crc32(content, content.count)), 4, to: &shared)
        for _ in 0..<2 { Self.append(content.count, 4, to: &shared) }
        Self.append(name.utf8.count, 2, to: &shared)
        Self.append(0, 2, to: &shared)
        let offset = output.count
        output += [0x50, 0x4B, 3, 4, 20, 0] + shared + Array(name.utf8) + content
        directory += [0x50, 0x4B, 1, 2, 20, 0, 20, 0] + shared + [UInt8](repeating: 0, count: 10)
        Self.append(offset, 4, to: &directory)
        directory += Array(name.utf8)
        count += 1
    }

    /// Writes the archive and returns its path.
    func write() -> String {
        var end: [UInt8] = [0x50, 0x4B, 5, 6, 0, 0, 0, 0]
        for _ in 0..<2 { Self.append(count, 2, to: &end) }
        Self.append(directory.count, 4, to: &end)
        Self.append(output.count, 4, to: &end)
        Self.append(0, 2, to: &end)
        return (output + directory + end).withUnsafeBufferPointer { FuzzFolder.write($0) }
    }

    private static func append(_ value: Int, _ count: Int, to target: inout [UInt8]) {
        for index in 0..<count { target.append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
    }
}
