import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom, seedOf } from '@heliograph/fault-kit';
import { concatenationUdh, encodeShortMessage, type MessageFields } from '@heliograph/smpp';
import { reconcile } from '#modules/billing';
import { ownCarrier } from '../delivery/own-carrier.ts';
import { untilServed } from '../patience.ts';
import { House } from './house.ts';
import { INBOUND_PLACES } from './inbound-places.ts';

const SEED_VARIABLE = 'FAULT_SEED';
const seed = seedOf(SEED_VARIABLE);
/** Rounds through all places; `npm run soak` runs more of them. */
const rounds = Number(process.env['FAULT_INBOUND_ROUNDS'] ?? 1);
const NUMBER = '2929';
const WORDS = ['one ', 'two ', 'three'];

/** Makes a message of one part or of three, with the phone's number in its text. */
function fieldsOf(phone: string, parts: 1 | 3, reference: number): MessageFields[] {
  const addresses = { source_addr: phone, destination_addr: NUMBER };
  if (parts === 1) return [{ ...addresses, short_message: encodeShortMessage(`whole ${phone}`, 'gsm') }];
  return WORDS.map((word, index) => ({
    ...addresses,
    esm_class: 0x40,
    short_message: encodeShortMessage(word, 'gsm', concatenationUdh({ ref: reference, total: 3, number: index + 1 })),
  }));
}

test(`kills never lose or repeat a message from a phone (${SEED_VARIABLE}=${seed})`, async (t) => {
  const random = seededRandom(seed);
  const house = await House.open(t, random);
  const { stage } = house;
  t.after(async () => {
    for (const close of stage.closing.reverse()) await close();
  });
  const carrier = await ownCarrier(stage, (submit, own) => own.accept(submit));
  await stage.transaction(async (client) => {
    await client.query("SELECT set_config('app.level', '0', true)");
    await client.query('UPDATE link SET port = $1', [carrier.port]);
    await client.query(
      `INSERT INTO routing (corporation_id, number, action, valid_reply_message) VALUES ($1, $2, 'inbox', 'Thank you.')`,
      [stage.corporationId, NUMBER],
    );
  });
  const wanted = new Map<string, string>();
  const write = () => {
    const phone = `63915${String(wanted.size).padStart(7, '0')}`;
    const parts = random.chance(0.3) ? 3 : 1;
    wanted.set(phone, parts === 1 ? `whole ${phone}` : WORDS.join(''));
    const pieces = fieldsOf(phone, parts, wanted.size % 256);
    // Sometimes the parts come in reverse order, or one of them twice.
    if (random.chance(0.5)) pieces.reverse();
    for (const piece of [...pieces, ...(parts === 3 && random.chance(0.3) ? [pieces[0]!] : [])]) carrier.deliver(piece);
  };
  /** Phones with an answer that a sender took before it died. Answers not written by then never leave. */
  const taken = new Set<string>();
  const takenUp = () =>
    stage.owner.query<{ msisdn: string }>(
      'SELECT m.msisdn FROM message m JOIN chunk k ON k.id = m.id >> 10 WHERE (m.id & 1023) < k.cursor',
    );
  for (let round = 0; round < rounds; round++) {
    for (const { place, victim } of INBOUND_PLACES) {
      const other = victim === 'sender' ? 'worker' : 'sender';
      if (!house.victims.get(other)?.alive) await house.start(other);
      const target = await house.start(victim, `${place}:${1 + random.below(4)}`);
      await untilServed(`the ${victim} dies at ${place}`, async () => {
        if (target.alive) for (let i = 0; i < 5; i++) write();
        await sleep(10 + random.below(30));
        return !target.alive;
      });
      await house.sessionsEnded(victim);
      if (victim === 'sender') for (const { msisdn } of (await takenUp()).rows) taken.add(msisdn);
    }
  }
  for (const name of ['sender', 'worker'] as const) if (!house.victims.get(name)?.alive) await house.start(name);
  const stored = () =>
    stage.owner.query<{ oa: string; message: string; reply_message: string | null; parts: number; total: number }>(
      'SELECT oa, message, reply_message, parts, total FROM inbox_message',
    );
  await untilServed('every message is stored', async () => {
    const { rows } = await stored();
    return new Set(rows.map(({ oa }) => oa)).size === wanted.size;
  });
  await untilServed('every answer has left, but for what a sender held when it died', () => {
    const answered = new Set(carrier.submits.map(({ pdu }) => pdu.destination_addr));
    return wanted.keys().every((phone) => answered.has(phone) || taken.has(phone));
  });
  // Messages that a carrier still sends again, and those still to be settled, arrive within moments.
  await untilServed('nothing waits', async () => {
    const { waiting } = await stage.one<{ waiting: number }>(
      'SELECT (SELECT count(*) FROM inbound_message) + (SELECT count(*) FROM inbound_part WHERE handed_on_at IS NULL) AS waiting',
    );
    return waiting === 0;
  });
  const { rows } = await stored();
  assert.deepEqual(rows.map(({ oa, message }) => [oa, message]).sort(), [...wanted].sort());
  assert.ok(rows.every(({ reply_message, parts, total }) => reply_message === 'Thank you.' && parts === total));
  const answered = carrier.submits.map(({ pdu }) => pdu.destination_addr);
  assert.equal(new Set(answered).size, answered.length, 'no phone is answered twice');
  await untilServed('the books agree', async () => (await reconcile(stage.owner)).length === 0);
  t.diagnostic(
    `${rounds * INBOUND_PLACES.length} kills, ${wanted.size} messages, ${wanted.size - answered.length} answers lost with a sender`,
  );
});
