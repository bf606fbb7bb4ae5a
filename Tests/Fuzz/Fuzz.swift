#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A parser that receives any bytes.
struct FuzzTarget: Sendable {
    let name: String
    /// The maximum number of bytes of an input.
    var maximumBytes = 4_096
    /// Reads the bytes. A thrown error is expected. A trap, a hang and a failed ``require(_:_:file:line:)`` are failures.
    let run: @Sendable (_ bytes: UnsafeBufferPointer<UInt8>) throws -> Void
}

/// The entry point of libFuzzer, which is linked by `-sanitize=fuzzer`.
@_silgen_name("LLVMFuzzerRunDriver")
private func runFuzzer(
    _ count: UnsafeMutablePointer<Int32>, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
    _ run: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32

/// The chosen target. It is set before the fuzzer starts, and used by one thread.
nonisolated(unsafe) private var chosen = FuzzTarget.all[0]

/// Runs the chosen target. The fuzzer's library calls this function by its name.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    // A parser throws an error for damaged input, which is not a failure.
    try? chosen.run(UnsafeBufferPointer(start: bytes, count: count))
    return 0
}

/// Runs a target with the options of libFuzzer:   Fuzz TARGET [OPTION…] [FOLDER…]
///
/// `--list` prints the names of the targets.
@main enum Fuzz {
    static func main() {
        let names = FuzzTarget.all.map(\.name)
        guard CommandLine.argc > 1, let first = CommandLine.unsafeArgv[1].map({ String(cString: $0) }), first != "--list" else {
            print(names.joined(separator: "\n"))
            return
        }
        guard let target = (FuzzTarget.all + FuzzTarget.controls).first(where: { $0.name == first }) else {
            let message = "Unknown target “\(first)”. Use one of \(names.joined(separator: ", ")).\n"
            _ = message.withCString { write(2, $0, strlen($0)) }
            exit(2)
        }
        chosen = target
        // These options come first, so that the command line can override them. Leaks are not searched for, because memory that other
        // threads still use would be reported, and because the search takes half of the time.
        let options = ["-detect_leaks=0", "-max_len=\(target.maximumBytes)", "-timeout=10", "-rss_limit_mb=2048", "-print_final_stats=1"]
        var arguments: [UnsafeMutablePointer<CChar>?] = [CommandLine.unsafeArgv[0]] + options.map { strdup($0) }
        for index in 2..<max(2, Int(CommandLine.argc)) { arguments.append(CommandLine.unsafeArgv[index]) }
        var count = Int32(arguments.count)
        arguments.append(nil)
        let status = arguments.withUnsafeMutableBufferPointer { list in
            var start = list.baseAddress
            return runFuzzer(&count, &start, testOneInput)
        }
        FuzzFolder.remove()
        exit(status)
    }
}

/// Ends the process if a condition does not hold, so that the fuzzer stores the input as a failure.
func require(_ holds: Bool, _ promise: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line) {
    if !holds { fatalError("broken: \(promise())", file: file, line: line) }
}
