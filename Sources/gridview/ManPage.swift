import ArgumentParser
import DataGridTerminal
import GridviewApp
import Tables

/// The manual page. It is created from the definition of the command line and from the command table, so that they always agree.
enum ManPage {
    static func text() -> String {
        var page = """
            .TH GRIDVIEW 1 "\(GridviewVersion.date)" "gridview \(GridviewVersion.text)" "User Commands"
            .SH NAME
            gridview \\- view a table of any size in the terminal
            .SH SYNOPSIS
            .B gridview
            .RI [ OPTIONS ]
            .RI [ FILE " ...]"
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
        page += ".SH KEYS\nA number before a key repeats it: 5j moves down five rows.\n"
        for chapter in HelpText.chapters {
            page += ".SS \(escaped(chapter.title))\n"
            for entry in chapter.entries { page += ".TP\n\\fB\(escaped(entry.keys))\\fR\n\(escaped(entry.text))\n" }
        }
        page += """
            .SH EXIT STATUS
            0 on success, even if standard output was closed early; 1 if an input could not be opened or read to its end, the output could \
            not be written, or the output lacks something of the input, such as invalid rows, which standard error reports; with \
            \\fB\\-\\-pick\\fR, 1 if no row was picked and 130 after Ctrl\\-C; 2 on a usage error; 128 + signal number if killed.
            .SH FILES
            .TP
            \\fI$XDG_CACHE_HOME/gridview/index\\fR, or \\fI~/.cache/gridview/index\\fR (on macOS \\fI~/Library/Caches/gridview/index\\fR)
            Row indexes of files over 1 GB and of gzip files of at least 64 MiB, which then open faster. For gzip files, also parts of the \
            decoded content. At most 256 MiB; safe to delete. Not written if other users can write to the folder.
            .TP
            \\fI$XDG_CONFIG_HOME/gridview/themes/NAME.json\\fR, or \\fI~/.config/gridview/themes/NAME.json\\fR
            Your own themes, for \\fB\\-\\-theme NAME\\fR. A theme file has a name, a preset to start from, and the parts that differ from it: \
            {"name": "mine", "base": "dark", "cursor": {"foreground": "#1c1c1c", "background": "#ffaf5f", "traits": ["bold"]}}
            .TP
            \\fI$XDG_CONFIG_HOME/gridview/config.toml\\fR, or \\fI~/.config/gridview/config.toml\\fR
            Settings, in TOML. \\fB\\-\\-write\\-config\\fR prints all of them with their defaults. Errors are reported, and the \
            program continues.
            .TP
            \\fI$XDG_STATE_HOME/gridview/first\\-use\\fR, or \\fI~/.local/state/gridview/first\\-use\\fR
            An empty file, created when gridview quits for the first time. Until one day after that, gridview starts with a message that \
            names five keys.
            .TP
            \\fI$XDG_STATE_HOME/gridview/views\\fR, or \\fI~/.local/state/gridview/views\\fR
            The last views of at most 200 files, saved when you quit, with the values in their filters; safe to delete. \
            \\fB\\-\\-no\\-recent\\-views\\fR saves none.
            .SH LIMITS
            Pipes and devices are copied to an unnamed temporary file in \\fITMPDIR\\fR (default: \\fI/tmp\\fR). A pipe is rejected if its \
            first line is longer than 1 GiB. A character device, such as \\fI/dev/zero\\fR, is rejected if its first line is longer than \
            64 MiB. Reading stops when less than 512 MiB of the disk would remain free (5 % of a disk under 10 GiB). A message explains the \
            reason, and the rows read so far stay available. Batch output writes them and exits with status 1.
            .PP
            A screen has 1 to 2,000 columns and rows.
            .SH ENVIRONMENT
            .TP
            \\fBCOLUMNS\\fR
            Width of the \\fB\\-\\-help\\fR text: 40 to 2,000. The screen always has the size of the terminal.
            .TP
            \\fBTMPDIR\\fR
            Folder of temporary files; see LIMITS.
            .TP
            \\fBTMUX\\fR, \\fBWAYLAND_DISPLAY\\fR, \\fBDISPLAY\\fR
            If set, copied text also goes to tmux, to wl\\-copy, or to xclip or xsel, where installed.
            .TP
            \\fBNO_COLOR\\fR
            If set, no colors are used.
            .TP
            \\fBCOLORTERM\\fR
            truecolor or 24bit if the terminal shows 24-bit colors.
            .TP
            \\fBCOLORFGBG\\fR
            Colors of the terminal, such as 0;15 for a light background. Used only until the terminal reports its background.
            .TP
            \\fBLC_ALL\\fR, \\fBLC_COLLATE\\fR, \\fBLANG\\fR
            Locale; the first nonempty one is used. Text sorts alphabetically by base letters, then by accents and case, unless \
            the locale is C or POSIX.
            .TP
            \\fBXDG_CACHE_HOME\\fR, \\fBHOME\\fR
            Folder of caches; see FILES. Relative paths are ignored.
            .TP
            \\fBXDG_CONFIG_HOME\\fR, \\fBHOME\\fR
            Folder of settings and themes; see FILES. Relative paths are ignored.
            .TP
            \\fBXDG_STATE_HOME\\fR, \\fBHOME\\fR
            Folder of saved views and of the file \\fIfirst\\-use\\fR; see FILES. Relative paths are ignored.

            """
        return page
    }

    private static func escaped(_ text: String) -> String {
        let plain = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
        // Escape lines that start with a dot or a quote, because roff would run them as commands.
        return plain.split(separator: "\n", omittingEmptySubsequences: false).map { $0.first == "." || $0.first == "'" ? "\\&" + $0 : $0 }
            .joined(separator: "\n")
    }
}
