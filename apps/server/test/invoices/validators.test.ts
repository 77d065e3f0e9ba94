import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { LOCALES } from '@heliograph/contract/kernel/scope';
import { writeCii } from '../../src/modules/invoices/write-cii.ts';
import { CASES, LINES, paper, pdfOf, priced } from './made-papers.ts';
import { faultsOfPdf, verdictOfXml, withoutValidators } from './validators.ts';

describe('validators that are not ours', { skip: withoutValidators }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'heliograph-validators-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  test('find no fault in the PDF of an invoice in any language, nor in one of many pages', async () => {
    const many = Array.from({ length: 100 }, (_, i) => priced(1_000 + i));
    const documents = [...LOCALES.map((locale) => paper(LINES, { locale })), paper(many), CASES['credit']!];
    for (const [place, document] of documents.entries()) {
      const file = join(folder, `${place}.pdf`);
      writeFileSync(file, await pdfOf(document));
      assert.deepEqual(await faultsOfPdf(file), [], `document ${place}`);
    }
  });

  test('find each document’s data valid by the schema of EN 16931', async () => {
    for (const [name, document] of Object.entries(CASES)) {
      const file = join(folder, `${name}.xml`);
      writeFileSync(file, writeCii(document));
      assert.equal(await verdictOfXml(file), 'validates', name);
    }
  });

  test('would find a font that is not embedded, and an element out of place', async () => {
    const broken = join(folder, 'broken.pdf');
    const pdf = (await pdfOf(paper(LINES))).toString('latin1').replace(/\/FontFile([23])/, '/FontFilf$1');
    writeFileSync(broken, pdf, 'latin1');
    assert.notDeepEqual(await faultsOfPdf(broken), []);
    const wrong = join(folder, 'wrong.xml');
    writeFileSync(wrong, writeCii(CASES['inclusive']!).replaceAll('ram:TypeCode', 'ram:KindCode'));
    assert.match(await verdictOfXml(wrong), /KindCode/);
  });
});
