import Dispatch
import Locks
import Tables

/// Converts the text of an input to other text, block by block.
package protocol TextRewriter: Sendable {
    /// Converts the next bytes of the input.
    /// - Parameters:
    ///   - bytes: the next bytes. They may end within a line or a character.
    ///   - isEnd: true in the last call.
    ///   - output: the array to which the converted text is appended.
    mutating func rewrite(_ bytes: UnsafeBufferPointer<UInt8>, isEnd: Bool, into output: inout [UInt8])
}

/// An object that writes a temporary file in the background. Writing stops when the object is released.
protocol BackgroundWriter: AnyObject, Sendable {}

/// A flag that ends a background thread. The owner of the thread sets the flag when the owner is released. The thread does not retain the
/// owner.
final class StopFlag: Sendable {
    let isSet = Atomic(false)
}

extension ByteSource {
    /// Creates a source that reads an unnamed temporary file. The file is empty until text is written in the background.
    /// - Parameter name: the name of the input, for errors.
    convenience init(temporaryFileFor name: String) throws(DelimitedTextError) {
        guard let descriptor = Platform.makeUnnamedFile() else { throw .cannotSpoolError(name, Platform.lastError) }
        self.init(descriptor: descriptor, path: nil, count: 0, isFinished: false)
    }
}

extension DelimitedTextError {
    static func cannotSpoolError(_ name: String, _ number: Int32) -> DelimitedTextError {
        DelimitedTextError(
            .cannotSpool,
            "Cannot create a temporary file for \(name): \(Platform.errorDescription(number)). Set TMPDIR to a writable folder with enough space.",
            path: name, errno: number)
    }
}

/// Writes the text that a ``TextRewriter`` creates from an input to an unnamed temporary file in the background.
final class RewriterSpool: BackgroundWriter {
    let source: ByteSource
    private let input: ByteSource
    private let stop = StopFlag()

    /// Converts the first bytes of `input` before it returns, and the rest in the background.
    /// - Parameters:
    ///   - input: the text to convert.
    ///   - writer: the object that writes `input` if it is a temporary file; it is retained until the end of the input.
    ///   - start: the offset in `input` of the first byte to convert.
    init(
        _ input: ByteSource, writtenBy writer: (any BackgroundWriter)?, from start: Int, by rewriter: some TextRewriter, name: String,
        settings: ScanSettings
    ) throws(DelimitedTextError) {
        self.input = input
        source = try ByteSource(temporaryFileFor: name)
        let output = SpoolWriter(source: source, name: name, settings: settings, maximumFirstLineBytes: .max)
        var state = RewriterState(input: input, position: start, rewriter: rewriter, output: output)
        let first = min(input.count, start + settings.firstBytes)
        guard state.rewrite(to: first) else { return }
        DispatchQueue(label: "rewriting", qos: .userInitiated).async { [state, stop] in
            var state = state
            withExtendedLifetime(writer) {
                var known = state.input.current
                while !stop.isSet.load(ordering: .relaxed), state.rewrite(to: known.count) {
                    known = state.input.waitForBytes(moreThan: state.position, interruptions: known.interruptions)
                }
            }
        }
    }

    deinit {
        // The background thread does not retain this object. Setting the flag makes the thread stop, and the interruption ends its wait for
        // bytes of a pipe.
        stop.isSet.store(true, ordering: .relaxed)
        input.update { $0.interruptions += 1 }
    }
}

/// The data that the background thread works with.
private struct RewriterState<Rewriter: TextRewriter>: Sendable {
    let input: ByteSource
    /// The offset in the input of the next byte to convert.
    private(set) var position: Int
    private var rewriter: Rewriter
    private var output: SpoolWriter

    init(input: ByteSource, position: Int, rewriter: Rewriter, output: SpoolWriter) {
        (self.input, self.position, self.rewriter, self.output) = (input, position, rewriter, output)
    }

    /// Converts the bytes before `end`. Returns `false` at the end of the input and after a failure.
    mutating func rewrite(to end: Int) -> Bool {
        var text: [UInt8] = []
        while true {
            // Read the state before the bytes: if the state is finished, the bytes are complete. In the opposite order, more bytes might
            // arrive between the two reads.
            let known = input.current
            do throws(DelimitedTextError) {
                let block = try input.bytes(at: position, count: min(256 << 10, end - position))
                if block.count < min(256 << 10, end - position) { throw input.truncationError(at: position + block.count) }
                position += block.count
                let isEnd = known.isFinished && position >= known.count
                block.withUnsafeBufferPointer { rewriter.rewrite($0, isEnd: isEnd, into: &text) }
                guard text.withUnsafeBufferPointer({ output.put($0) }) else { return false }
                text.removeAll(keepingCapacity: true)
                if isEnd, var failure = known.failure {
                    // The input has ended early. The last record may be incomplete even if the text converted from it looks complete.
                    if failure.code != .endless { failure.inputEnd = failure.code == .damaged ? .damaged : .withinRecord }
                    output.source.update { ($0.count, $0.failure, $0.isFinished) = (output.writtenBytes, failure, true) }
                    return false
                }
                output.source.update { ($0.count, $0.isFinished) = (output.writtenBytes, isEnd) }
                if isEnd { return false }
                if position >= end { return true }
            } catch {
                output.source.update { ($0.count, $0.failure, $0.isFinished) = (output.writtenBytes, error, true) }
                return false
            }
        }
    }
}
