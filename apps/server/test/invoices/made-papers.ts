import { type PricedLine, sumsOf } from '@heliograph/contract/invoices/amounts';
import { attachXml } from '../../src/modules/invoices/attach-xml.ts';
import type { IssuedDocument } from '../../src/modules/invoices/document.ts';
import { writeCii } from '../../src/modules/invoices/write-cii.ts';
import { writePdf } from '../../src/modules/invoices/write-pdf.ts';

const seller: IssuedDocument['seller'] = {
  preset: 'philippines',
  legal_name: 'Lamp Works & Sons Messaging Inc.',
  address: '12 Mirror Street\nSan Lorenzo',
  postal_code: '1226',
  city: 'Makati',
  country: 'PH',
  tax_number: '123-456-789-00000',
  registration_number: 'CS201912345',
  email: 'billing@lampworks.test',
  phone: '+63 2 8123 4567',
  permit_number: 'AC_047_112026_000123',
  tax_registered: true,
  exempt_reason: null,
  bank_name: 'Harbor Bank',
  bank_account: 'DE02120300000000202051',
  bank_code: 'BYLADEM1001',
  note: 'Thank you for sending with us.',
};
const buyer: IssuedDocument['buyer'] = {
  legal_name: '蓝港银行股份有限公司 Blue Harbor Bank Łódź',
  address: '5 Quay Road',
  postal_code: '6000',
  city: 'Cebu',
  country: 'PH',
  tax_number: '987-654-321-00000',
  registration_number: null,
  email: 'accounts@blueharbor.test',
  contact_name: 'Accounts payable',
  reference: 'PO-4711',
  tax_treatment: 'standard',
  exempt_reason: 'Agency of the United Nations',
  withholds: true,
};

/** Makes a line of an amount, a quantity and a tax category. */
export const priced = (
  unit_price: number,
  quantity = 1_000,
  tax_category: PricedLine['tax_category'] = 'standard',
): PricedLine => ({
  quantity,
  unit_price,
  tax_category,
  tax_rate: tax_category === 'standard' ? 12_000 : 0,
});

/** Makes an issued document of lines, as it is read from the database. */
export function paper(lines: readonly PricedLine[], more: Partial<IssuedDocument> = {}): IssuedDocument {
  const prices_include_tax = more.prices_include_tax ?? true;
  const { lines: amounts, ...sums } = sumsOf(lines, { currency: 'PHP', prices_include_tax, withholding_rate: 2_000 });
  return {
    id: 1,
    corporation_id: 1,
    seller_id: null,
    kind: 'invoice',
    number: 'INV-2026-00017',
    currency: 'PHP',
    locale: 'en',
    issue_date: '2026-11-28',
    due_date: '2026-12-13',
    period_from: '2026-10-01',
    period_to: '2026-10-31',
    reference: null,
    note: 'Traffic of October',
    reason: null,
    prices_include_tax,
    credited: null,
    seller,
    buyer,
    lines: lines.map((line, place) => ({
      ...line,
      position: place + 1,
      description: `Messages to network ${place + 1} <PH> & others, 一月的短信`,
      ...amounts[place]!,
    })),
    ...sums,
    look: { color: '#2f6fde', logo: null },
    ...more,
  };
}

export const LINES = [
  priced(112_000, 3_000),
  priced(9_990, 7_000),
  priced(33_330, 1_000, 'exempt'),
  priced(50_000, -1_000),
];
/** Writes the PDF of a document, with its data embedded. */
export const pdfOf = (document: IssuedDocument) =>
  writePdf(document, (file) => attachXml(file, Buffer.from(writeCii(document)), document));

/** Documents of each kind, by name. */
export const CASES: Readonly<Record<string, IssuedDocument>> = {
  inclusive: paper(LINES),
  exclusive: paper(LINES, { prices_include_tax: false }),
  unregistered: paper([priced(10_000, 1_000, 'outside')], { seller: { ...seller, tax_registered: false } }),
  credit: paper([priced(10_000)], {
    kind: 'credit_note',
    number: 'CN-2026-00001',
    due_date: null,
    reason: 'Wrong number of messages',
    credited: { number: 'INV-2026-00017', issue_date: '2026-11-28' },
  }),
  european: paper([priced(10_000)], {
    seller: { ...seller, preset: 'general', country: 'DE', tax_number: 'DE123456788' },
    currency: 'EUR',
  }),
};
