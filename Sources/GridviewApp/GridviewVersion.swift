/// The version of gridview. Build scripts and packages read it here; it is stated nowhere else.
public enum GridviewVersion {
    /// Major, minor and patch.
    public static let text = "0.1.0"
    /// The date of this version, for the man page and the packages.
    public static let date = "2026-11-21"
}
