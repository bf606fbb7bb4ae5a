/// Which gridview this is.
public enum GridviewVersion {
    public static let text = "0.1.0"
}
