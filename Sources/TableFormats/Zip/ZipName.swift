/// The names of members of zip archives.
enum ZipName {
    /// The characters 128 to 255 of code page 437, the encoding of names that are not marked as UTF-8.
    private static let upperCharacters = Array(
        """
        ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{A0}
        """)

    /// The name with slashes between its components. Valid UTF-8 is read as UTF-8 even without the mark, because many programs omit it.
    /// - Parameter isUTF8: true if the name is marked as UTF-8.
    static func text(_ bytes: ArraySlice<UInt8>, isUTF8: Bool) -> String {
        let text: String
        if isUTF8 || String(validating: bytes, as: UTF8.self) != nil {
            text = String(decoding: bytes, as: UTF8.self)
        } else {
            text = String(bytes.map { $0 < 128 ? Character(UnicodeScalar($0)) : upperCharacters[Int($0) - 128] })
        }
        return text.contains("\\") ? text.replacing("\\", with: "/") : text
    }
}
