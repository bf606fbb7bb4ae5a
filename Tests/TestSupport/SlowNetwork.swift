import Foundation

/// A slow network between a program and a server on this computer.
///
/// A Python program forwards connections, and delays the bytes in both directions. The program ends when this object or the whole test
/// process ends.
public final class SlowNetwork: @unchecked Sendable {
    /// The port on the loopback network that leads to the server.
    public let port: Int
    private let program: Process
    private let input: FileHandle
    private let output: FileHandle

    /// Starts a network without a delay.
    /// - Parameter server: the port of the server.
    public init(to server: Int) throws {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("SlowNetwork/slow-network").path
        let process = Process()
        let toProgram = Pipe()
        let fromProgram = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", path, "\(server)"]
        process.standardInput = toProgram
        process.standardOutput = fromProgram
        // Other programs that the tests start must not keep the pipe open.
        _ = fcntl(toProgram.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
        try process.run()
        let answer = String(decoding: fromProgram.fileHandleForReading.availableData, as: UTF8.self)
        guard let number = Int(answer.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw ServerFailure("the slow network cannot be set up")
        }
        port = number
        program = process
        input = toProgram.fileHandleForWriting
        output = fromProgram.fileHandleForReading
    }

    deinit { stop() }

    /// Delays bytes in each direction. A round trip takes twice as long.
    public func delay(seconds: Double) throws { try sendCommand("delay \(seconds)") }

    /// Holds a part of the packets back for 200 to 400 ms, as if they were lost and sent again.
    public func losePackets(share: Double) throws { try sendCommand("loss \(share)") }

    /// Holds all bytes back.
    public func stall() throws { try sendCommand("stall") }

    /// Lets bytes arrive again after a stall.
    public func resume() throws { try sendCommand("go") }

    /// Closes all connections.
    public func closeConnections() throws { try sendCommand("close") }

    /// Ends the network, and so all its connections.
    public func stop() {
        try? input.close()
        program.waitUntilExit()
    }

    private func sendCommand(_ command: String) throws {
        try input.write(contentsOf: Data((command + "\n").utf8))
        guard !output.availableData.isEmpty else { throw ServerFailure("the slow network has ended") }
    }
}
