import CByteScan

extension FieldBytes {
    /// True if the text is one value of JSON, possibly between blanks. `NaN` and `Infinity` are accepted, as in JSON files.
    package var isJSON: Bool {
        guard let start else { return false }
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }
        let first = bytes.firstIndex { !isBlank($0) } ?? count
        var isCut: Int32 = 0
        let length = gv_json_value_end(start + first, count - first, &isCut)
        return length > 0 && bytes[(first + length)...].allSatisfy(isBlank)
    }
}
