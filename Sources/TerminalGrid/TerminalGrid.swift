@_exported public import CursesTerminal
@_exported public import DataGrid
@_exported public import DataGridSources
@_exported public import DataGridTerminal
@_exported public import FieldValues
@_exported public import TerminalSurface
