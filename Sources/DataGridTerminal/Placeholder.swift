// DataGridTerminal
