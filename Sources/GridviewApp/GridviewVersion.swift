/// Which gridview this is.
public enum GridviewVersion {
    /// Major, minor and patch, as `--version` prints it.
    public static let text = "0.1.0"
    /// When this version was made, for the manual page.
    public static let date = "2026-11-21"
}
