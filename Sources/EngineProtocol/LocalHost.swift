/// True for the folder of a Unix socket, and for the loopback names and addresses of this computer.
package func isLocalHost(_ host: String) -> Bool {
    host.isEmpty || host.hasPrefix("/") || host.hasPrefix("@") || host.lowercased() == "localhost" || host == "::1" || host == "[::1]"
        || isLoopback(host)
}

/// True for `127.` followed by three numbers. A host name such as `127.example.com` is another computer.
private func isLoopback(_ host: String) -> Bool {
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
}
