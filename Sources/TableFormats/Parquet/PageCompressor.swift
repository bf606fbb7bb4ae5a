import CCodecs

/// The compression functions of libzstd, loaded on first use. Immutable.
struct ZstdCompression: @unchecked Sendable {
    let makeContext: @convention(c) () -> OpaquePointer?
    let freeContext: @convention(c) (OpaquePointer?) -> Int
    let bound: @convention(c) (Int) -> Int
    let compress: @convention(c) (OpaquePointer, UnsafeMutableRawPointer, Int, UnsafeRawPointer, Int, Int32) -> Int
    let isError: @convention(c) (Int) -> UInt32

    /// The functions of the installed library; `nil` if it is missing.
    static let system = ZstdCompression(names: "libzstd.so.1 libzstd.1.dylib libzstd.dylib")

    /// Loads the first library of `names` that exists. Returns `nil` if no library exists, or if a function is missing.
    init?(names: String) {
        guard let library = gv_load_library(names) else { return nil }
        func function<Function>(_ name: String) -> Function? {
            gv_library_function(library, "ZSTD_\(name)").map { unsafeBitCast($0, to: Function.self) }
        }
        guard let makeContext: @convention(c) () -> OpaquePointer? = function("createCCtx"),
            let freeContext: @convention(c) (OpaquePointer?) -> Int = function("freeCCtx"),
            let bound: @convention(c) (Int) -> Int = function("compressBound"),
            let compress: @convention(c) (OpaquePointer, UnsafeMutableRawPointer, Int, UnsafeRawPointer, Int, Int32) -> Int = function(
                "compressCCtx"),
            let isError: @convention(c) (Int) -> UInt32 = function("isError")
        else { return nil }
        (self.makeContext, self.freeContext, self.bound) = (makeContext, freeContext, bound)
        (self.compress, self.isError) = (compress, isError)
    }
}

/// Compresses pages with zstd. Without libzstd, pages are not compressed.
final class PageCompressor {
    private static let level: Int32 = 3

    private let library: ZstdCompression?
    private let context: OpaquePointer?
    private let compressed = RawBuffer()

    init(_ library: ZstdCompression?) {
        context = library?.makeContext()
        self.library = context == nil ? nil : library
    }

    deinit { if let library { _ = library.freeContext(context) } }

    var codec: ParquetMetadata.Codec { library == nil ? .none : .zstd }

    /// Compresses a page. Without zstd, the result is the page itself. It is valid until the next call.
    func compress(_ page: GrowingBytes) throws -> UnsafeBufferPointer<UInt8> {
        guard let library, let context else { return UnsafeBufferPointer(start: page.start, count: page.count) }
        compressed.reserve(library.bound(page.count))
        let count = library.compress(context, compressed.start, compressed.capacity, page.start, page.count, Self.level)
        guard library.isError(count) == 0 else { throw FormatError("Cannot compress a page: not enough memory. Close other programs.") }
        return UnsafeBufferPointer(start: compressed.start, count: count)
    }
}
