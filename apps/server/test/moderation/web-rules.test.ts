import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Accepted } from '#modules/intake';
import { BusinessError } from '#platform/errors';
import { makeStage } from '../campaigns/stage.ts';
import { makeIntakeStage, submission } from '../intake/stage.ts';

const stage = await makeStage({ after });
const { owner, tenant } = stage;
const programs = await makeIntakeStage({ after });

interface Problem {
  errors: Record<string, string[]>;
}

async function fileOf(...rows: string[]): Promise<number> {
  const made = await stage.upload<{ data: { id: number } }>(
    'boss',
    '/api/v1/campaigns/files',
    'people.csv',
    ['number,name', ...rows].join('\n'),
  );
  return made.body.data.id;
}

const mode = (web_links: string | null) =>
  owner.updateTable('corporation').set({ web_links }).where('id', '=', tenant.corporation_id).execute();
const found = () => owner.selectFrom('web_link').select(['domain', 'reason', 'refused', 'messages']).execute();

test('web addresses of a campaign are ignored, counted or refused by its mode', async () => {
  await owner
    .insertInto('web_domain')
    .values({ corporation_id: tenant.corporation_id, domain: 'lamps.example.com', ascii: 'lamps.example.com' })
    .execute();
  const file_id = await fileOf('639171111111,https://evil.com', '639171111112,lamps.example.com', '639171111113,Ana');
  const content = { content: 'Hi {name}', file_id };
  assert.deepEqual((await stage.quote(content)).rejected, {});

  await mode('shadow');
  const quote = await stage.quote(content);
  assert.deepEqual(quote.rejected, {});
  const sent = await stage.call<{ data: { id: number } }>('boss', 'POST', '/api/v1/campaigns', {
    quote_id: quote.id,
    name: 'Lamps',
  });
  assert.equal(sent.status, 201, JSON.stringify(sent.body));
  await stage.prepare(sent.body.data.id);
  assert.deepEqual(await found(), [{ domain: 'evil.com', reason: 'not_allowed', refused: false, messages: 1 }]);

  await mode('enforced');
  assert.deepEqual((await stage.quote(content)).rejected, { web_link: 1 });
  const asked = await stage.call<Problem>('boss', 'POST', '/api/v1/campaigns/quotes', {
    sender_id: tenant.sender_id,
    content: 'Win at http://lаmps.example.com',
    custom_numbers: '639171111111',
  });
  assert.equal(asked.status, 422);
  assert.match(asked.body.errors['content']![0]!, /lаmps\.example\.com|xn--/);
  const shortened = { content: 'See https://lamps.example.com/a', short_links: true, custom_numbers: '639171111111' };
  assert.equal((await stage.quote(shortened)).total_count, 1);
});

test('a program reads the domain in the refusal, and counts are written', async () => {
  const program = await programs.tenant('Acme');
  const { corporation_id } = program;
  await programs.owner.query("UPDATE corporation SET web_links = 'enforced' WHERE id = $1", [corporation_id]);
  await assert.rejects(programs.intake.accept(program, submission({ text: 'Pay at bit.ly/x' })), (error) => {
    assert.ok(error instanceof BusinessError);
    assert.deepEqual(error.fields, { text: [{ key: 'web_shortener', params: { domain: 'bit.ly' } }] });
    return true;
  });
  const accepted: Accepted = await programs.intake.accept(program, submission({ text: 'Hello' }));
  assert.ok(accepted.id > 0);
  await programs.intake.close();
  const row = await programs.one('SELECT domain, reason, refused, messages FROM web_link');
  assert.deepEqual(row, { domain: 'bit.ly', reason: 'shortener', refused: true, messages: 1 });
});
