/// The version of gridview. This is its only definition; build scripts and packages read it here.
package enum GridviewVersion {
    /// The version number: major, minor and patch.
    package static let text = "0.1.0"
    /// The date of this version, for the man page and the packages.
    package static let date = "2026-11-21"
}
