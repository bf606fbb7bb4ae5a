import CCodecs

/// The results of the controls. They are stored, so that the optimizer keeps the code that computes them.
nonisolated(unsafe) private var result: UInt8 = 0

extension FuzzTarget {
    /// Targets that must fail on the input `x`. `.make/fuzz` runs them first, to check that the build has a sanitizer.
    static let controls = [
        FuzzTarget(name: "control-swift-read") { bytes in result = readPastEnd(bytes.baseAddress!, bytes.count) },
        FuzzTarget(name: "control-c-read") { bytes in result = UInt8(truncatingIfNeeded: gv_crc32(bytes.baseAddress, bytes.count + 1)) },
        FuzzTarget(name: "control-trap") { bytes in result = bytes[0] + 200 },
        FuzzTarget(name: "control-promise") { bytes in require(bytes.isEmpty, "the control fails") },
    ]

    /// An unsafe pointer has no bounds in Swift, so only the address sanitizer sees this read.
    @inline(never) private static func readPastEnd(_ start: UnsafePointer<UInt8>, _ count: Int) -> UInt8 { start[count] }
}
