import CBuildInfo
import Tables

extension GridviewVersion {
    /// The line that `--version` prints: the name, the version and, if the build has recorded it, the commit.
    static var versionLine: String {
        let commit = String(cString: gridview_commit())
        return "gridview \(text)" + (commit.isEmpty ? "" : " (\(commit))")
    }
}
