internal import CNcursesw
internal import TerminalSurface

/// A terminal description (terminfo), read by ncurses. ncurses is used only for this, not for drawing or keys.
///
/// Only one instance can exist at a time, because the library has one current terminal.
struct TerminalDescription {
    let type: String

    /// Reads a description.
    /// - Parameters:
    ///   - requestedType: the terminal type (TERM). An unknown type is treated as xterm, with which most terminals are compatible.
    ///   - output: the descriptor of the terminal.
    init(type requestedType: String, output: Int32) throws(TerminalError) {
        let candidates = requestedType.isEmpty ? [] : [requestedType, "xterm-256color", "xterm"]
        guard let found = candidates.first(where: { nc_open_terminal($0, output) == 0 }) else {
            throw TerminalError(
                code: .unusableType,
                message: requestedType.isEmpty
                    ? "TERM is not set, so the terminal type is unknown. Try TERM=xterm-256color."
                    : "The terminal type \"\(requestedType)\" (TERM) is unknown, and so is xterm. Try TERM=vt100, or install ncurses-term.")
        }
        type = found
    }

    func close() { nc_close_terminal() }

    func string(_ name: String) -> String? {
        guard let value = tigetstr(name), Int(bitPattern: value) != -1 else { return nil }
        return String(cString: value)
    }

    func flag(_ name: String) -> Bool { tigetflag(name) == 1 }

    /// A numeric capability; −1 if it is absent.
    func number(_ name: String) -> Int { Int(tigetnum(name)) }

    var keys: [(sequence: [UInt8], press: KeyPress)] {
        Self.keyNames.compactMap { name, press in string(name).map { (Array($0.utf8), press) } }
    }

    private static let keyNames: [(name: String, press: KeyPress)] =
        [
            ("kcuu1", KeyPress(.up)), ("kcud1", KeyPress(.down)), ("kcub1", KeyPress(.left)), ("kcuf1", KeyPress(.right)),
            ("khome", KeyPress(.home)), ("ka1", KeyPress(.home)), ("kend", KeyPress(.end)), ("kll", KeyPress(.end)),
            ("kc1", KeyPress(.end)), ("kpp", KeyPress(.pageUp)), ("ka3", KeyPress(.pageUp)), ("knp", KeyPress(.pageDown)),
            ("kc3", KeyPress(.pageDown)), ("kich1", KeyPress(.insert)), ("kdch1", KeyPress(.delete)), ("kent", KeyPress(.enter)),
            ("kbs", KeyPress(.backspace)), ("kcbt", KeyPress(.tab, .shift)), ("kLFT", KeyPress(.left, .shift)),
            ("kRIT", KeyPress(.right, .shift)), ("kri", KeyPress(.up, .shift)), ("kind", KeyPress(.down, .shift)),
            ("kHOM", KeyPress(.home, .shift)), ("kEND", KeyPress(.end, .shift)), ("kPRV", KeyPress(.pageUp, .shift)),
            ("kNXT", KeyPress(.pageDown, .shift)), ("kIC", KeyPress(.insert, .shift)), ("kDC", KeyPress(.delete, .shift)),
        ] + (1...12).map { ("kf\($0)", KeyPress(.function($0))) } + (1...12).map { ("kf\($0 + 12)", KeyPress(.function($0), .shift)) }
}
