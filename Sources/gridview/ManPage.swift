import ArgumentParser
import DataGridTerminal
import GridviewApp

/// The manual page, created from the command line definition and the command table, so that it cannot differ from them.
enum ManPage {
    static func text() -> String {
        var page = """
            .TH GRIDVIEW 1 "\(GridviewVersion.date)" "gridview \(GridviewVersion.text)" "User Commands"
            .SH NAME
            gridview \\- look at a table of any size in the terminal
            .SH SYNOPSIS
            .B gridview
            .RI [ OPTIONS ]
            .RI [ FILE ]
            .SH DESCRIPTION
            \(escaped(GridviewCommand.configuration.discussion))

            """
        for (title, options) in CommandDescription.sections() {
            page += ".SH \(escaped(title.uppercased()))\n"
            for option in options {
                page +=
                    ".TP\n\\fB\(escaped(option.names.joined(separator: ", ")))\\fR\(option.value.map { " \\fI\(escaped($0))\\fR" } ?? "")\n\(escaped(option.help))\n"
            }
        }
        page += ".SH KEYS\nA number before a key repeats it.\n"
        for chapter in HelpText.chapters {
            page += ".SS \(escaped(chapter.title))\n"
            for entry in chapter.entries { page += ".TP\n\\fB\(escaped(entry.keys))\\fR\n\(escaped(entry.text))\n" }
        }
        page += """
            .SH EXIT STATUS
            0 when all went well, also when standard output was closed early; 1 when something could not be opened, read or written; 2 for wrong \
            usage; 128 and the number of the signal when one ended the program.
            .SH FILES
            .TP
            \\fI$XDG_CACHE_HOME/gridview/index\\fR, or \\fI~/.cache/gridview/index\\fR (on macOS \\fI~/Library/Caches/gridview/index\\fR)
            Where the rows of files over 1 GB begin, for when they are opened again. At most 256 MiB; can be deleted at any time. Nothing \
            is kept where the folder is not yours alone.
            .TP
            \\fI$XDG_CONFIG_HOME/gridview/themes/NAME.json\\fR, or \\fI~/.config/gridview/themes/NAME.json\\fR
            Themes of your own, for \\fB\\-\\-theme NAME\\fR. A file has a name, a preset to begin with, and what is other: \
            {"name": "mine", "base": "dark", "cursor": {"foreground": "#1c1c1c", "background": "#ffaf5f", "traits": ["bold"]}}
            .SH LIMITS
            Pipes and devices are copied to a temporary file without a name in \\fITMPDIR\\fR, else in \\fI/tmp\\fR. A pipe whose first line does \
            not end within 1 GiB is not a table, nor is a character device (\\fI/dev/zero\\fR) whose first line does not end within 64 MiB. Reading also \
            stops when less than 512 MiB of the disk, or a 20th of a smaller one, would stay free. The rows before that remain, a message \
            says why, and output ends with status 1.
            .PP
            A screen has 1 to 2,000 columns and rows, whatever the terminal or \\fB\\-\\-size\\fR says.
            .SH ENVIRONMENT
            .TP
            \\fBCOLUMNS\\fR
            The width of this help: 40 to 2,000. The screen is as large as the terminal.
            .TP
            \\fBTMPDIR\\fR
            Where temporary files are, see LIMITS.
            .TP
            \\fBNO_COLOR\\fR
            When set, no colours are used.
            .TP
            \\fBCOLORTERM\\fR
            truecolor or 24bit: the terminal shows 24-bit colours.
            .TP
            \\fBLC_ALL\\fR, \\fBLC_COLLATE\\fR, \\fBLANG\\fR
            The locale, by the first of them that is not empty: text is sorted by the letters of all alphabets, accents and case coming \
            last, unless it is C or POSIX.
            .TP
            \\fBXDG_CACHE_HOME\\fR, \\fBHOME\\fR
            Where caches are, see FILES; relative paths do not count.
            .TP
            \\fBXDG_CONFIG_HOME\\fR, \\fBHOME\\fR
            Where themes are, see FILES; relative paths do not count.

            """
        return page
    }

    private static func escaped(_ text: String) -> String {
        let plain = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
        // In roff, a line that starts with a dot or a quote is a request.
        return plain.split(separator: "\n", omittingEmptySubsequences: false).map { $0.first == "." || $0.first == "'" ? "\\&" + $0 : $0 }
            .joined(separator: "\n")
    }
}
