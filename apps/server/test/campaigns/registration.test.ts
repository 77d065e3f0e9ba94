import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { makeCast } from './cast.ts';

const { stage, create, campaignOf } = await makeCast({ after });
const { owner, tenant } = stage;

test('a quote counts who has no link that knows the sender ID, and so does the sending', async () => {
  const links = await owner
    .insertInto('link')
    .values([
      { name: 'Globe', host: 'localhost', port: 9, system_id: 'x', asks_registration: true },
      { name: 'Smart', host: 'localhost', port: 9, system_id: 'x' },
    ])
    .returning('id')
    .execute();
  for (const [place, prefix] of ['63917', '63918'].entries()) {
    const route = await owner
      .insertInto('carrier_route')
      .values({ name: prefix, prefix })
      .returning('id')
      .executeTakeFirstOrThrow();
    const row = { carrier_route_id: route.id, link_id: links[place]!.id, position: 1, weight: 1 };
    await owner.insertInto('carrier_route_link').values(row).execute();
  }
  const audience = { custom_numbers: '639170000001,639170000002,639180000001' };
  const quote = await stage.quote(audience);
  assert.deepEqual([quote.total_count, quote.rejected], [1, { sender_not_registered: 2 }]);
  const campaign = await create(quote);
  await stage.prepare(campaign.body.data.id);
  const { state, total_count } = await campaignOf(campaign.body.data.id);
  assert.deepEqual([state, total_count], ['running', 1]);
  const { link_id } = await owner.selectFrom('chunk').select('link_id').executeTakeFirstOrThrow();
  assert.equal(link_id, links[1]!.id);

  await owner
    .insertInto('sender_registration')
    .values({ sender_id_id: tenant.sender_id, link_id: links[0]!.id, state: 'registered' })
    .execute();
  const known = await stage.quote(audience);
  assert.deepEqual([known.total_count, known.rejected], [3, {}]);
  // An end between quote and start is found, as every other change of the audience.
  const asked = await create(known);
  await owner.updateTable('sender_registration').set({ state: 'ended' }).execute();
  await stage.prepare(asked.body.data.id);
  const { state: after, error_code } = await campaignOf(asked.body.data.id);
  assert.deepEqual([after, error_code], ['rejected', 'audience_changed']);
});

test('a registration for one network splits the messages of a route by their networks', async () => {
  const network = async (name: string) =>
    (
      await owner
        .selectFrom('network')
        .select('id')
        .where('country', '=', 'PH')
        .where('name', '=', name)
        .executeTakeFirstOrThrow()
    ).id;
  const [asks, takes] = await owner
    .insertInto('link')
    .values([
      { name: 'Asks', host: 'localhost', port: 9, system_id: 'x', asks_registration: true },
      { name: 'Takes', host: 'localhost', port: 9, system_id: 'x' },
    ])
    .returning('id')
    .execute();
  const route = await owner
    .insertInto('carrier_route')
    .values({ name: 'Both', prefix: '639' })
    .returning('id')
    .executeTakeFirstOrThrow();
  await owner.deleteFrom('carrier_route').where('id', '<>', route.id).execute();
  const place = (link_id: number, position: number) => ({ carrier_route_id: route.id, link_id, position, weight: 1 });
  await owner
    .insertInto('carrier_route_link')
    .values([place(asks!.id, 1)])
    .execute();
  await owner
    .insertInto('sender_registration')
    .values({
      sender_id_id: tenant.sender_id,
      link_id: asks!.id,
      state: 'registered',
      network_ids: [await network('Smart')],
    })
    .execute();
  const audience = { custom_numbers: '639170000001,639170000002,639180000001' };
  const quote = await stage.quote(audience);
  assert.deepEqual([quote.total_count, quote.rejected], [1, { sender_not_registered: 2 }]);

  await owner
    .insertInto('carrier_route_link')
    .values([place(takes!.id, 2)])
    .execute();
  const both = await stage.quote(audience);
  assert.deepEqual([both.total_count, both.rejected], [3, {}]);
  const { id } = (await create(both)).body.data;
  await stage.prepare(id);
  const chunks = await owner
    .selectFrom('chunk')
    .select(['link_id', 'size', 'carrier_route_id'])
    .where('campaign_id', '=', id)
    .orderBy('size')
    .execute();
  assert.deepEqual(
    chunks.map((chunk) => [chunk.link_id, chunk.size, chunk.carrier_route_id]),
    [
      [asks!.id, 1, route.id],
      [takes!.id, 2, route.id],
    ],
  );
});
