print("gridview")
