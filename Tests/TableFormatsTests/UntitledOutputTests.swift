import FieldValues
import GridTestSupport
import TableFormats
import Tables
import Testing

/// Columns of output without titles: `apt list`, `mount` and `du`.
@Suite struct UntitledOutputTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `17.3: the output of apt list has columns, and other lines are text in the last one`() throws {
        let packages = """
            adduser/noble,now 3.137ubuntu1 all [installed,automatic]
            zlib1g/noble-updates 1:1.3.dfsg-3.1ubuntu2.1 amd64 [upgradable from: 1:1.3.dfsg-3.1ubuntu2]
            0ad/noble 0.0.26-5 amd64

            """
        let rows = [
            ["adduser", "noble,now", "3.137ubuntu1", "all", "installed,automatic"],
            ["zlib1g", "noble-updates", "1:1.3.dfsg-3.1ubuntu2.1", "amd64", "upgradable from: 1:1.3.dfsg-3.1ubuntu2"],
            ["0ad", "noble", "0.0.26-5", "amd64", ""],
        ]
        for start in ["", "Listing...\n", "Auflistung… Fertig\n"] {
            let source = try folder.readOutput(start + packages)
            #expect(titles(source) == ["package", "suite", "version", "architecture", "state"] && !source.hasColumnNames)
            #expect(try rowTexts(source) == rows && source.suggestions == [] && source.problems == [])
        }
        let many = try folder.readOutput(
            "Listing... Done\n" + String(repeating: packages, count: 20) + "N: There is 1 additional version.\n")
        #expect(try rowTexts(many).last == ["", "", "", "", "N: There is 1 additional version."] && rowTexts(many).count == 61)
        // Paths with numbers are not packages.
        #expect(try titles(folder.readOutput("src/a 1.5 x\nsrc/b 2.5 y\nsrc/c 3 z\n")).first != "package")
    }

    @Test func `17.3: the output of mount is read as columns, even if directory names contain blanks`() throws {
        let text = """
            proc on /proc type proc (rw,relatime)
            devtmpfs on /dev type devtmpfs (rw,relatime,size=12334524k,nr_inodes=3083631,mode=755)
            //nas/my share on /mnt/my type disk type cifs (rw,relatime)
            overlay on / type overlay (rw)

            """
        let source = try folder.readOutput(text + String(repeating: text, count: 500) + "other text\n")
        #expect(titles(source) == ["device", "directory", "type", "options"])
        let found = try rowTexts(source)
        #expect(found[1] == ["devtmpfs", "/dev", "devtmpfs", "rw,relatime,size=12334524k,nr_inodes=3083631,mode=755"])
        #expect(found[2] == ["//nas/my share", "/mnt/my type disk", "cifs", "rw,relatime"])
        #expect(found.count == 2_005 && found[2_003][0] == "overlay" && found[2_004] == ["", "", "", "other text"])
        #expect(
            try titles(folder.readOutput("He sat on /the/ type of chair (old)\nShe was on a new type of diet (hard)\nIt was raining\n"))
                == ["line"])
        #expect(try titles(folder.readOutput(text, as: "lines")) == ["line"])
    }

    @Test(arguments: ["\t", "    "]) func `17.3: the output of du has no header, whether it is small or large`(
        gap: String
    ) throws {
        for count in [3, 200_000] {
            let files = (0..<count).map { [["4.0K", "1.5M", "234M"][$0 % 3], "/usr/lib/f\($0)"] }
            let source = try folder.readOutput(files.map { $0.joined(separator: gap) + "\n" }.joined())
            #expect(!source.hasColumnNames && source.suggestions == [], "\(titles(source))")
            #expect(try rowTexts(source) == files)
        }
        let single = try folder.readOutput("4.0K\t/usr/games\n")
        #expect(try !single.hasColumnNames && rowTexts(single) == [["4.0K", "/usr/games"]])
    }
}
