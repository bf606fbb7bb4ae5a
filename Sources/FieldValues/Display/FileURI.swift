/// Converts file names to URIs, which SQLite can open.
package enum FileURI {
    /// The URI of a path: bytes other than letters, digits and some punctuation become `%XX`.
    package static func text(_ path: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in path.utf8 {
            let isPlain =
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || "/-._~".utf8.contains(byte)
            if isPlain { bytes.append(byte) } else { bytes += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]] }
        }
        // An absolute path gets an empty host name. Otherwise, SQLite would read a name after two slashes as a host name.
        return "file:" + (path.hasPrefix("/") ? "//" : "") + String(decoding: bytes, as: UTF8.self)
    }
}
