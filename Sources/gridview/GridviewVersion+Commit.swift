import CBuildInfo
import Tables

extension GridviewVersion {
    /// The line that `--version` prints: name, version, and the commit if the build provides it.
    static var line: String {
        let commit = String(cString: gridview_commit())
        return "gridview \(text)" + (commit.isEmpty ? "" : " (\(commit))")
    }
}
