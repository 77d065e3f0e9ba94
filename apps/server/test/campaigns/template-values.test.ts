import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { makeStage } from './stage.ts';

const stage = await makeStage({ after });
const { owner, tenant } = stage;

test('a campaign made from an approved template carries its values, below its own', async () => {
  const { corporation_id } = tenant;
  const department = await owner.selectFrom('department').select('id').executeTakeFirst();
  const department_id =
    department?.id ??
    (
      await owner
        .insertInto('department')
        .values({ corporation_id, name: 'Shop' })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id;
  await owner
    .updateTable('link')
    .set({ parameters: ['dlt_template_id=0x1401:cstring', 'chain=0x1402:cstring'] })
    .execute();
  await owner.updateTable('corporation').set({ gives_parameters: true }).where('id', '=', corporation_id).execute();
  const template = 'Hello {name}, take {1}.';
  const { id: template_id } = await owner
    .insertInto('message_template')
    .values({ corporation_id, department_id, name: 'Offer', template })
    .returning('id')
    .executeTakeFirstOrThrow();
  const parameters = ['dlt_template_id=1107', 'chain=a'];
  await owner.insertInto('approved_template').values({ template_id, corporation_id, template, parameters }).execute();
  const sent = async (content: object) => {
    const quote = await stage.quote({ custom_numbers: '639171111111,639171111112', ...content });
    const made = await stage.call<{ data: { id: number } }>('boss', 'POST', '/api/v1/campaigns', {
      quote_id: quote.id,
      name: JSON.stringify(content).slice(0, 60),
    });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    await stage.prepare(made.body.data.id);
    const chunks = await owner
      .selectFrom('chunk')
      .select('parameters')
      .where('campaign_id', '=', made.body.data.id)
      .execute();
    return chunks.map((chunk) => chunk.parameters);
  };
  const defaults = { name: 'friend' };
  assert.deepEqual(await sent({ content: 'Hello {name}, take bread.', defaults }), [
    { dlt_template_id: '1107', chain: 'a' },
  ]);
  assert.deepEqual(await sent({ content: 'Hello {name}, take milk.', defaults, parameters: ['chain=b'] }), [
    { dlt_template_id: '1107', chain: 'b' },
  ]);
  assert.deepEqual(await sent({ content: 'Good day, take milk.' }), [null]);
});
