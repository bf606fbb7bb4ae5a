import CNcursesw
import CTerminalSignals
import Foundation
import TerminalSurface

/// A pseudo-terminal whose master end belongs to the test, which reads output and types input.
final class PseudoTerminal {
    let master: Int32
    let slave: Int32
    /// All output read so far.
    private(set) var output: [UInt8] = []

    init(columns: Int = 80, rows: Int = 24) {
        var (master, slave): (Int32, Int32) = (-1, -1)
        var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        guard openpty(&master, &slave, nil, nil, &size) == 0 else { fatalError("no pseudo-terminal") }
        (self.master, self.slave) = (master, slave)
        for fd in [master, slave] { _ = fcntl(fd, F_SETFD, FD_CLOEXEC) }
    }

    private var isOpen = true

    func closeMaster() {
        if isOpen { close(master) }
        isOpen = false
    }

    deinit {
        closeMaster()
        close(slave)
    }

    var path: String { String(cString: ttyname(slave)) }

    /// The line settings of the terminal (`termios`), as text for comparison.
    var modes: String {
        var modes = termios()
        tcgetattr(slave, &modes)
        return "\(modes.c_iflag) \(modes.c_oflag) \(modes.c_cflag) \(modes.c_lflag)"
    }

    func resize(columns: Int, rows: Int) {
        var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(master, UInt(TIOCSWINSZ), &size)
    }

    func type(_ text: String) { type(Array(text.utf8)) }

    func type(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(master, $0.baseAddress, min($0.count, 1024)) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Reads the available output.
    func drain(milliseconds: Int32 = 0) {
        var wait = milliseconds
        guard isOpen else {
            usleep(UInt32(milliseconds) * 1000)
            return
        }
        while true {
            var descriptor = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
            guard poll(&descriptor, 1, wait) > 0, Int32(descriptor.revents) & POLLIN != 0 else { return }
            var block = [UInt8](repeating: 0, count: 65_536)
            let count = read(master, &block, block.count)
            guard count > 0 else { return }
            output += block[..<count]
            wait = 0
        }
    }

    /// Returns the output since the previous call.
    func readOutput() -> [UInt8] {
        drain()
        defer { output = [] }
        return output
    }

    /// All output as text, with blanks where the cursor skips unchanged cells.
    var text: String {
        String(decoding: output, as: UTF8.self).replacing(/\u{1B}\[(\d*)C/) { String(repeating: " ", count: Int($0.1) ?? 1) }
    }

    /// Reads until `text` appears. Returns false after a minute.
    func waits(for text: String) -> Bool {
        for _ in 0..<1200 {
            drain(milliseconds: 50)
            if self.text.contains(text) { return true }
        }
        return false
    }
}
