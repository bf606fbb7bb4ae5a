import DelimitedText

extension Decompression {
    /// Decodes a section of a gzip file. Each call needs about 0.5 MiB of memory.
    ///
    /// Checksums verify that the bytes match the checkpoints. A checkpoint within a member stores the checksum of the member's content
    /// before it. If the section ends at the end of a member, the trailer of the member has the checksum.
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
        var offset = section.start.inputOffset
        if section.start.state != nil { _ = try read(UnsafeMutableBufferPointer(rebasing: input[..<1]), offset - 1) }
        let decoder = try StreamDecoder(at: section.start, first: input[0], name: name)
        var undecoded = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
        var (remaining, isEnd) = (section.count, false)
        while remaining > 0 || !decoder.isBetweenMembers && !decoder.hasEnded {
            if remaining == 0, let state = section.end?.state {
                guard decoder.checksum == state.checksum else { throw StreamDecoder.changedFileError(name, at: offset) }
                return
            }
            if remaining > 0, decoder.hasEnded { throw StreamDecoder.changedFileError(name, at: offset) }
            if undecoded.isEmpty, !isEnd {
                let count = try read(input, offset)
                (offset, isEnd) = (offset + count, count == 0)
                undecoded = UnsafeBufferPointer(rebasing: input[..<count])
            }
            // After the last byte of the section, the decoder must still read the trailer of the member. The decoder runs only if the
            // output has room.
            let room = remaining > 0 ? min(remaining, output.count) : 1
            var count = 0
            do throws(DelimitedTextError) {
                count = try decoder.decode(
                    &undecoded, isEnd: isEnd, into: UnsafeMutableBufferPointer(rebasing: output[..<room]),
                    stopsAfterMember: remaining == 0)
            } catch {
                throw decoder.isShortOfMemory ? error : StreamDecoder.changedFileError(name, at: offset)
            }
            guard count <= remaining else { throw StreamDecoder.changedFileError(name, at: offset) }
            try write(UnsafeBufferPointer(rebasing: output[..<count]))
            remaining -= count
        }
        if let state = section.end?.state, decoder.checksum != state.checksum { throw StreamDecoder.changedFileError(name, at: offset) }
    }
}
