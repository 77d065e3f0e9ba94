import type { IssuedDocument } from './document.ts';
import { XML_NAME } from './write-cii.ts';

/** Namespace of the facts about the embedded invoice, by Factur-X 1.0. */
const NAMESPACE = 'urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#';

const property = (name: string, description: string) => `
  <rdf:li rdf:parseType="Resource"><pdfaProperty:name>${name}</pdfaProperty:name><pdfaProperty:valueType>Text</pdfaProperty:valueType>
  <pdfaProperty:category>external</pdfaProperty:category><pdfaProperty:description>${description}</pdfaProperty:description></rdf:li>`;

/** Facts about the embedded invoice, and the schema that PDF/A requires for them. */
const METADATA = `
<rdf:Description rdf:about="" xmlns:fx="${NAMESPACE}">
  <fx:DocumentType>INVOICE</fx:DocumentType><fx:DocumentFileName>${XML_NAME}</fx:DocumentFileName>
  <fx:Version>1.0</fx:Version><fx:ConformanceLevel>EN 16931</fx:ConformanceLevel>
</rdf:Description>
<rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/"
  xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">
  <pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource">
    <pdfaSchema:schema>Factur-X PDFA Extension Schema</pdfaSchema:schema><pdfaSchema:namespaceURI>${NAMESPACE}</pdfaSchema:namespaceURI>
    <pdfaSchema:prefix>fx</pdfaSchema:prefix><pdfaSchema:property><rdf:Seq>
    ${property('DocumentFileName', 'Name of the embedded XML file')}${property('DocumentType', 'INVOICE')}
    ${property('Version', 'Version of the standard')}${property('ConformanceLevel', 'Conformance level of the XML data')}
    </rdf:Seq></pdfaSchema:property>
  </rdf:li></rdf:Bag></pdfaExtension:schemas>
</rdf:Description>`;

/** Embeds the data of an invoice in its PDF, as Factur-X and ZUGFeRD ask for it. */
export function attachXml(
  pdf: PDFKit.PDFDocument,
  xml: Buffer,
  { issue_date }: Pick<IssuedDocument, 'issue_date'>,
): void {
  const made = new Date(`${issue_date}T00:00:00Z`);
  pdf.file(xml, {
    name: XML_NAME,
    type: 'text/xml',
    description: 'EN 16931 invoice data',
    relationship: 'Alternative',
    creationDate: made,
    modifiedDate: made,
  } as never);
  (pdf as unknown as { appendXML(xml: string): void }).appendXML(METADATA);
}
