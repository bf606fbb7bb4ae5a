extension UInt8 {
    /// The lower-case letter for an ASCII capital; any other byte is unchanged.
    @inlinable
    package var loweredASCII: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }
}
