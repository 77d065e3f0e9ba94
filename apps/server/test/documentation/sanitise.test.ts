import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { plainOf, sanitise } from '#modules/documentation';
import { HOSTILE_HTML, harmIn } from './hostile-html.ts';

const IMAGE = `/api/v1/article-images/${'a'.repeat(32)}`;

test('no part of an attack that runs, loads or misleads is left', () => {
  assert.ok(HOSTILE_HTML.length >= 50, String(HOSTILE_HTML.length));
  for (const html of HOSTILE_HTML) {
    const clean = sanitise(html);
    assert.deepEqual(harmIn(clean), [], html.slice(0, 120));
    assert.equal(sanitise(clean), clean, html.slice(0, 120));
  }
});

test('any combination of attacks is cleaned, and cleaning again changes nothing', () => {
  const piece = fc.oneof(
    fc.constantFrom(...HOSTILE_HTML.slice(0, -1)),
    fc.constantFrom('<', '>', '"', "'", '</p>', '<p', ' href=', '<a ', '&lt;', '\u0000', '<!--', '-->', 'javascript:'),
    fc.string({ maxLength: 8 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const clean = sanitise(pieces.join(''));
      assert.deepEqual(harmIn(clean), []);
      assert.equal(sanitise(clean), clean);
    }),
    { numRuns: 500 },
  );
});

test('headings, lists, tables, code, links and stored pictures are kept', () => {
  const html = `<h2>Steps</h2><ol start="3"><li><p>One <strong>bold</strong></p></li></ol><table><tbody><tr><th colspan="2">A</th></tr></tbody></table>
<pre><code class="language-http">GET /v1</code></pre><p><a href="https://example.com/x?y=1">out</a> <a href="/campaigns">in</a></p><img src="${IMAGE}" alt="A screen" /><hr />`;
  assert.equal(sanitise(html), html);
  assert.equal(sanitise('<h1>Title</h1><h6>Small</h6>'), '<h2>Title</h2><h4>Small</h4>');
});

test('the words of a text are found without its tags, and separately for each cell', () => {
  assert.equal(
    plainOf(sanitise('<h2>Tom &amp; Jerry</h2><table><tr><td>left</td><td>right</td></tr></table><p>a &lt;b&gt;</p>')),
    'Tom & Jerry left right a <b>',
  );
});
