// One import for programs with a grid: re-exports the modules that they need.

@_exported public import CursesTerminal
@_exported public import DataGrid
@_exported public import DataGridFoundation
@_exported public import DataGridSources
@_exported public import DataGridTerminal
@_exported public import FieldValues
@_exported public import TerminalSurface
