import type { CampaignState } from '@heliograph/contract/kernel/states';
import { STATUS } from '@heliograph/smpp';
import type pg from 'pg';
import { postTransfers, reserve } from '#modules/billing';
import { addQuality, QualitySums } from '#modules/carrier-quality';
import { readNetworks } from '#modules/networks';
import {
  count,
  DAY,
  errorOf,
  HOUR,
  imagine,
  type PastCampaign,
  type PastMessage,
  receiptPdu,
  SECOND,
  segmentsOf,
  stateOf,
  sum,
  taken,
  time,
} from './demo-messages.ts';
import type { DemoTenant } from './demo-tenants.ts';

type Client = Pick<pg.ClientBase, 'query'>;

/** Writes a finished campaign with all its rows, as the sender would have left them, and its money. */
export async function seedPastCampaign(
  client: Client,
  tenant: DemoTenant,
  linkId: number,
  past: PastCampaign,
): Promise<void> {
  const messages = imagine(past, await newChunkId(client, past.at));
  const campaign_id = await insertCampaign(client, tenant, past, messages);
  await insertMessages(client, tenant, linkId, campaign_id, past, messages);
  await insertEvents(client, tenant, linkId, campaign_id, messages);
  await insertSums(client, tenant, campaign_id, messages);
  await insertQuality(client, tenant, linkId, messages);
  await settle(client, tenant, campaign_id, past, messages);
}

async function newChunkId(client: Client, at: number): Promise<number> {
  const { rows } = await client.query<{ sequence: number }>("SELECT nextval('chunk_sequence') & 268435455 AS sequence");
  return Math.floor(at / DAY) * 2 ** 28 + Number(rows[0]!.sequence);
}

async function insertCampaign(
  client: Client,
  { corporation_id, department_id, billing_account_id, sender, unit_price }: DemoTenant,
  past: PastCampaign,
  messages: readonly PastMessage[],
): Promise<number> {
  const total_sms = sum(messages, (m) => m.parts);
  const finished = Math.max(...messages.map((m) => m.received));
  const unicode = messages.filter((m) => m.unicode).length;
  const content = {
    content_type: 'single',
    sender_id: sender.id,
    list_ids: [past.list_id],
    custom_numbers: '',
    file_id: null,
    content: past.text,
    defaults: {},
    skip_default_param: false,
    flash: false,
    sms_validity: 12,
  };
  const { rows } = await client.query<{ id: number }>(
    `INSERT INTO campaign (corporation_id, department_id, created_by, billing_account_id, name, content, sender_id, state,
       total_count, total_sms, gsm_count, unicode_count, estimated_cost, created_at, started_at, expires_at, finished_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, 'completed', $8, $9, $10, $11, $12, $13, $14, $15, $16) RETURNING id`,
    [
      corporation_id,
      department_id,
      past.created_by,
      billing_account_id,
      past.name,
      JSON.stringify(content),
      sender.sender_id,
      messages.length,
      total_sms,
      messages.length - unicode,
      unicode,
      total_sms * unit_price,
      time(past.at - 600 * SECOND),
      time(past.at),
      time(past.at + 12 * HOUR),
      time(finished),
    ],
  );
  const { id } = rows[0]!;
  const way: readonly (readonly [CampaignState | null, CampaignState, number, number | null])[] = [
    [null, 'preparing', past.at - 600 * SECOND, past.created_by],
    ...(past.approved_by === undefined
      ? ([['preparing', 'running', past.at, past.created_by]] as const)
      : ([
          ['preparing', 'pending', past.at - 590 * SECOND, past.created_by],
          ['pending', 'running', past.at, past.approved_by],
        ] as const)),
    ['running', 'completed', finished, null],
  ];
  await client.query(
    `INSERT INTO campaign_transition (campaign_id, corporation_id, from_state, to_state, created_at, user_id, told_at)
     SELECT $1, $2, t.*, now() FROM unnest($3::campaign_state[], $4::campaign_state[], $5::timestamptz[], $6::bigint[]) AS t`,
    [id, corporation_id, way.map((w) => w[0]), way.map((w) => w[1]), way.map((w) => time(w[2])), way.map((w) => w[3])],
  );
  return id;
}

async function insertMessages(
  client: Client,
  tenant: DemoTenant,
  linkId: number,
  campaignId: number,
  past: PastCampaign,
  messages: readonly PastMessage[],
): Promise<void> {
  const chunkId = Math.floor(messages[0]!.id / 1024);
  await client.query(
    `INSERT INTO chunk (id, corporation_id, department_id, user_id, billing_account_id, campaign_id, link_id, class,
       sender_id, size, cursor, state, settled, created_at, reseller_corporation_id, reseller_account_id, reseller_unit_price,
       reseller_charge_on_delivery)
     VALUES ($1, $2, $3, $4, $5, $6, $7, 'bulk', $8, $9, $9, 'done', true, $10, $11, $12, $13, $14)`,
    [
      chunkId,
      tenant.corporation_id,
      tenant.department_id,
      past.created_by,
      tenant.billing_account_id,
      campaignId,
      linkId,
      tenant.sender.sender_id,
      messages.length,
      time(past.at),
      tenant.reseller?.corporation_id,
      tenant.reseller?.billing_account_id,
      tenant.reseller?.unit_price,
      tenant.reseller && false,
    ],
  );
  await client.query(
    `INSERT INTO message (corporation_id, campaign_id, unit_price, id, parts, unicode, msisdn, name, text)
     SELECT $1, $2, $3, * FROM unnest($4::bigint[], $5::smallint[], $6::boolean[], $7::text[], $8::text[], $9::text[])`,
    [
      tenant.corporation_id,
      campaignId,
      tenant.unit_price,
      messages.map((m) => m.id),
      messages.map((m) => m.parts),
      messages.map((m) => m.unicode),
      messages.map((m) => m.recipient.msisdn),
      messages.map((m) => m.recipient.name),
      messages.map((m) => m.text),
    ],
  );
}

async function insertEvents(
  client: Client,
  { corporation_id, sender }: DemoTenant,
  linkId: number,
  campaignId: number,
  messages: readonly PastMessage[],
): Promise<void> {
  const segments = segmentsOf(messages);
  await client.query(
    `INSERT INTO submission (corporation_id, link_id, message_id, part, carrier_id, command_status, answered_at)
     SELECT $1, $2, * FROM unnest($3::bigint[], $4::smallint[], $5::text[], $6::integer[], $7::timestamptz[])`,
    [
      corporation_id,
      linkId,
      segments.map((s) => s.message.id),
      segments.map((s) => s.part),
      segments.map((s) => s.carrier_id),
      segments.map((s) => (s.carrier_id === null ? STATUS.RINVDSTADR : STATUS.ROK)),
      segments.map((s) => time(s.message.answered)),
    ],
  );
  const received = segments.filter((s) => s.carrier_id !== null);
  await client.query(
    `INSERT INTO receipt (link_id, received_at, carrier_id, message_id, part, state, error, raw)
     SELECT $1, * FROM unnest($2::timestamptz[], $3::text[], $4::bigint[], $5::smallint[], $6::text[], $7::text[], $8::bytea[])`,
    [
      linkId,
      received.map((s) => time(s.message.received)),
      received.map((s) => s.carrier_id),
      received.map((s) => s.message.id),
      received.map((s) => s.part),
      received.map((s) => s.message.receipt),
      received.map(() => '000'),
      received.map((s) => receiptPdu(s.carrier_id!, s.message, sender.sender_id)),
    ],
  );
  await client.query(
    `INSERT INTO outcome (corporation_id, campaign_id, message_id, state, error_code, done_at)
     SELECT $1, $2, * FROM unnest($3::bigint[], $4::message_state[], $5::text[], $6::timestamptz[])`,
    [
      corporation_id,
      campaignId,
      messages.map((m) => m.id),
      messages.map((m) => stateOf(m)),
      messages.map((m) => errorOf(m)),
      messages.map((m) => time(m.receipt === null ? m.answered : m.received)),
    ],
  );
  await client.query('SELECT write_chunk_states(ARRAY[$1::bigint])', [Math.floor(messages[0]!.id / 1024)]);
}

/** Inserts totals as the sender keeps them. */
async function insertSums(
  client: Client,
  { corporation_id, unit_price }: DemoTenant,
  campaignId: number,
  messages: readonly PastMessage[],
): Promise<void> {
  const cost = (some: readonly PastMessage[]) => sum(some, (m) => m.parts) * unit_price;
  const outcomes = (some: readonly PastMessage[]) => [
    count(some, (m) => m.receipt === 'delivered'),
    count(some, (m) => m.receipt === null || m.receipt === 'undeliverable'),
    count(some, (m) => m.receipt === 'expired'),
  ];
  await client.query(
    `INSERT INTO campaign_counter (campaign_id, corporation_id, processed, submitted, delivered, failed, expired, charged, released)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      campaignId,
      corporation_id,
      messages.length,
      count(messages, taken),
      ...outcomes(messages),
      cost(messages.filter(taken)),
      cost(messages.filter((m) => !taken(m))),
    ],
  );
}

/** Inserts what the messages say about their link. */
async function insertQuality(
  client: Client,
  { sender }: DemoTenant,
  linkId: number,
  messages: readonly PastMessage[],
): Promise<void> {
  const networks = await readNetworks(async (text, values) => (await client.query(text, [...values])).rows);
  const sums = new QualitySums((msisdn) => networks.networkOf(msisdn));
  const chunk = { sender_id: sender.sender_id };
  for (const message of messages) {
    const measured = { msisdn: message.recipient.msisdn, answered_at: message.answered, chunk };
    sums.answered(measured, linkId, taken(message), message.answered);
    if (taken(message)) sums.ended(measured, linkId, message.receipt === 'delivered', message.received);
  }
  await addQuality(client, sums);
}

/** Posts what the campaign cost its corporation, and its reseller. */
async function settle(
  client: Client,
  tenant: DemoTenant,
  campaign_id: number,
  past: PastCampaign,
  messages: readonly PastMessage[],
): Promise<void> {
  const user_id = past.approved_by ?? past.created_by;
  const created_at = time(Math.max(...messages.map((m) => m.answered)));
  const payers = [{ ...tenant, whose: '' }, ...(tenant.reseller ? [{ ...tenant.reseller, whose: ':reseller' }] : [])];
  for (const { billing_account_id, corporation_id, unit_price, whose } of payers) {
    const cost = (some: readonly PastMessage[]) => sum(some, (m) => m.parts) * unit_price;
    const of = { billing_account_id, corporation_id, campaign_id };
    const reserved_at = { user_id, created_at: time(past.at) };
    const key = `campaign:${campaign_id}`;
    await reserve(client, { ...of, ...reserved_at, key: `${key}:reserve${whose}`, amount: cost(messages) });
    const charge = { ...of, created_at, kind: 'charge' as const, key: `${key}:past:charge${whose}` };
    const release = { ...of, created_at, kind: 'release' as const, key: `${key}:past:release${whose}` };
    await postTransfers(
      client,
      [
        { ...charge, amount: cost(messages.filter(taken)) },
        { ...release, amount: cost(messages.filter((m) => !taken(m))) },
      ].filter(({ amount }) => amount > 0),
    );
  }
}
