import Dispatch
import Locks
import Tables

/// Converts a binary input to text, block by block.
package protocol TextProducer: Sendable {
    /// Appends the next block of text. Returns `false` at the end.
    /// - Throws: a `TableError` if the input is damaged. Text that was already appended is kept.
    mutating func produce(into output: inout [UInt8]) throws -> Bool
}

/// Writes the text of a ``TextProducer`` to an unnamed temporary file in the background.
final class ProducerSpool: BackgroundWriter {
    let source: ByteSource
    private let stop = StopFlag()

    /// The number of bytes to produce before the initializer returns, so that the first rows are available at once.
    private static let minimumFirstBytes = 64 << 10

    /// Produces the first text before it returns, and the rest in the background.
    /// - Throws: the error of the producer if it fails before its first byte; `DelimitedTextError` if no temporary file can be created.
    init(_ producer: some TextProducer, name: String, settings: ScanSettings) throws {
        source = try ByteSource(temporaryFileFor: name)
        let output = SpoolWriter(source: source, name: name, settings: settings, maximumFirstLineBytes: settings.maximumFirstLineBytes)
        var state = ProducerState(producer: producer, output: output)
        while state.writtenBytes < Self.minimumFirstBytes {
            if state.next() { continue }
            if state.writtenBytes == 0, let error = state.failure { throw error }
            return
        }
        DispatchQueue(label: "producing", qos: .userInitiated).async { [state, stop] in
            var state = state
            while !stop.isSet.load(ordering: .relaxed), state.next() {}
        }
    }

    deinit {
        // The background thread does not retain this object. Setting the flag makes the thread stop.
        stop.isSet.store(true, ordering: .relaxed)
    }
}

/// The data that the background thread works with.
private struct ProducerState<Producer: TextProducer>: Sendable {
    private var producer: Producer
    private var output: SpoolWriter
    /// The error that the producer threw, which ended the text.
    private(set) var failure: (any Error)?

    init(producer: Producer, output: SpoolWriter) { (self.producer, self.output) = (producer, output) }

    var writtenBytes: Int { output.writtenBytes }

    /// Produces and writes the next text. Returns `false` at the end and after a failure.
    mutating func next() -> Bool {
        var text: [UInt8] = []
        var hasMore = false
        do { hasMore = try producer.produce(into: &text) } catch { failure = error }
        guard text.withUnsafeBufferPointer({ output.put($0) }) else { return false }
        if let failure {
            let message = (failure as? any TableError)?.message ?? "\(failure)"
            output.fail(.damaged, message, 0)
            return false
        }
        output.source.update { ($0.count, $0.isFinished) = (output.writtenBytes, !hasMore) }
        return hasMore
    }
}

extension DelimitedFile {
    /// Opens the text produced from a file, through an unnamed temporary file. The first text is produced before this initializer returns,
    /// and the rest in the background.
    /// - Parameters:
    ///   - producer: the producer of the text, which is UTF-8.
    ///   - file: the file that supplies the path and is checked for changes.
    ///   - name: the name of the table.
    /// - Throws: the error of the producer if it fails before any text; `DelimitedTextError` if the text cannot be stored.
    package convenience init(
        _ producer: some TextProducer, from file: BinaryFile, name: String, request: DialectRequest, spoolLimit: Int?
    ) throws {
        try request.validate()
        var settings = ScanSettings()
        settings.spoolLimit = spoolLimit
        let producing = try ProducerSpool(producer, name: name, settings: settings)
        try self.init(FileOpening(producing, of: file, name: name, request: request, settings: settings))
    }
}
