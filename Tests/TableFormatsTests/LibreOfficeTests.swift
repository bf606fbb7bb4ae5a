import FieldValues
import GridTestSupport
import Tables
import Testing

@testable import TableFormats

/// A spreadsheet in the form that LibreOffice writes, after the OpenDocument specification 1.3 (OASIS, 2021).
///
/// It has styles, a form, a shape, a comment, a link, merged and repeated cells, a filtered row, formulas, an error, and the empty rows and
/// columns up to the limits of the sheet.
@Suite struct LibreOfficeTests {
    private static let content = #"""
        <?xml version="1.0" encoding="UTF-8"?>
        <office:document-content
         xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
         xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"
         xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"
         xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0"
         xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"
         xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0"
         xmlns:number="urn:oasis:names:tc:opendocument:xmlns:datastyle:1.0"
         xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"
         xmlns:dc="http://purl.org/dc/elements/1.1/"
         xmlns:xlink="http://www.w3.org/1999/xlink"
         xmlns:of="urn:oasis:names:tc:opendocument:xmlns:of:1.2"
         xmlns:calcext="urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0"
         xmlns:loext="urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0" office:version="1.3">
        <office:scripts/>
        <office:font-face-decls><style:font-face style:name="Liberation Sans" svg:font-family="&apos;Liberation Sans&apos;" style:font-family-generic="swiss" style:font-pitch="variable"/></office:font-face-decls>
        <office:automatic-styles>
        <style:style style:name="co1" style:family="table-column"><style:table-column-properties fo:break-before="auto" style:column-width="0.889in"/></style:style>
        <style:style style:name="ro1" style:family="table-row"><style:table-row-properties style:row-height="0.178in" style:use-optimal-row-height="true"/></style:style>
        <style:style style:name="ta1" style:family="table" style:master-page-name="Default"><style:table-properties table:display="true" style:writing-mode="lr-tb"/></style:style>
        <number:percentage-style style:name="N11"><number:number number:decimal-places="2" number:min-decimal-places="2" number:min-integer-digits="1"/><number:text>%</number:text></number:percentage-style>
        <number:date-style style:name="N84"><number:year number:style="long"/><number:text>-</number:text><number:month number:style="long"/><number:text>-</number:text>
        <number:day number:style="long"/></number:date-style>
        <style:style style:name="ce1" style:family="table-cell" style:parent-style-name="Default" style:data-style-name="N84"/>
        <style:style style:name="T1" style:family="text"><style:text-properties fo:font-weight="bold"/></style:style></office:automatic-styles>
        <office:body>
        <office:spreadsheet><table:calculation-settings table:case-sensitive="false" table:automatic-find-labels="false" table:use-regular-expressions="false" table:use-wildcards="true"><table:iteration table:maximum-difference="0.0001"/></table:calculation-settings>
        <table:table table:name="Sales" table:style-name="ta1">
        <office:forms form:automatic-focus="false" form:apply-design-mode="false"
         xmlns:form="urn:oasis:names:tc:opendocument:xmlns:form:1.0"/><table:shapes><draw:frame draw:z-index="0"><draw:text-box><text:p>a shape</text:p></draw:text-box></draw:frame></table:shapes><table:table-column table:style-name="co1" table:number-columns-repeated="7" table:default-cell-style-name="Default"/><table:table-column table:style-name="co1" table:number-columns-repeated="16377" table:default-cell-style-name="ce1"/>
        <table:table-row table:style-name="ro1">
        <table:table-cell office:value-type="string" calcext:value-type="string"><text:p>day</text:p></table:table-cell>
        <table:table-cell office:value-type="string" calcext:value-type="string"><text:p>start</text:p></table:table-cell>
        <table:table-cell office:value-type="string" calcext:value-type="string"><text:p>share</text:p></table:table-cell>
        <table:table-cell office:value-type="string" calcext:value-type="string"><text:p>price</text:p></table:table-cell>
        <table:table-cell office:value-type="string" calcext:value-type="string"><text:p>paid</text:p></table:table-cell>
        <table:table-cell office:value-type="string" calcext:value-type="string"><text:p>note</text:p></table:table-cell>
        <table:table-cell office:value-type="string" calcext:value-type="string"><text:p>total</text:p></table:table-cell>
        <table:table-cell table:number-columns-repeated="16377"/></table:table-row>
        <table:table-row table:style-name="ro1">
        <table:table-cell table:style-name="ce1" office:value-type="date" office:date-value="2024-02-29" calcext:value-type="date"><text:p>29.02.24</text:p></table:table-cell>
        <table:table-cell office:value-type="time" office:time-value="PT08H30M00S" calcext:value-type="time"><text:p>08:30:00</text:p></table:table-cell>
        <table:table-cell office:value-type="percentage" office:value="0.125" calcext:value-type="percentage"><text:p>12.50%</text:p></table:table-cell>
        <table:table-cell office:value-type="currency" office:currency="EUR" office:value="1234.5" calcext:value-type="currency"><text:p>1,234.50 €</text:p></table:table-cell>
        <table:table-cell office:value-type="boolean" office:boolean-value="true" calcext:value-type="boolean"><text:p>TRUE</text:p></table:table-cell>
        <table:table-cell office:value-type="string" calcext:value-type="string">
        <office:annotation draw:style-name="gr1" svg:width="1.14in" svg:height="0.7in" draw:caption-point-x="-0.24in"><dc:creator>Ann</dc:creator><dc:date>2024-03-01T10:00:00</dc:date><text:p text:style-name="P1">a comment</text:p></office:annotation><text:p>two<text:s text:c="2"/>spaces<text:s/></text:p><text:p><text:span text:style-name="T1">second</text:span> line &lt;x&gt;</text:p></table:table-cell>
        <table:table-cell table:formula="of:=[.D2]*2" office:value-type="float" office:value="2469" calcext:value-type="float"><text:p>2469</text:p></table:table-cell>
        <table:table-cell table:number-columns-repeated="16377"/></table:table-row>
        <table:table-row table:style-name="ro1" table:number-rows-repeated="2">
        <table:table-cell table:style-name="ce1" office:value-type="date" office:date-value="2024-03-01" calcext:value-type="date"><text:p>01.03.24</text:p></table:table-cell>
        <table:table-cell office:value-type="time" office:time-value="PT26H00M00.500000000S" calcext:value-type="time"><text:p>26:00:01</text:p></table:table-cell>
        <table:table-cell office:value-type="percentage" office:value="1" calcext:value-type="percentage"><text:p>100.00%</text:p></table:table-cell>
        <table:table-cell office:value-type="currency" office:currency="EUR" office:value="-3" calcext:value-type="currency"><text:p>-3.00 €</text:p></table:table-cell>
        <table:table-cell office:value-type="boolean" office:boolean-value="false" calcext:value-type="boolean"><text:p>FALSE</text:p></table:table-cell>
        <table:table-cell office:value-type="string" calcext:value-type="string" table:number-columns-spanned="2" table:number-rows-spanned="1"><text:p><text:a xlink:href="https://example.org/" xlink:type="simple">a link</text:a></text:p></table:table-cell><table:covered-table-cell office:value-type="float" office:value="99" calcext:value-type="float"><text:p>99</text:p></table:covered-table-cell>
        <table:table-cell table:number-columns-repeated="16377"/></table:table-row>
        <table:table-row table:style-name="ro1" table:visibility="filter">
        <table:table-cell table:style-name="ce1"/>
        <table:table-cell table:number-columns-repeated="4"/>
        <table:table-cell table:formula="of:=NA()" office:value-type="string" office:string-value="" calcext:value-type="error"><text:p>#N/A</text:p></table:table-cell>
        <table:table-cell table:formula="of:=&quot;a&quot;&amp;&quot;b&quot;" office:value-type="string" office:string-value="ab" calcext:value-type="string"><text:p>ab</text:p></table:table-cell>
        <table:table-cell table:number-columns-repeated="16377"/></table:table-row>
        <table:table-row table:style-name="ro1" table:number-rows-repeated="1048570">
        <table:table-cell table:number-columns-repeated="16384"/></table:table-row>
        <table:table-row table:style-name="ro1">
        <table:table-cell table:number-columns-repeated="16384"/></table:table-row></table:table>
        <table:table table:name="Sheet2" table:style-name="ta1"><table:table-column table:style-name="co1" table:number-columns-repeated="16384" table:default-cell-style-name="Default"/>
        <table:table-row table:style-name="ro1" table:number-rows-repeated="1048576">
        <table:table-cell table:number-columns-repeated="16384"/></table:table-row></table:table><table:named-expressions/><table:database-ranges><table:database-range table:name="__Anonymous_Sheet_DB__0" table:target-range-address="Sales.A1:Sales.G5" table:display-filter-buttons="true"/></table:database-ranges></office:spreadsheet></office:body></office:document-content>
        """#

    @Test func `18.7: a spreadsheet of LibreOffice has the values and types of its cells`() throws {
        let folder = try TemporaryFolder()
        let manifest = "<manifest:manifest xmlns:manifest=\"urn:oasis:names:tc:opendocument:xmlns:manifest:1.0\"/>"
        let builder = ZipBuilder([
            ("mimetype", OpenDocumentFormat.mediaType), ("content.xml", Self.content), ("META-INF/manifest.xml", manifest),
        ])
        let source = try FileOpener().open(path: folder.file("b.ods", bytes: builder.bytes))
        try source.readAll(threads: 1) { _ in true }
        #expect(titles(source) == ["day", "start", "share", "price", "paid", "note", "total"])
        let row = ["2024-03-01", "26:00:00.5", "100%", "-3", "false", "a link", ""]
        #expect(
            try rowTexts(source) == [
                ["2024-02-29", "08:30:00", "12.5%", "1234.5", "true", "two  spaces \nsecond line <x>", "2469"], row, row,
                ["", "", "", "", "", "#N/A", "ab"],
            ])
        let kinds = source.profiles(budgetMilliseconds: 1_000).map(\.kind)
        #expect(kinds == [.date, .text, .decimal, .decimal, .flag, .text, .text])
    }
}
