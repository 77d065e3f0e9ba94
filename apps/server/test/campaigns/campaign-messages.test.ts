import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openChunkWriter } from '#modules/delivery';
import { startTestApi } from '../test-api.ts';

const api = await startTestApi({ after });
const owner = api.database.pool('owner');

test('pages of a campaign have each message once, the newest first', async () => {
  const { rows } = await owner.query<{ id: number; corporation_id: number; department_id: number | null }>(
    `SELECT c.id, c.corporation_id, c.department_id FROM campaign c JOIN corporation o ON o.id = c.corporation_id
     WHERE o.name = 'Acme Retail' ORDER BY c.id LIMIT 2`,
  );
  const [campaign, other] = rows as [(typeof rows)[0], (typeof rows)[0]];
  const client = await owner.connect();
  const { rows: owners } = await owner.query<{ account: number; link: number }>(
    `SELECT (SELECT min(id) FROM billing_account WHERE corporation_id = $1) AS account, (SELECT min(id) FROM link) AS link`,
    [campaign.corporation_id],
  );
  // Chunks of both campaigns lie between each other, more than are read together.
  const write = async (id: number, from: number, count: number) => {
    const writer = openChunkWriter(client, {
      corporation_id: campaign.corporation_id,
      department_id: campaign.department_id,
      user_id: null,
      billing_account_id: owners[0]!.account,
      campaign_id: id,
      link_id: owners[0]!.link,
      class: 'bulk',
      sender_id: 'Acme',
      flash: false,
      charge_on_delivery: false,
      common_text: 'Hello',
      text_key: null,
    });
    for (let i = 0; i < count; i++)
      await writer.add({
        msisdn: `63917${i % 2}${String(from + i).padStart(6, '0')}`,
        name: null,
        text: null,
        unicode: false,
        parts: 1,
        unit_price: 1,
      });
    await writer.flush();
  };
  for (let chunk = 0; chunk < 130; chunk++) {
    await write(campaign.id, chunk * 10, chunk % 4);
    if (chunk % 3 === 0) await write(other.id, chunk * 10, 2);
  }
  client.release();

  const idsOf = async (prefix: string) =>
    (
      await owner.query<{ id: number }>(
        'SELECT id FROM message WHERE campaign_id = $1 AND starts_with(msisdn, $2) ORDER BY id DESC',
        [campaign.id, prefix],
      )
    ).rows.map(({ id }) => id);
  const as = await api.as('superadmin');
  for (const prefix of ['', '639171', '639170000'])
    for (const limit of [7, 200]) {
      const read: number[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const query = new URLSearchParams({
          limit: String(limit),
          ...(prefix && { search: prefix }),
          ...(cursor && { cursor }),
        });
        const { status, body } = await as('GET', `/api/v1/campaigns/${campaign.id}/messages?${query}`);
        assert.equal(status, 200, JSON.stringify(body));
        const page = body as { data: { id: number }[]; next_cursor: string | null };
        read.push(...page.data.map(({ id }) => id));
        cursor = page.next_cursor;
      }
      assert.deepEqual(read, await idsOf(prefix), `${prefix} by ${limit}`);
    }
});
