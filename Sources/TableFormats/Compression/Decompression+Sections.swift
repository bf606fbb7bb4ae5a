import DelimitedText

extension Decompression {
    /// Decodes a section of a gzip file. Each call needs about 0.5 MiB of memory.
    ///
    /// Checksums verify that the bytes match the checkpoints. A checkpoint within a member stores the checksum of the decoded bytes of the
    /// member before it. If the section ends with a member, the checksum is in the trailer of the member.
    func decode(
        _ section: CompressedSection, name: String,
        read: (_ target: UnsafeMutableBufferPointer<UInt8>, _ offset: Int) throws(DelimitedTextError) -> Int,
        write: (UnsafeBufferPointer<UInt8>) throws(DelimitedTextError) -> Void
    ) throws(DelimitedTextError) {
        let input = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 128 << 10)
        let output = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 256 << 10)
        defer {
            input.deallocate()
            output.deallocate()
        }
        input.initialize(repeating: 0)
        var offset = section.start.input
        if section.start.state != nil { _ = try read(UnsafeMutableBufferPointer(rebasing: input[..<1]), offset - 1) }
        let decoder = try StreamDecoder(at: section.start, first: input[0], name: name)
        var rest = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
        var (left, isEnd) = (section.count, false)
        while left > 0 || !decoder.isBetweenMembers && !decoder.hasEnded {
            if left == 0, let state = section.end?.state {
                guard decoder.checksum == state.checksum else { throw StreamDecoder.changed(name, at: offset) }
                return
            }
            if left > 0, decoder.hasEnded { throw StreamDecoder.changed(name, at: offset) }
            if rest.isEmpty, !isEnd {
                let count = try read(input, offset)
                (offset, isEnd) = (offset + count, count == 0)
                rest = UnsafeBufferPointer(rebasing: input[..<count])
            }
            // After the last byte, the decoder reads the trailer of the member, for which it needs room.
            let room = left > 0 ? min(left, output.count) : 1
            var count = 0
            do throws(DelimitedTextError) {
                count = try decoder.decode(
                    &rest, isEnd: isEnd, into: UnsafeMutableBufferPointer(rebasing: output[..<room]), stopsAfterMember: left == 0)
            } catch {
                throw decoder.isShortOfMemory ? error : StreamDecoder.changed(name, at: offset)
            }
            guard count <= left else { throw StreamDecoder.changed(name, at: offset) }
            try write(UnsafeBufferPointer(rebasing: output[..<count]))
            left -= count
        }
        if let state = section.end?.state, decoder.checksum != state.checksum { throw StreamDecoder.changed(name, at: offset) }
    }
}
