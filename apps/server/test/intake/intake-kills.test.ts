import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { seededRandom, seedOf, startVictim, type Victim } from '@heliograph/fault-kit';
import { concatenationUdh, encodeShortMessage, STATUS } from '@heliograph/smpp';
import { reconcile } from '#modules/billing';
import { FAILPOINT_VARIABLE, type Failpoint } from '#platform/failpoints';
import { createLogger } from '#platform/log';
import { sweepLongMessages } from '../../src/modules/smpp-server/long-message-sweep.ts';
import { bind, type Esme, smppStage } from '../smpp-server/stage.ts';
import { TEST_KEY } from '../test-key.ts';
import { INTAKE_PLACES } from './intake-places.ts';
import { programKey } from './program-key.ts';

const PROCESSES = join(import.meta.dirname, '../../src/processes');
const seed = seedOf('FAULT_SEED');
const random = seededRandom(seed);
/** Number of kills at each place; `npm run soak` sets a larger one. */
const ROUNDS = Number(process.env['FAULT_INTAKE_ROUNDS'] || 1);

const stage = await smppStage({ after });
const { owner } = stage;
const environment = {
  DATABASE_URL: stage.url,
  SECRET_KEY: TEST_KEY,
  LOG_LEVEL: 'silent',
  NODE_ENV: 'test',
  PORT: '0',
  SMPP_SERVER_PORT: '0',
};

/** Starts a process that dies at one of the first three visits of a place, or lives if no place is given. */
async function start(name: 'api' | 'smpp-server', place?: Failpoint): Promise<{ victim: Victim; port: number }> {
  const armed = place ? { [FAILPOINT_VARIABLE]: `${place}:${1 + random.below(3)}` } : {};
  const victim = await startVictim(join(PROCESSES, `${name}.ts`), { environment: { ...environment, ...armed } });
  after(() => victim.kill());
  return { victim, port: Number(new URL((victim.ready as { url: string }).url).port) };
}

/** Finds contradictions in one snapshot between messages, reserves, stored answers and claimed references. */
async function contradictions(): Promise<unknown[]> {
  const { rows } = await owner.query(`
    SELECT 'message without its reserve, or with another' AS what, k.id FROM chunk k
      JOIN LATERAL (SELECT sum(parts * unit_price) AS cost, count(*) AS messages FROM message m WHERE m.id >> 10 = k.id) m ON true
      LEFT JOIN ledger_transfer t ON t.key = 'chunk:' || k.id || ':reserve'
      WHERE m.cost IS DISTINCT FROM -t.amount OR m.messages <> k.size
    UNION ALL SELECT 'held message that waits for nobody', k.id FROM chunk k WHERE k.state = 'held'
      AND NOT EXISTS (SELECT FROM moderation_item i WHERE i.chunk_id = k.id AND i.state = 'waiting' AND i.messages = k.size)
    UNION ALL SELECT 'text of a rule that may leave', k.id FROM chunk k WHERE k.state <> 'held' AND k.common_text = 'Claim'
    UNION ALL SELECT 'message that no program knows', m.id FROM message m
      LEFT JOIN program_message p ON p.message_id = m.id WHERE p.message_id IS NULL
    UNION ALL SELECT 'program''s message that is none', p.message_id FROM program_message p
      LEFT JOIN message m ON m.id = p.message_id WHERE m.id IS NULL
    UNION ALL SELECT 'reserve of nothing', 0 FROM ledger_transfer t
      WHERE t.kind = 'reservation' AND NOT EXISTS (SELECT FROM chunk k WHERE t.key = 'chunk:' || k.id || ':reserve')
    UNION ALL SELECT 'kept answer without its message', 0 FROM idempotency_key i
      WHERE i.key LIKE 'one-%' AND NOT EXISTS (SELECT FROM program_message p WHERE p.message_id = (i.answer::jsonb ->> 'id')::bigint)
    UNION ALL SELECT 'kept answer without its batch', 0 FROM idempotency_key i
      WHERE i.key LIKE 'batch-%' AND (i.answer::jsonb ->> 'accepted')::bigint IS DISTINCT FROM
        (SELECT count(*) FROM program_message p WHERE p.batch_id = (i.answer::jsonb ->> 'id')::bigint)
    UNION ALL SELECT 'message without its kept answer', p.message_id FROM program_message p
      WHERE p.api_key_id IS NOT NULL AND NOT EXISTS (SELECT FROM idempotency_key i
        WHERE i.answer::jsonb ->> 'id' = coalesce(p.batch_id, p.message_id)::text)
    UNION ALL SELECT 'claimed reference without its message', 0 FROM client_ref_claim c
      WHERE NOT EXISTS (SELECT FROM program_message p WHERE p.client_ref = c.client_ref AND p.api_key_id = c.api_key_id)`);
  return [...rows, ...(await reconcile(owner))];
}

test(`a killed API keeps answers, messages and reserves in step (FAULT_SEED=${seed})`, async () => {
  const program = await stage.tenant('Web');
  const key = await programKey(stage, program);
  await owner.query("INSERT INTO moderation_rule (name, words) VALUES ('Prizes', '{claim}')");
  const bodies = new Map<string, object>();
  const answers = new Map<string, Set<string>>();
  const post = async (port: number, name: string): Promise<void> => {
    const response = await fetch(`http://127.0.0.1:${port}/v1/${name.startsWith('one') ? 'messages' : 'batches'}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'idempotency-key': name },
      body: JSON.stringify(bodies.get(name)),
    }).catch(() => undefined);
    const said = await response?.text().catch(() => undefined);
    if (response?.status === 202 && said !== undefined) answers.get(name)!.add(said);
    else if (response && ![409, 503].includes(response.status)) throw new Error(`${response.status} ${said}`);
  };
  const add = (name: string, body: object) => {
    bodies.set(name, { from: 'Acme', text: 'Hello', ...body });
    answers.set(name, new Set());
  };
  const number = () => `63917${String(random.below(10_000_000)).padStart(7, '0')}`;
  for (let round = 0; round < ROUNDS; round++)
    for (const place of ['intake.before-commit', 'intake.after-commit'] as const) {
      const { victim, port } = await start('api', place);
      while (victim.alive) {
        const index = bodies.size;
        add(`one-${index}`, { to: number(), client_ref: `r-${index}`, unique_ref: true });
        add(`one-held-${index}`, { to: number(), text: 'Claim' });
        add(`batch-${index}`, { recipients: Array.from({ length: 20 }, () => ({ to: number() })) });
        // Some requests were sent before, and some are sent twice at the same time.
        const names = [...bodies.keys()].slice(-12);
        await Promise.all([...names, ...names.slice(0, 4)].map((name) => post(port, name)));
      }
      assert.deepEqual(await contradictions(), [], place);
    }
  const { port, victim } = await start('api');
  for (const name of bodies.keys())
    for (let tries = 0; tries === 0 || answers.get(name)!.size === 0; tries++) await post(port, name);
  assert.deepEqual(new Set([...answers.values()].map(({ size }) => size)), new Set([1]));
  assert.deepEqual(await contradictions(), []);
  const { kept } = await stage.one<{ kept: number }>('SELECT count(*) AS kept FROM idempotency_key');
  assert.equal(kept, bodies.size);
  await victim.kill();
});

test(`a killed SMPP server has committed all it acknowledged (FAULT_SEED=${seed})`, async () => {
  await stage.customer('dying', { window_size: 1_000 });
  /** Ids answered with ROK: of short messages here, and of long messages with their parts below. */
  const messages = new Set<string>();
  const parts = new Map<string, Set<number>>();
  let sent = 0;
  const submitSome = async (esme: Esme): Promise<void> => {
    const whole = Array.from({ length: 15 }, async () => {
      const answer = await esme.submit({ destination_addr: `63918${String(++sent).padStart(7, '0')}` });
      if (answer.kind === 'answered' && answer.status === STATUS.ROK) messages.add(answer.message_id);
    });
    const ref = ++sent % 65_536;
    const long = [1, 2, 3].map(async (number) => {
      const udh = concatenationUdh({ ref, total: 3, number }, true);
      const short_message = encodeShortMessage(`part ${number} of ${ref}`, 'gsm', udh);
      const answer = await esme.submit({ destination_addr: '639190000001', esm_class: 0x40, short_message });
      if (answer.kind !== 'answered' || answer.status !== STATUS.ROK) return;
      parts.set(answer.message_id, (parts.get(answer.message_id) ?? new Set()).add(number));
    });
    await Promise.allSettled([...whole, ...long]);
  };
  const lost = async () => {
    const { rows } = await owner.query<{ id: string }>(
      `SELECT id::text FROM unnest($1::bigint[]) AS w(id) WHERE NOT EXISTS (SELECT FROM message m WHERE m.id = w.id)`,
      [[...messages]],
    );
    const kept = await owner.query<{ id: string; numbers: number[] }>(
      `SELECT id::text, ARRAY(SELECT number::integer FROM smpp_part WHERE smpp_long_message_id = id) AS numbers
       FROM unnest($1::bigint[]) AS w(id)
       WHERE NOT EXISTS (SELECT FROM program_message WHERE client_ref = id::text)`,
      [[...parts.keys()]],
    );
    const gone = kept.rows.filter(({ id, numbers }) => ![...parts.get(id)!].every((n) => numbers.includes(n)));
    return [...rows, ...gone];
  };
  for (let round = 0; round < ROUNDS; round++)
    for (const place of INTAKE_PLACES) {
      const { victim, port } = await start('smpp-server', place);
      const esme = await bind({ port }, 'dying');
      while (victim.alive && esme.session.state === 'bound') await submitSome(esme);
      await victim.gone;
      assert.deepEqual(await lost(), [], place);
      assert.deepEqual(await contradictions(), [], place);
      await owner.query("UPDATE smpp_session SET seen_at = now() - interval '1 minute'");
    }
  assert.ok(messages.size > 0 && parts.size > 0);
  // A long message that was complete when its process died is handed in once, by the next sweep.
  await owner.query(`UPDATE smpp_long_message SET received_at = now() - interval '1 minute' WHERE key IS NULL`);
  const log = createLogger({ LOG_LEVEL: 'silent' }, 'test');
  await Promise.all([1, 2].map(() => sweepLongMessages(stage.database.pool('worker'), stage.intake, log)));
  const { left } = await stage.one<{ left: number }>(
    'SELECT count(*) AS left FROM smpp_long_message WHERE key IS NULL',
  );
  assert.equal(left, 0);
  const { twice } = await stage.one<{ twice: number }>(
    `SELECT count(*) - count(DISTINCT client_ref) AS twice FROM program_message WHERE smpp_system_id IS NOT NULL AND client_ref IS NOT NULL`,
  );
  assert.equal(twice, 0);
  assert.deepEqual(await lost(), []);
  assert.deepEqual(await contradictions(), []);
});
