/// Makes zip archives with stored members, for tests that need unusual archives.
struct ZipBuilder {
    struct Member {
        var name: [UInt8]
        var content: [UInt8]
        /// The flags and the compression method as written.
        var flags = 0
        var method = 0
        /// The amounts by which the written offset and the written byte count are wrong.
        var offsetShift = 0
        var countShift = 0
    }

    var members: [Member] = []
    var comment: [UInt8] = []

    init(_ members: [(name: String, content: String)] = []) {
        for member in members { add(member.name, member.content) }
    }

    mutating func add(_ name: String, _ content: String) {
        members.append(Member(name: Array(name.utf8), content: Array(content.utf8)))
    }

    var bytes: [UInt8] {
        var output: [UInt8] = []
        var directory: [UInt8] = []
        func appendNumber(_ value: Int, _ count: Int, _ target: inout [UInt8]) {
            for index in 0..<count { target.append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
        }
        func appendSharedFields(_ member: Member, _ target: inout [UInt8]) {
            for value in [member.flags, member.method, 0, 0x21] { appendNumber(value, 2, &target) }
            appendNumber(Int(Self.checksum(member.content)), 4, &target)
            appendNumber(member.content.count, 4, &target)
            appendNumber(member.content.count + member.countShift, 4, &target)
            appendNumber(member.name.count, 2, &target)
            appendNumber(0, 2, &target)
        }
        for member in members {
            let offset = output.count
            output += [0x50, 0x4B, 3, 4, 20, 0]
            appendSharedFields(member, &output)
            output += member.name + member.content
            directory += [0x50, 0x4B, 1, 2, 20, 0, 20, 0]
            appendSharedFields(member, &directory)
            for _ in 0..<3 { appendNumber(0, 2, &directory) }
            appendNumber(0, 4, &directory)
            appendNumber(offset + member.offsetShift, 4, &directory)
            directory += member.name
        }
        let start = output.count
        output += directory + [0x50, 0x4B, 5, 6, 0, 0, 0, 0]
        appendNumber(members.count, 2, &output)
        appendNumber(members.count, 2, &output)
        appendNumber(directory.count, 4, &output)
        appendNumber(start, 4, &output)
        appendNumber(comment.count, 2, &output)
        return output + comment
    }

    /// The CRC-32, bit by bit.
    static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var state: UInt32 = 0xFFFF_FFFF
        for byte in bytes {
            state ^= UInt32(byte)
            for _ in 0..<8 { state = state & 1 == 1 ? state >> 1 ^ 0xEDB8_8320 : state >> 1 }
        }
        return ~state
    }
}
