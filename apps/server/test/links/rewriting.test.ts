import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countParts, segment } from '@heliograph/contract/kernel/segments';
import {
  originalNumber,
  parseNumberRule,
  parseSenderRule,
  parseTextRule,
  rewriteNumber,
} from '@heliograph/contract/links/rewriting';
import {
  isParameterValue,
  parameterOctets,
  parameterText,
  parseParameter,
} from '@heliograph/contract/links/vendor-parameters';
import fc from 'fast-check';
import { cutInto, Rewriting } from '../../src/modules/delivery/sending/rewriting.ts';

const numbers = (lines: string[]) => lines.map((line) => parseNumberRule(line)!);

test('the first number rule that fits applies, and its number is turned back', () => {
  const rules = numbers(['6399=99', '63=0', '=00']);
  assert.deepEqual(rewriteNumber(rules, '639912345678'), { number: '9912345678', rule: 0 });
  assert.deepEqual(rewriteNumber(rules, '639171234567'), { number: '09171234567', rule: 1 });
  assert.deepEqual(rewriteNumber(rules, '4479460001'), { number: '004479460001', rule: 2 });
  assert.deepEqual(rewriteNumber([], '1'), { number: '1', rule: null });
  for (const number of ['639912345678', '639171234567', '4479460001'])
    assert.equal(originalNumber(rules, rewriteNumber(rules, number).number), number);
  assert.equal(originalNumber(rules, '639171234567'), '639171234567', 'a carrier may write it internationally');
  assert.equal(originalNumber(numbers(['63=']), '9171234567'), '639171234567', 'a prefix that was taken away');
  assert.equal(
    rewriteNumber(numbers(['639171234567=']), '639171234567').number,
    '639171234567',
    'never an empty number',
  );
  assert.equal(rewriteNumber(numbers(['=000000']), '639171234567890').rule, null, 'never more than 20 digits');
  for (const bad of ['63', '63=63', 'a=b', '+63=0', '=', '63==0']) assert.equal(parseNumberRule(bad), undefined, bad);
});

test('a number of one country survives rewriting and turning back', () => {
  fc.assert(
    fc.property(
      fc.stringMatching(/^[1-9]\d{0,2}$/),
      fc.stringMatching(/^0?\d{0,3}$/),
      fc.stringMatching(/^[1-9]\d{7,9}$/),
      (from, to, rest) => {
        fc.pre(from !== to && !to.startsWith(from) && !(to + rest).startsWith(from));
        const rules = [{ from, to }];
        assert.equal(originalNumber(rules, rewriteNumber(rules, from + rest).number), from + rest);
      },
    ),
  );
});

test('a sender is the one that is approved in the network of the number', () => {
  const networkOf = (msisdn: string) =>
    msisdn.startsWith('63918') ? ({ mcc: '515', mnc: '03' } as ReturnType<Parameters<typeof Rewriting.of>[1]>) : null;
  const sender_rules = ['Acme@515-03=ACMEPH', 'Acme@63917=22345', '*@44=Generic', 'Harbor=HARBOR1'];
  const rewriting = Rewriting.of({ sender_rules }, networkOf)!;
  const sent = (from: string, to: string) => rewriting.sender(from, to).sender;
  assert.equal(sent('Acme', '639181234567'), 'ACMEPH');
  assert.equal(sent('Acme', '639171234567'), '22345');
  assert.equal(sent('Acme', '639991234567'), 'Acme');
  assert.equal(sent('Any', '447946000111'), 'Generic');
  assert.equal(sent('Harbor', '639171234567'), 'HARBOR1');
  assert.equal(Rewriting.of({ number_rules: [], sender_rules: [], text_rules: [] }, networkOf), undefined);
  for (const bad of ['Acme', '=X', 'Acme@=X', 'Acme@51-3=X', 'Acme@x=Y']) assert.equal(parseSenderRule(bad), undefined);
  const own = Rewriting.of({ sender_rules: ['639170000001@63918=12345'] }, networkOf)!;
  assert.equal(own.originalRecipient('12345'), '639170000001', 'a reply comes back to the customer’s number');
  assert.equal(own.originalRecipient('54321'), '54321');
});

test('text rules run in order and never need more parts than were quoted', () => {
  const with_ = (...text_rules: string[]) => Rewriting.of({ text_rules }, () => null)!;
  assert.equal(with_('append: STOP 2112').text('Hello', 1), 'Hello STOP 2112');
  assert.equal(
    with_('append: STOP 2112').text('x'.repeat(155), 1),
    'x'.repeat(155),
    'left out: it would be a part more',
  );
  assert.equal(with_('replace:http://=>', 'append:!').text('See http://a.b', 1), 'See a.b!');
  assert.equal(with_('transliterate').text('Привет, đ și Ţară €5', 1), 'Privet, đ si Tara €5');
  assert.equal(with_('replace:USD=>$$&').text('USD 5', 1), '$$& 5', 'a dollar stands for itself');
  assert.equal(with_('replace:Hello=>').text('Hello', 1), 'Hello', 'a text is never emptied');
  const tried: Parameters<Rewriting['text']>[2] = [];
  with_('append:1', 'replace:z=>y', `append:${'9'.repeat(160)}`).text('Hello', 1, tried);
  assert.deepEqual(
    tried.map(({ result }) => result),
    ['changed', 'unchanged', 'too_long'],
  );
  for (const bad of ['append:', 'replace:a', 'upper', '']) assert.equal(parseTextRule(bad), undefined, bad);
});

test('a rewritten text is cut into exactly as many parts as were quoted', () => {
  const rule = fc.oneof(
    fc.string({ minLength: 1, maxLength: 40 }).map((text) => `append:${text}`),
    fc
      .tuple(fc.string({ minLength: 1, maxLength: 3 }), fc.string({ maxLength: 20 }))
      .map((r) => `replace:${r.join('=>')}`),
    fc.constant('transliterate'),
  );
  const texts = fc.string({ unit: fc.constantFrom('a', 'é', '€', 'Я', 'ş', '😀', ' '), minLength: 1, maxLength: 300 });
  fc.assert(
    fc.property(texts, fc.array(rule, { maxLength: 4 }), (text, rules) => {
      const quoted = countParts(text).parts;
      const rewriting = Rewriting.of({ text_rules: rules.filter((line) => parseTextRule(line)) }, () => null);
      const sent = rewriting?.text(text, quoted) ?? text;
      const parts = sent === text ? segment(text).parts : cutInto(sent, quoted);
      assert.equal(parts.length, quoted);
      assert.equal(parts.join(''), sent);
      if (quoted > 1) for (const part of parts) assert.ok(part.length > 0 && !/[\ud800-\udbff]$/.test(part));
    }),
  );
});

test('a parameter is read from its line, and its values go both ways', () => {
  assert.deepEqual(parseParameter('dlt_template_id=0x1401:cstring:1107'), {
    name: 'dlt_template_id',
    target: 0x1401,
    type: 'cstring',
    value: '1107',
  });
  for (const good of [
    'a=0x1400:hex:00ff',
    'svc=service_type:cstring:CMT',
    'p=protocol_id:int1:{part}',
    't=0x1500:text',
  ])
    assert.ok(parseParameter(good), good);
  for (const bad of [
    ...['a=0x0424:hex', 'a=0x0000:int1', 'a=0x12345:int1', 'A b=0x1400:int1', 'a=0x1400:float', 'a=0x1400:int1:256'],
    ...[
      'a=0x1400:hex:abc',
      'a=service_type:text',
      'a=service_type:cstring:TOOLONG',
      'a=dest_addr:cstring',
      'a=0x1400:text:{secret}',
    ],
  ])
    assert.equal(parseParameter(bad), undefined, bad);
  const octets = (type: Parameters<typeof parameterOctets>[0], value: string) =>
    Buffer.from(parameterOctets(type, value) ?? []).toString('hex');
  assert.equal(octets('int2', '258'), '0102');
  assert.equal(octets('int4', '4294967295'), 'ffffffff');
  assert.equal(octets('cstring', '11'), '313100');
  assert.equal(octets('text', 'é'), 'c3a9');
  assert.ok(!isParameterValue({ type: 'cstring', target: 0x1400 }, 'é'));
  for (const [type, value] of [
    ['int1', '7'],
    ['int4', '70000'],
    ['hex', '00ff'],
    ['cstring', 'abc'],
    ['text', 'né'],
  ] as const)
    assert.equal(parameterText(type, parameterOctets(type, value)!), value, type);
  assert.equal(parameterText('int2', Uint8Array.of(1)), undefined, 'another length is no value of it');
});
