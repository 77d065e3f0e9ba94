import { minorDigits, type TaxCategory } from '@heliograph/contract/invoices/amounts';
import { fromThousandths } from '@heliograph/contract/kernel/money';
import type { DocumentLine, IssuedDocument } from './document.ts';

/** Name of the file inside the PDF, by Factur-X 1.0 and ZUGFeRD 2.3. */
export const XML_NAME = 'factur-x.xml';

// Codes of UNCL 1001 (kinds of documents), UNCL 5305 (categories of tax) and UN/ECE recommendation 20 (C62: one).
const TYPES = { invoice: '380', credit_note: '381' } as const;
const CATEGORIES: Readonly<Record<TaxCategory, string>> = { standard: 'S', zero: 'Z', exempt: 'E', outside: 'O' };
const UNIT = 'C62';

/** Characters that XML 1.0 allows; others are left out. */
const FORBIDDEN = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;
const SIGNS: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string) => text.replace(FORBIDDEN, '').replace(/[&<>"]/g, (sign) => SIGNS[sign]!);

const element = (name: string, text: string | null | undefined, attributes = ''): string =>
  text === null || text === undefined || text === '' ? '' : `<${name}${attributes}>${escaped(text)}</${name}>`;
const day = (date: string) => `<udt:DateTimeString format="102">${date.replaceAll('-', '')}</udt:DateTimeString>`;

/** Writes an issued invoice or credit note as Cross Industry Invoice (D16B) by EN 16931. */
export function writeCii(document: IssuedDocument): string {
  const digits = minorDigits(document.currency);
  const amount = (thousandths: number) => {
    const decimal = fromThousandths(thousandths);
    return digits === 0 ? decimal.slice(0, -4) : decimal.slice(0, decimal.length - 3 + digits);
  };
  const type = TYPES[document.kind as keyof typeof TYPES];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>\n',
    '<rsm:CrossIndustryInvoice xmlns:rsm="urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100"',
    ' xmlns:ram="urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100"',
    ' xmlns:qdt="urn:un:unece:uncefact:data:standard:QualifiedDataType:100"',
    ' xmlns:udt="urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100">',
    '<rsm:ExchangedDocumentContext><ram:GuidelineSpecifiedDocumentContextParameter><ram:ID>urn:cen.eu:en16931:2017</ram:ID>',
    '</ram:GuidelineSpecifiedDocumentContextParameter></rsm:ExchangedDocumentContext>',
    `<rsm:ExchangedDocument>${element('ram:ID', document.number)}<ram:TypeCode>${type}</ram:TypeCode>`,
    `<ram:IssueDateTime>${day(document.issue_date)}</ram:IssueDateTime>`,
    ...[document.reason, document.note, document.seller.note]
      .filter(Boolean)
      .map((text) => `<ram:IncludedNote>${element('ram:Content', text)}</ram:IncludedNote>`),
    '</rsm:ExchangedDocument><rsm:SupplyChainTradeTransaction>',
    ...document.lines.map((line) => lineItem(line, document.prices_include_tax, amount)),
    '<ram:ApplicableHeaderTradeAgreement>',
    element('ram:BuyerReference', document.reference ?? document.buyer.reference),
    `<ram:SellerTradeParty>${element('ram:ID', document.seller.tax_number)}${party(document.seller, false)}</ram:SellerTradeParty>`,
    `<ram:BuyerTradeParty>${element('ram:ID', document.buyer.tax_number)}${party(document.buyer, hasOutside(document))}</ram:BuyerTradeParty>`,
    '</ram:ApplicableHeaderTradeAgreement><ram:ApplicableHeaderTradeDelivery>',
    `<ram:ActualDeliverySupplyChainEvent><ram:OccurrenceDateTime>${day(document.period_to ?? document.issue_date)}</ram:OccurrenceDateTime></ram:ActualDeliverySupplyChainEvent>`,
    '</ram:ApplicableHeaderTradeDelivery>',
    settlement(document, amount),
    '</rsm:SupplyChainTradeTransaction></rsm:CrossIndustryInvoice>',
  ].join('');
}

type Amount = (thousandths: number) => string;

const hasOutside = ({ taxes }: IssuedDocument) => taxes.some(({ tax_category }) => tax_category === 'outside');

/**
 * Writes a line. If prices include tax, the price without tax is stated for the whole quantity, so that quantity and
 * price give the amount exactly.
 */
function lineItem(line: DocumentLine, inclusive: boolean, amount: Amount): string {
  const quantity = fromThousandths(line.quantity);
  const whole = inclusive ? fromThousandths(Math.abs(line.net)) : fromThousandths(line.unit_price);
  const basis = inclusive ? fromThousandths(Math.abs(line.quantity)) : '1';
  return [
    '<ram:IncludedSupplyChainTradeLineItem><ram:AssociatedDocumentLineDocument>',
    element('ram:LineID', String(line.position)),
    `</ram:AssociatedDocumentLineDocument><ram:SpecifiedTradeProduct>${element('ram:Name', line.description)}</ram:SpecifiedTradeProduct>`,
    '<ram:SpecifiedLineTradeAgreement><ram:NetPriceProductTradePrice>',
    element('ram:ChargeAmount', whole),
    element('ram:BasisQuantity', basis, ` unitCode="${UNIT}"`),
    '</ram:NetPriceProductTradePrice></ram:SpecifiedLineTradeAgreement><ram:SpecifiedLineTradeDelivery>',
    element('ram:BilledQuantity', quantity, ` unitCode="${UNIT}"`),
    '</ram:SpecifiedLineTradeDelivery><ram:SpecifiedLineTradeSettlement><ram:ApplicableTradeTax><ram:TypeCode>VAT</ram:TypeCode>',
    categoryAndRate(line),
    '</ram:ApplicableTradeTax><ram:SpecifiedTradeSettlementLineMonetarySummation>',
    element('ram:LineTotalAmount', amount(line.net)),
    '</ram:SpecifiedTradeSettlementLineMonetarySummation></ram:SpecifiedLineTradeSettlement></ram:IncludedSupplyChainTradeLineItem>',
  ].join('');
}

/** Category and rate of a tax; what is outside the tax has no rate (BR-O-05). */
const categoryAndRate = ({ tax_category, tax_rate }: { tax_category: TaxCategory; tax_rate: number }): string =>
  element('ram:CategoryCode', CATEGORIES[tax_category]) +
  (tax_category === 'outside' ? '' : element('ram:RateApplicablePercent', fromThousandths(tax_rate)));

interface Party {
  legal_name: string;
  address: string;
  postal_code: string | null;
  city: string;
  country: string;
  tax_number: string | null;
  registration_number: string | null;
  email: string | null;
}

/**
 * Writes a party behind its identifier. A number that begins with its country's letters is a VAT identifier (BR-CO-09);
 * any other is a tax registration of the seller.
 */
function party(of: Party & { contact_name?: string | null; phone?: string | null }, withoutVat: boolean): string {
  const [one, two, ...rest] = of.address.split('\n').filter((line) => line.trim() !== '');
  const number = of.tax_number;
  const isVat = number !== null && (number.startsWith(of.country) || (of.country === 'GR' && number.startsWith('EL')));
  const seller = 'phone' in of;
  const scheme = isVat ? 'VA' : 'FC';
  return [
    element('ram:Name', of.legal_name),
    of.registration_number &&
      `<ram:SpecifiedLegalOrganization>${element('ram:ID', of.registration_number)}</ram:SpecifiedLegalOrganization>`,
    of.contact_name &&
      `<ram:DefinedTradeContact>${element('ram:PersonName', of.contact_name)}</ram:DefinedTradeContact>`,
    '<ram:PostalTradeAddress>',
    element('ram:PostcodeCode', of.postal_code),
    element('ram:LineOne', one),
    element('ram:LineTwo', two),
    element('ram:LineThree', rest.join(', ')),
    element('ram:CityName', of.city),
    element('ram:CountryID', of.country),
    '</ram:PostalTradeAddress>',
    of.email &&
      `<ram:URIUniversalCommunication>${element('ram:URIID', of.email, ' schemeID="EM"')}</ram:URIUniversalCommunication>`,
    number &&
      (seller || isVat) &&
      !withoutVat &&
      `<ram:SpecifiedTaxRegistration>${element('ram:ID', number, ` schemeID="${scheme}"`)}</ram:SpecifiedTaxRegistration>`,
  ]
    .filter(Boolean)
    .join('');
}

/** Reasons that a category without tax needs (BR-E-10, BR-O-10). */
function reasonFor({ seller, buyer }: IssuedDocument, category: TaxCategory): string {
  if (category === 'exempt')
    return element('ram:ExemptionReason', buyer.exempt_reason ?? seller.exempt_reason ?? 'Exempt');
  return category === 'outside' ? element('ram:ExemptionReason', seller.exempt_reason ?? 'Not subject to VAT') : '';
}

function settlement(document: IssuedDocument, amount: Amount): string {
  const { seller, currency, kind } = document;
  const iban = seller.bank_account?.replaceAll(' ', '');
  const isIban = iban !== undefined && /^[A-Z]{2}\d{2}[A-Z0-9]{10,30}$/.test(iban);
  return [
    '<ram:ApplicableHeaderTradeSettlement>',
    element('ram:PaymentReference', document.number),
    element('ram:InvoiceCurrencyCode', currency),
    iban &&
      kind === 'invoice' &&
      [
        `<ram:SpecifiedTradeSettlementPaymentMeans><ram:TypeCode>${isIban ? '58' : '30'}</ram:TypeCode><ram:PayeePartyCreditorFinancialAccount>`,
        element(isIban ? 'ram:IBANID' : 'ram:ProprietaryID', iban),
        '</ram:PayeePartyCreditorFinancialAccount>',
        seller.bank_code &&
          `<ram:PayeeSpecifiedCreditorFinancialInstitution>${element('ram:BICID', seller.bank_code)}</ram:PayeeSpecifiedCreditorFinancialInstitution>`,
        '</ram:SpecifiedTradeSettlementPaymentMeans>',
      ]
        .filter(Boolean)
        .join(''),
    ...document.taxes.map((each) =>
      [
        '<ram:ApplicableTradeTax>',
        element('ram:CalculatedAmount', amount(each.tax)),
        '<ram:TypeCode>VAT</ram:TypeCode>',
        reasonFor(document, each.tax_category),
        element('ram:BasisAmount', amount(each.taxable)),
        categoryAndRate(each),
        '</ram:ApplicableTradeTax>',
      ].join(''),
    ),
    document.period_from &&
      document.period_to &&
      `<ram:BillingSpecifiedPeriod><ram:StartDateTime>${day(document.period_from)}</ram:StartDateTime><ram:EndDateTime>${day(document.period_to)}</ram:EndDateTime></ram:BillingSpecifiedPeriod>`,
    // An amount that is due needs a day or terms (BR-CO-25).
    document.due_date
      ? `<ram:SpecifiedTradePaymentTerms><ram:DueDateDateTime>${day(document.due_date)}</ram:DueDateDateTime></ram:SpecifiedTradePaymentTerms>`
      : `<ram:SpecifiedTradePaymentTerms>${element('ram:Description', document.reason ?? document.number)}</ram:SpecifiedTradePaymentTerms>`,
    '<ram:SpecifiedTradeSettlementHeaderMonetarySummation>',
    element('ram:LineTotalAmount', amount(document.net)),
    element('ram:TaxBasisTotalAmount', amount(document.net)),
    element('ram:TaxTotalAmount', amount(document.tax), ` currencyID="${currency}"`),
    document.rounding !== 0 && element('ram:RoundingAmount', amount(document.rounding)),
    element('ram:GrandTotalAmount', amount(document.net + document.tax)),
    element('ram:DuePayableAmount', amount(document.payable)),
    '</ram:SpecifiedTradeSettlementHeaderMonetarySummation>',
    document.credited &&
      `<ram:InvoiceReferencedDocument>${element('ram:IssuerAssignedID', document.credited.number)}<ram:FormattedIssueDateTime><qdt:DateTimeString format="102">${document.credited.issue_date.replaceAll('-', '')}</qdt:DateTimeString></ram:FormattedIssueDateTime></ram:InvoiceReferencedDocument>`,
    '</ram:ApplicableHeaderTradeSettlement>',
  ]
    .filter(Boolean)
    .join('');
}
