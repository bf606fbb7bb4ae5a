// DataGridSources
