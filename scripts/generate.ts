import pg from 'pg';
import { readConnectedConfig } from '../apps/server/src/platform/config/config.ts';
import { connectionSettings } from '../apps/server/src/platform/database/db.ts';
import { type MadeTenant, makeMessages } from '../bench/harness/made-messages.ts';
import { readOptions } from '../bench/harness/options.ts';

// `npm run generate -- --messages 1000000 [--days 360]`: fills the database at DATABASE_URL with finished messages of
// its corporations, for measurements and to see screens with real volumes. Never use it on a production database.

const { messages, days } = readOptions({ messages: 1_000_000, days: 360 });
let client: pg.Client | undefined;
try {
  client = new pg.Client(connectionSettings(readConnectedConfig(), 'owner'));
  await client.connect();
  const { rows: tenants } = await client.query<MadeTenant>(
    `SELECT c.id AS corporation_id, (SELECT min(d.id) FROM department d WHERE d.corporation_id = c.id) AS department_id,
       (SELECT min(u.id) FROM user_account u WHERE u.corporation_id = c.id) AS user_id, b.id AS billing_account_id, s.sender_id
     FROM corporation c
     JOIN LATERAL (SELECT id FROM billing_account WHERE corporation_id = c.id ORDER BY id LIMIT 1) b ON true
     JOIN LATERAL (SELECT sender_id FROM sender_id WHERE corporation_id = c.id ORDER BY id LIMIT 1) s ON true
     ORDER BY c.id`,
  );
  const { rows: links } = await client.query<{ id: number }>('SELECT id FROM link ORDER BY id LIMIT 1');
  if (tenants.length === 0 || !links[0])
    throw new Error('The database needs a link, and a corporation with a billing account and a sender ID');
  const made = await makeMessages(client, { tenants, link_id: links[0].id, messages, days });
  process.stdout.write(`${made} messages were created for ${tenants.length} corporations over ${days} days.\n`);
} catch (error) {
  process.stderr.write(`${(error as Error).message.replace(/\.$/, '')}.\n`);
  process.exitCode = 1;
} finally {
  await client?.end().catch(() => undefined);
}
