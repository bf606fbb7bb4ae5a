import DataGridQuery
import DelimitedText

/// A temporary file for what a job cannot hold in memory.
struct JobFile: ScratchFile {
    private let file: TemporaryFile

    init() throws { file = try TemporaryFile() }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws { try file.write(bytes, at: offset) }

    func read(into target: UnsafeMutableRawBufferPointer, at offset: Int) throws { try file.read(into: target, at: offset) }
}
