import FieldValues
import Tables

/// The columns with a file's name, and with values from the names of its folders, such as 2024 in `year=2024`. All records of a file have
/// the same values in these columns. Immutable.
final class FileFields: @unchecked Sendable {
    /// The maximum number of columns with values from folder names.
    private static let maximumPartitionColumns = 64

    /// The titles of the columns.
    let titles: [String]
    /// The paths of the files, relative to the folder that they share.
    let labels: [String]
    /// The values of the first file, then the values of the second file, and so on. They point into ``bytes``.
    private let fields: UnsafeMutableBufferPointer<FieldBytes>
    private let bytes: UnsafeMutableBufferPointer<UInt8>

    /// Creates the columns for some files.
    /// - Parameter paths: the paths of the files.
    init(_ paths: [String]) {
        labels = PathLabels(paths).labels
        var titles = paths.count > 1 ? ["file"] : []
        var columns: [String: Int] = [:]
        let values = paths.map { path in
            // The last component of the path is the file name, not a folder.
            path.split(separator: "/").dropLast().compactMap { folder -> (column: Int, value: String)? in
                guard FileFinder.isPartition(folder), let equals = folder.firstIndex(of: "=") else { return nil }
                let key = Self.decoded(folder[..<equals])
                if columns[key] == nil, columns.count < Self.maximumPartitionColumns {
                    columns[key] = titles.count
                    titles.append(key)
                }
                return columns[key].map { ($0, Self.decoded(folder[folder.index(after: equals)...])) }
            }
        }
        self.titles = titles
        var texts: [[UInt8]?] = []
        for (label, values) in zip(labels, values) {
            var row = [[UInt8]?](repeating: nil, count: titles.count)
            if paths.count > 1 { row[0] = Array(label.utf8) }
            // Hive gives a folder this name if the value is missing.
            for (column, value) in values { row[column] = value == "__HIVE_DEFAULT_PARTITION__" ? nil : Array(value.utf8) }
            texts += row
        }
        fields = .allocate(capacity: max(1, texts.count))
        // Even an empty field needs an address, because a field without one counts as missing.
        bytes = .allocate(capacity: texts.reduce(1) { $0 + ($1?.count ?? 0) })
        bytes.initialize(repeating: 0)
        fields.initialize(repeating: .missing)
        var end = bytes.baseAddress!
        for (index, text) in texts.enumerated() {
            guard let text else { continue }
            fields[index] = FieldBytes(start: UnsafePointer(end), count: text.count)
            for byte in text {
                end.pointee = byte
                end += 1
            }
        }
    }

    deinit {
        fields.deallocate()
        bytes.deallocate()
    }

    /// The number of columns.
    var count: Int { titles.count }

    /// The value of a column for a file. It is valid as long as this object exists.
    func field(_ column: Int, ofFile file: Int) -> FieldBytes { fields[file * titles.count + column] }

    var profiles: [ColumnProfile] {
        guard count > 0 else { return [] }
        var samplers = [ColumnSampler](repeating: ColumnSampler(), count: count)
        let step = max(1, labels.count / 2_000)
        for file in labels.indices {
            for column in titles.indices {
                let field = field(column, ofFile: file)
                if file % step == 0 { samplers[column].add(field) } else { samplers[column].addUnsampled(field) }
            }
        }
        var profiles = ColumnSampler.profiles(samplers) { titles[$0] }
        // File names are text, even if all of them are numbers.
        if labels.count > 1 { profiles[0].kind = .text }
        return profiles
    }

    /// The text with `%20` and similar codes replaced by their bytes.
    private static func decoded(_ text: Substring) -> String {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return String(text) }
        let source = Array(text.utf8)
        var bytes: [UInt8] = []
        var index = 0
        func digit(_ index: Int) -> UInt8? {
            guard index < source.count, let digit = Character(Unicode.Scalar(source[index])).hexDigitValue else { return nil }
            return UInt8(digit)
        }
        while index < source.count {
            if source[index] == UInt8(ascii: "%"), let high = digit(index + 1), let low = digit(index + 2) {
                bytes.append(high << 4 | low)
                index += 3
            } else {
                bytes.append(source[index])
                index += 1
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
