import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { type PricedLine, sumsOf } from '@heliograph/contract/invoices/amounts';
import { LOCALES, type Locale } from '@heliograph/contract/kernel/scope';
import { attachXml } from '../../src/modules/invoices/attach-xml.ts';
import type { IssuedDocument } from '../../src/modules/invoices/document.ts';
import { writeCii } from '../../src/modules/invoices/write-cii.ts';
import { writePdf } from '../../src/modules/invoices/write-pdf.ts';

const folder = mkdtempSync(join(tmpdir(), 'heliograph-papers-'));
mkdirSync(folder, { recursive: true });

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

const priced = (
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
function paper(lines: readonly PricedLine[], more: Partial<IssuedDocument> = {}): IssuedDocument {
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

const LINES = [priced(112_000, 3_000), priced(9_990, 7_000), priced(33_330, 1_000, 'exempt'), priced(50_000, -1_000)];
const pdfOf = (document: IssuedDocument) =>
  writePdf(document, (file) => attachXml(file, Buffer.from(writeCii(document)), document));

const CASES: Readonly<Record<string, IssuedDocument>> = {
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

test('an invoice is a PDF/A-3b in each language, with embedded fonts and data', async () => {
  for (const locale of LOCALES) {
    const pdf = await pdfOf(paper(LINES, { locale: locale as Locale }));
    writeFileSync(join(folder, `invoice-${locale}.pdf`), pdf);
    const text = pdf.toString('latin1');
    assert.match(text, /<pdfaid:part>3<\/pdfaid:part>\s*<pdfaid:conformance>B</);
    assert.match(text, /\/GTS_PDFA1/);
    assert.match(text, /\/AFRelationship \/Alternative/);
    assert.match(text, /factur-x\.xml/);
    // Standard fonts are not embedded; each font of this file is.
    assert.equal(/\/Type1\b(?!C)/.test(text), false);
    assert.equal(text.match(/\/FontFile[23]/g)?.length, text.match(/\/Type \/FontDescriptor/g)?.length);
  }
});

test('the data of an invoice has the sums of the document', () => {
  for (const [name, document] of Object.entries(CASES)) {
    const xml = writeCii(document);
    writeFileSync(join(folder, `${name}.xml`), xml);
    const sum = (element: string) => new RegExp(`<ram:${element}[^>]*>([^<]+)<`).exec(xml)?.[1];
    assert.equal(Number(sum('DuePayableAmount')) * 1000, document.payable, name);
    assert.equal(Number(sum('TaxTotalAmount')) * 1000, document.tax, name);
    const lines = [...xml.matchAll(/<ram:LineTotalAmount>([^<]+)</g)].map(([, amount]) => Number(amount));
    const total = lines.pop()!;
    assert.ok(Math.abs(lines.reduce((all, amount) => all + amount, 0) - total) < 1e-6, name);
  }
});

test('an invoice of 10,000 lines is written within 400 MB', async () => {
  const many = paper(Array.from({ length: 10_000 }, (_, i) => priced(1_000 + i, 1_000 + i)));
  const before = process.memoryUsage().rss;
  const pdf = await pdfOf(many);
  const used = (process.memoryUsage().rss - before) / 1e6;
  writeFileSync(join(folder, 'many.pdf'), pdf);
  const pages = pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length ?? 0;
  assert.ok(pages > 200, String(pages));
  assert.ok(used < 400, `${Math.round(used)} MB`);
});

/** Returns the output of a program, or null if this machine lacks it. */
function run(program: string, ...args: string[]): string | null {
  try {
    return execFileSync(program, args, { encoding: 'utf8' });
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return null;
    throw error;
  }
}

test('other programs read the pages, the fonts and the embedded data', async () => {
  const file = join(folder, 'other.pdf');
  writeFileSync(file, await pdfOf(paper(LINES, { locale: 'zh' })));
  const fonts = run('pdffonts', file);
  if (fonts !== null)
    for (const row of fonts.trim().split('\n').slice(2)) assert.match(row, /\s(yes)\s+(yes)\s+(yes|no)\s+\d+/, row);
  const embedded = run('pdfdetach', '-list', file);
  if (embedded !== null) assert.match(embedded, /factur-x\.xml/);
  run('qpdf', '--check', file);
});
