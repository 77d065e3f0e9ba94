import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { LOCALES } from '../src/kernel/scope.ts';
import { VERIFY_FORMATS, type VerifyWording, verifyTextFault, writeCode } from '../src/verify/verify-text.ts';

const wording: VerifyWording = {
  app_name: 'Shop',
  code_length: 6,
  minutes: 10,
  format: 'plain',
  origin_host: 'shop.example.com',
  app_hash: 'FA+9qCX9VSu',
};

test('each place of a code that is named holds the code, and no other digit is named', () => {
  const words = fc.array(
    fc.oneof(
      fc.constantFrom('{code}', '{app}', '{minutes}'),
      fc.string({ maxLength: 8 }).filter((s) => !/[{}]/.test(s)),
    ),
  );
  fc.assert(
    fc.property(words, fc.constantFrom(...VERIFY_FORMATS), fc.stringMatching(/^\d{4,10}$/), (parts, format, code) => {
      const { text, hidden } = writeCode(parts.join(''), { ...wording, format }, code);
      for (const [from, after] of hidden) assert.equal(text.slice(from, after), code);
      const named = parts.filter((part) => part === '{code}').length + (format === 'web_otp' ? 1 : 0);
      assert.equal(hidden.length, named);
      assert.deepEqual(
        hidden.flat(),
        hidden.flat().sort((a, b) => a - b),
      );
      assert.ok(!/\{(code|app|minutes)\}/.test(text));
    }),
  );
});

test('the last line is the one that browsers and Android read', () => {
  const template = '{code} is your {app} code.';
  const browser = writeCode(template, { ...wording, format: 'web_otp' }, '482913');
  assert.equal(browser.text, '482913 is your Shop code.\n\n@shop.example.com #482913');
  const android = writeCode(template, { ...wording, format: 'sms_retriever' }, '482913');
  assert.equal(android.text, '482913 is your Shop code.\n\nFA+9qCX9VSu');
});

test('a text needs the code once, and no placeholder without a value', () => {
  assert.equal(verifyTextFault('Hello', wording), 'verify_text_code');
  assert.equal(verifyTextFault('{code} {code}', wording), 'verify_text_code');
  assert.equal(verifyTextFault('{code} {name}', wording), 'verify_text_placeholder');
  assert.equal(verifyTextFault('{code}', wording), undefined);
  const long = `{code} ${'é'.repeat(65)}`;
  assert.equal(verifyTextFault(long, wording), undefined);
  assert.equal(verifyTextFault(long, { ...wording, format: 'sms_retriever' }), 'verify_text_long');
});

test('the texts that ship fit every format in every language', async () => {
  for (const language of LOCALES) {
    const { default: file } = await import(`../messages/${language}/verify.json`, { with: { type: 'json' } });
    const shipped = (file as { verify_text: { shipped: string } }).verify_text.shipped;
    for (const format of VERIFY_FORMATS)
      assert.equal(
        verifyTextFault(shipped, { ...wording, format, code_length: 10 }),
        undefined,
        `${language} ${format}`,
      );
  }
});
