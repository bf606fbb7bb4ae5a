import Testing

@testable import FieldValues

@Suite struct FieldBufferTests {
    @Test func `E: a buffer lays out one record after another, and tells empty fields from missing ones`() {
        let records: [[String?]] = [["a", nil, "", "Zoë"], [], [nil, ""], ["\u{0}", "日本"], Array(repeating: "x", count: 1_000), ["y"]]
        var (appended, given) = (FieldBuffer(), FieldBuffer())
        for record in records {
            for text in record { appended.append(text) }
            let found = [appended.withFields(texts), given.withFields(of: record, texts)]
            #expect(found == [record, record])
        }
    }

    @Test func `E: a buffer keeps the bytes of fields that are not UTF-8`() {
        var buffer = FieldBuffer()
        let bytes = buffer.withFields(of: ["a", "\u{FFFD}", nil], keeping: [1: [0xE8], 2: []]) { $0.map { Array($0.bytes) } }
        let next = buffer.withFields(of: ["b"], texts)
        #expect(bytes == [[0x61], [0xE8], []] && next == ["b"])
    }

    @Test func `D15: records of the same size use the same memory`() {
        var buffer = FieldBuffer()
        func places(_ record: [String?]) -> [UnsafeRawPointer?] {
            buffer.withFields(of: record) { fields in [fields.baseAddress.map { UnsafeRawPointer($0) }, UnsafeRawPointer(fields[0].start)] }
        }
        let long = String(repeating: "0123456789", count: 10)
        let records: [[String?]] = [[long, nil, long], ["short", "", "text"], [long, long, nil]]
        #expect(Set(records.map(places)).count == 1)
    }

    private func texts(_ fields: UnsafeBufferPointer<FieldBytes>) -> [String?] {
        fields.map { $0.isMissing ? nil : String(decoding: $0.bytes, as: UTF8.self) }
    }
}
