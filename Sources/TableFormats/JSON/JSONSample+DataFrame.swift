/// A data frame as pandas writes it with `orient="table"` or `orient="split"`: an object whose member `data` has the rows.
struct JSONDataFrame: Equatable {
    /// The names of the columns as JSON strings, if the rows are arrays; empty if they are objects.
    var columns: [[UInt8]] = []
    /// For each row, its label in the index as a JSON value. Empty if the labels are the numbers of the rows from 0, and without an index.
    var labels: [[UInt8]] = []
    /// The keys of the members that describe the rows and were read.
    var descriptions: [[UInt8]] = []

    /// The key of the rows.
    static let dataKey = Array("data".utf8)
    fileprivate static let schemaKey = Array("schema".utf8)
    fileprivate static let columnsKey = Array("columns".utf8)
    fileprivate static let indexKey = Array("index".utf8)
    /// The name of the column with the labels.
    static let labelName = Array("\"index\"".utf8)
}

extension JSONSample {
    /// A data frame, if the sample has its start.
    enum DataFrame: Equatable {
        case found(JSONDataFrame)
        /// The sample ends before the first row.
        case cut
        case absent
    }

    /// The data frame that begins at an index. Its first key is `schema` or `columns`.
    func dataFrame(at index: Int) -> DataFrame {
        guard index < bytes.count, bytes[index] == UInt8(ascii: "{") else { return .absent }
        var values: [[UInt8]: Int] = [:]
        var isOther = false
        let isWhole = forEachMember(ofObjectAt: index) { key, value in
            isOther = values.isEmpty && key != JSONDataFrame.schemaKey && key != JSONDataFrame.columnsKey
            values[key] = values[key] ?? value
            return !isOther && key != JSONDataFrame.dataKey
        }
        guard !isOther, !values.isEmpty else { return .absent }
        guard let data = values[JSONDataFrame.dataKey] else { return isWhole || self.isWhole ? .absent : .cut }
        guard bytes[data] == UInt8(ascii: "[") else { return .absent }
        guard let first = nextNonBlank(from: data + 1) else { return .cut }
        let isEmpty = bytes[first] == UInt8(ascii: "]")
        if let schema = values[JSONDataFrame.schemaKey], isEmpty || bytes[first] == UInt8(ascii: "{"),
            case .found(let fields) = place(of: [Array("fields".utf8)], from: schema), bytes[fields] == UInt8(ascii: "[")
        {
            return .found(JSONDataFrame(descriptions: [JSONDataFrame.schemaKey]))
        }
        guard let columns = values[JSONDataFrame.columnsKey], isEmpty || bytes[first] == UInt8(ascii: "["),
            let names = elements(ofArrayAt: columns)?.map(name), !names.isEmpty, !names.contains(nil)
        else { return .absent }
        var frame = JSONDataFrame(columns: names.compactMap { $0 }, descriptions: [JSONDataFrame.columnsKey])
        guard let index = values[JSONDataFrame.indexKey] else { return .found(frame) }
        guard let labels = elements(ofArrayAt: index) else { return .absent }
        frame.descriptions.append(JSONDataFrame.indexKey)
        let areNumbers = labels.enumerated().allSatisfy { bytes[$1].elementsEqual(String($0).utf8) }
        if !areNumbers { frame.labels = labels.map { Array(bytes[$0]) } }
        return .found(frame)
    }

    /// An element of `columns` as a JSON string; `nil` for arrays and objects, such as the names of several levels.
    private func name(_ element: Range<Int>) -> [UInt8]? {
        switch bytes[element.lowerBound] {
        case UInt8(ascii: "\""): Array(bytes[element])
        case UInt8(ascii: "["), UInt8(ascii: "{"): nil
        default: [UInt8(ascii: "\"")] + bytes[element] + [UInt8(ascii: "\"")]
        }
    }

    /// The elements of the array at an index; `nil` if the value is not an array, or if the array does not end in the sample.
    private func elements(ofArrayAt start: Int) -> [Range<Int>]? {
        guard bytes[start] == UInt8(ascii: "["), var index = nextNonBlank(from: start + 1) else { return nil }
        var elements: [Range<Int>] = []
        if bytes[index] == UInt8(ascii: "]") { return elements }
        while let end = valueEnd(from: index).end, let separator = nextNonBlank(from: end) {
            elements.append(index..<end)
            if bytes[separator] == UInt8(ascii: "]") { return elements }
            guard bytes[separator] == UInt8(ascii: ","), let following = nextNonBlank(from: separator + 1) else { return nil }
            index = following
        }
        return nil
    }
}
