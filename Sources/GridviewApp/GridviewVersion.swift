/// Which gridview this is.
public enum GridviewVersion {
    /// Major, minor and patch, as `--version` prints it.
    public static let text = "0.1.0"
}
