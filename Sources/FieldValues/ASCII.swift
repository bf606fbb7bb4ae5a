extension UInt8 {
    /// The lower-case letter of an ASCII capital; other bytes are unchanged.
    @inlinable
    package var loweredASCII: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }
}
