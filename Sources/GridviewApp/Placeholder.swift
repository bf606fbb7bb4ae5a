// GridviewApp
