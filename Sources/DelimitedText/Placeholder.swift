// DelimitedText
