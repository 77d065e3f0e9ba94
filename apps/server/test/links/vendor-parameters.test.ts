import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  encodeShortMessage,
  type MessageFields,
  type Outcome,
  type PduFields,
  type Session,
  STATUS,
  type SubmitSm,
  startServer,
} from '@heliograph/smpp';
import { routeOrSetAside } from '../../src/modules/inbox/route-inbound.ts';
import { stage, until } from '../delivery/stage.ts';

const PARAMETERS = [
  'dlt_entity_id=0x1400:cstring',
  'dlt_template_id=0x1401:cstring',
  'ref=0x1500:text:{campaign_id}/{to}',
  'chain=0x1502:int2:7',
  'service=service_type:cstring:CMT',
];

/** Starts an SMSC that keeps submits and can deliver to the bind. */
async function smsc(closing: (() => Promise<unknown>)[]) {
  const submits: SubmitSm[] = [];
  let bound: Session<unknown> | undefined;
  const server = await startServer<unknown>(
    { port: 0 },
    {
      onBind: (_, session) => {
        bound = session;
        session.acceptBind('smsc');
      },
      onRequests: (requests, session) => {
        for (const request of requests) {
          if (request.command === 'submit_sm') submits.push(request as SubmitSm);
          session.respond(request, STATUS.ROK, `m${submits.length}`);
        }
      },
      onResponses: (outcomes) => {
        for (const outcome of outcomes) (outcome.context as (o: Outcome<unknown>) => void)(outcome);
      },
    },
  );
  closing.push(() => server.stop());
  const deliver = (fields: MessageFields) =>
    new Promise<Outcome<unknown>>((done) => {
      bound!.request({ command: 'deliver_sm', ...fields } as PduFields, done);
    });
  return { port: server.port, submits, deliver };
}

const tlvsOf = ({ tlvs }: SubmitSm) =>
  Object.fromEntries(
    (tlvs?.unknown ?? []).map(({ tag, value }) => [tag.toString(16), Buffer.from(value).toString('latin1')]),
  );

test('parameters and rewriting reach the carrier, and replies are turned back', async (t) => {
  const s = await stage(t);
  const carrier = await smsc(s.closing);
  const rules = { number_rules: ['63=0'], sender_rules: ['Acme@63917=22345'], text_rules: ['append: Bye'] };
  await s.addLink({ port: carrier.port, parameters: PARAMETERS, ...rules });
  await s.owner.query(
    `INSERT INTO sender_id (corporation_id, sender_id, parameters) VALUES ($1, 'Acme', '{dlt_entity_id=1201,dlt_template_id=1}')`,
    [s.corporationId],
  );
  await s.sender();
  const shared = { parameters: { dlt_template_id: '1107' }, tells: true, common_text: 'Hello' };
  const campaign = await s.campaign([{ msisdn: '639170000001' }, { msisdn: '639180000002', text: 'Own' }], { shared });
  await until('both have left', () => carrier.submits.length === 2);
  const sent = carrier.submits.toSorted((a, b) => a.destination_addr.localeCompare(b.destination_addr));
  assert.deepEqual(
    sent.map((pdu) => [
      pdu.source_addr,
      pdu.destination_addr,
      Buffer.from(pdu.short_message).toString(),
      pdu.service_type,
    ]),
    [
      ['22345', '09170000001', 'Hello Bye', 'CMT'],
      ['Acme', '09180000002', 'Own Bye', 'CMT'],
    ],
  );
  for (const [place, to] of ['639170000001', '639180000002'].entries())
    assert.deepEqual(tlvsOf(sent[place]!), {
      '1400': '1201\0',
      '1401': '1107\0',
      '1500': `${campaign.id}/${to}`,
      '1502': '\0\x07',
    });

  const receipt = {
    esm_class: 4,
    source_addr: '09170000001',
    destination_addr: '22345',
    short_message: encodeShortMessage('', 'gsm'),
  };
  const unknown = [
    { tag: 0x1502, value: Uint8Array.of(1, 2) },
    { tag: 0x1600, value: Uint8Array.of(255) },
  ];
  const id = carrier.submits[0] === sent[0] ? 'm1' : 'm2';
  await carrier.deliver({ ...receipt, tlvs: { receipted_message_id: id, message_state: 2, unknown } });
  await until('it is delivered', async () => (await s.counters(campaign.id))['delivered'] === 1);
  const told = await s.one<{ data: object }>(`SELECT data FROM event WHERE type = 'message.delivered'`);
  assert.deepEqual((told.data as { parameters: object }).parameters, { chain: '258' }, 'only what the link names');

  const reply = {
    source_addr: '09170000001',
    destination_addr: '22345',
    short_message: encodeShortMessage('Yes', 'gsm'),
  };
  assert.equal((await carrier.deliver({ ...reply, tlvs: { unknown } })).kind, 'answered');
  const kept = await s.one<{ sender: string; parameters: object }>('SELECT sender, parameters FROM inbound_message');
  assert.deepEqual(kept, { sender: '639170000001', parameters: { chain: '258', '0x1600': 'ff' } });
});

test('parameters of a reply in several parts are stored with it in the inbox', async (t) => {
  const s = await stage(t);
  const carrier = await smsc(s.closing);
  await s.addLink({ port: carrier.port, parameters: PARAMETERS });
  await s.sender();
  await until('it is bound', async () => {
    const { up } = await s.one<{ up: number }>(`SELECT count(*)::integer AS up FROM link_health WHERE state = 'up'`);
    return up === 1;
  });
  const part = (number: number, tag: number) =>
    carrier.deliver({
      source_addr: '639170000001',
      destination_addr: '5000',
      short_message: encodeShortMessage(`part ${number}`, 'gsm'),
      tlvs: {
        sar_msg_ref_num: 9,
        sar_total_segments: 2,
        sar_segment_seqnum: number,
        unknown: [{ tag, value: Buffer.from('12\0') }],
      },
    });
  await part(2, 0x1401);
  await part(1, 0x1400);
  const log = { error: () => undefined } as never;
  const database = s.database.db('worker');
  await routeOrSetAside({ database, clock: { now: () => new Date() }, config: {} as never, log }, 0);
  const { message, parameters } = await s.one<{ message: string; parameters: object }>(
    'SELECT message, parameters FROM inbox_message',
  );
  assert.deepEqual(
    { message, parameters },
    { message: 'part 1part 2', parameters: { dlt_entity_id: '12', dlt_template_id: '12' } },
  );
});
