import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { LOCALES, type Locale } from '@heliograph/contract/kernel/scope';
import { writeCii } from '../../src/modules/invoices/write-cii.ts';
import { CASES, LINES, paper, pdfOf, priced } from './made-papers.ts';

const folder = mkdtempSync(join(tmpdir(), 'heliograph-papers-'));
mkdirSync(folder, { recursive: true });

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
