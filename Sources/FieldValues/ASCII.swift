extension UInt8 {
    /// The small letter of a capital of ASCII; any other byte as it is.
    @inlinable
    package var loweredASCII: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }
}
