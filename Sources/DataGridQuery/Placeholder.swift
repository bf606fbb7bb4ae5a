// DataGridQuery
