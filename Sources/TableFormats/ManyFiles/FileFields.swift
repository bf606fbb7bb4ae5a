import FieldValues
import Tables

/// The fields that are the same in all records of a file: the file name, and the values in folder names, such as 2024 in `year=2024`. They
/// are immutable.
final class FileFields: @unchecked Sendable {
    /// The maximum number of columns with values of folder names.
    private static let maximumPartitionColumns = 64

    /// The titles of the columns.
    let titles: [String]
    /// The paths of the files, relative to the folder that they share.
    let labels: [String]
    /// The fields of all files, file by file. Their bytes are in ``bytes``.
    private let fields: UnsafeMutableBufferPointer<FieldBytes>
    private let bytes: UnsafeMutableBufferPointer<UInt8>

    /// - Parameter paths: the paths of the files.
    init(_ paths: [String]) {
        labels = PathLabels(paths).labels
        var titles = paths.count > 1 ? ["file"] : []
        var places: [String: Int] = [:]
        let values = paths.map { path in
            // The last component is the name of the file, not of a folder.
            path.split(separator: "/").dropLast().compactMap { folder -> (place: Int, value: String)? in
                guard FileFinder.isPartition(folder), let equals = folder.firstIndex(of: "=") else { return nil }
                let key = Self.decoded(folder[..<equals])
                if places[key] == nil, places.count < Self.maximumPartitionColumns {
                    places[key] = titles.count
                    titles.append(key)
                }
                return places[key].map { ($0, Self.decoded(folder[folder.index(after: equals)...])) }
            }
        }
        self.titles = titles
        var texts: [[UInt8]?] = []
        for (label, values) in zip(labels, values) {
            var row = [[UInt8]?](repeating: nil, count: titles.count)
            if paths.count > 1 { row[0] = Array(label.utf8) }
            // Hive gives this name to the folder of missing values.
            for (place, value) in values { row[place] = value == "__HIVE_DEFAULT_PARTITION__" ? nil : Array(value.utf8) }
            texts += row
        }
        fields = .allocate(capacity: max(1, texts.count))
        // An empty field also needs a start address.
        bytes = .allocate(capacity: texts.reduce(1) { $0 + ($1?.count ?? 0) })
        bytes.initialize(repeating: 0)
        fields.initialize(repeating: .missing)
        var end = bytes.baseAddress!
        for (place, text) in texts.enumerated() {
            guard let text else { continue }
            fields[place] = FieldBytes(start: UnsafePointer(end), count: text.count)
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

    /// A field of a file. It is valid as long as this object.
    func field(_ column: Int, ofFile file: Int) -> FieldBytes { fields[file * titles.count + column] }

    /// The profiles of the columns.
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
        var profiles = ColumnSampler.profiles(samplers)
        // File names are text, even if all of them are numbers.
        if labels.count > 1 { profiles[0].kind = .text }
        return profiles
    }

    /// The text with `%20` and similar codes replaced by their bytes.
    private static func decoded(_ text: Substring) -> String {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return String(text) }
        let source = Array(text.utf8)
        var bytes: [UInt8] = []
        var place = 0
        func digit(_ place: Int) -> UInt8? {
            guard place < source.count, let digit = Character(Unicode.Scalar(source[place])).hexDigitValue else { return nil }
            return UInt8(digit)
        }
        while place < source.count {
            if source[place] == UInt8(ascii: "%"), let high = digit(place + 1), let low = digit(place + 2) {
                bytes.append(high << 4 | low)
                place += 3
            } else {
                bytes.append(source[place])
                place += 1
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
