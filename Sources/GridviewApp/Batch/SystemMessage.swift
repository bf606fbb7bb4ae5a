#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The system's words for its error numbers.
enum SystemMessage {
    static func text(_ number: Int32) -> String { String(cString: strerror(number)) }
}
