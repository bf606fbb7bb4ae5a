# `make formula` fills in the address, the version and the checksum.
class Gridview < Formula
  desc "Terminal viewer for tables of any size"
  homepage "@URL@"
  url "@URL@/releases/download/v@VERSION@/gridview-@VERSION@.tar.gz"
  sha256 "@SHA256@"
  license "MIT"
  head "@URL@.git", branch: "main"

  depends_on "ncurses"
  depends_on "re2"

  on_macos do
    depends_on xcode: ["26.0", :build]
    depends_on macos: :sequoia
  end

  on_linux do
    depends_on "swift" => :build
  end

  def install
    # Homebrew builds in a sandbox of its own; SwiftPM's cannot run inside it.
    system "make", "install", "PREFIX=#{prefix}", "SWIFT_FLAGS=--disable-sandbox"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/gridview --version")
    (testpath/"a.csv").write("name,n\nb,2\na,1\n")
    assert_equal "name,n\na,1\nb,2\n", shell_output("#{bin}/gridview a.csv --sort n -o csv")
  end
end
