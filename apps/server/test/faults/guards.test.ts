import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { type CarrierLog, readCarrierLog, startVictim, type Victim } from '@heliograph/fault-kit';
import { FAILPOINT_VARIABLE } from '#platform/failpoints';
import type { Entry } from '../../src/modules/delivery/outcomes/entry.ts';
import { recordBatch } from '../../src/modules/delivery/outcomes/record-batch.ts';
import { PostgresSession } from '../../src/modules/delivery/postgres-session.ts';
import type { Message } from '../../src/modules/delivery/segment.ts';
import { CHUNK_COLUMNS, type ChunkColumns, chunkContext } from '../../src/modules/delivery/segment.ts';
import { connectionSettings } from '../../src/platform/database/db.ts';
import { numbers, type Stage, stage, until } from '../delivery/stage.ts';
import { Truth } from './truth.ts';

// Tests each guard of the hand-over in turn. With it no contradiction is found; without it the search for
// contradictions fails.

const SENDER = join(import.meta.dirname, '../../src/processes/sender.ts');
const GUARD_OFF = pathToFileURL(join(import.meta.dirname, 'guard-off.ts')).href;
/** Time in which a working guard may fail. */
const PATIENCE_MS = 2_000;

interface Scene {
  s: Stage;
  log: CarrierLog;
  truth: Truth;
  /** Starts a sender, with or without the guard. */
  sender(failpoint?: string): Promise<Victim>;
  accepted(): number;
}

async function scene(t: TestContext, guard: string, off: boolean, rate: number): Promise<Scene> {
  const folder = mkdtempSync(join(tmpdir(), 'heliograph-guards-'));
  const s = await stage(t);
  const logFile = join(folder, 'carrier.ndjson');
  const simulator = await s.simulator({ logFile });
  await s.addLink({ port: simulator.smppPort, rate, window_size: 100 });
  const log = readCarrierLog(logFile);
  const victims: Victim[] = [];
  s.closing.push(async () => {
    for (const victim of victims) await victim.kill();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    s,
    log,
    truth: new Truth(s.owner, log),
    accepted: () => {
      log.read();
      return log.accepted.length;
    },
    sender: async (failpoint) => {
      const victim = await startVictim(SENDER, {
        nodeOptions: off ? ['--import', GUARD_OFF] : [],
        environment: {
          NODE_ENV: 'test',
          DATABASE_URL: s.database.url,
          DATA_DIR: folder,
          LOG_LEVEL: 'silent',
          FAULT_GUARD_OFF: guard,
          ...(failpoint && { [FAILPOINT_VARIABLE]: failpoint }),
        },
      });
      victims.push(victim);
      return victim;
    },
  };
}

const endLeases = (s: Stage) => s.owner.query('UPDATE lane SET expires_at = now()');

/** Returns whether the condition becomes true. Without the guard it soon does; with a working guard it never does. */
async function comesTrue(condition: () => boolean | Promise<boolean>, off: boolean): Promise<boolean> {
  const deadline = performance.now() + (off ? 30_000 : PATIENCE_MS);
  while (performance.now() < deadline) {
    if (await condition()) return true;
    await sleep(20);
  }
  return false;
}

const frozen = ({ pid }: Victim): boolean => /\) T /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));

const handedOver = async (s: Stage): Promise<number> =>
  (await s.one<{ count: number }>('SELECT sum(cursor)::bigint AS count FROM chunk')).count;

/** Contradictions found with a guard on, or off. */
const SCENES: Readonly<Record<string, (t: TestContext, off: boolean) => Promise<string[]>>> = {
  /** A message has one outcome and a segment one answer, even if the same batch comes again after a lost COMMIT. */
  async unique(t, off) {
    const s = await stage(t);
    await s.addLink({ port: 9 });
    await s.campaign(numbers(30));
    if (off) {
      await s.owner.query('ALTER TABLE submission DROP CONSTRAINT submission_pkey');
      await s.owner.query('ALTER TABLE outcome DROP CONSTRAINT outcome_pkey');
    }
    await s.owner.query('UPDATE chunk SET cursor = 10');
    await s.owner.query('UPDATE campaign_counter SET processed = 10');
    const chunk = await s.one<ChunkColumns>(
      `SELECT ${CHUNK_COLUMNS} FROM chunk k LEFT JOIN campaign c ON c.id = k.campaign_id`,
    );
    const context = chunkContext(chunk);
    const entries = Array.from({ length: 10 }, (_, place): Entry => {
      const message: Message = {
        id: chunk.chunk_id * 1_024 + place,
        chunk: context,
        msisdn: '',
        text: null,
        parts: 1,
        unit_price: 350,
        reference: 0,
        answered_at: 0,
      };
      return {
        kind: 'submission',
        segment: { message, part: 1, tries: 0 },
        link_id: s.linkId,
        command_status: place < 5 ? 0 : 11,
        carrier_id: null,
        at: Date.now(),
        end: place < 5 ? undefined : { state: 'failed_submit', error: 'ESME_RINVDSTADR' },
        from_retry: false,
      };
    });
    const session = new PostgresSession(connectionSettings({ DATABASE_URL: s.database.url }, 'sender'), 'test');
    s.closing.push(() => session.end());
    const client = await session.client();
    await recordBatch(client, entries, 'once');
    if (off) await s.owner.query(`UPDATE chunk_state SET states = ''`);
    await recordBatch(client, entries, 'again');
    return new Truth(s.owner, readCarrierLog('/nowhere')).contradictions();
  },

  /** The intent is committed before bytes leave: a sender dies, and the next must not start over. */
  async intent(t, off) {
    const { s, sender, accepted, truth } = await scene(t, 'intent', off, 400);
    await s.campaign(numbers(200));
    // The sender dies at a later slice; the bytes of the first have left by then.
    const first = await sender('intent.sent:6');
    await first.gone;
    await until('something reaches the carrier', () => accepted() > 0);
    await endLeases(s);
    const second = await sender();
    await comesTrue(() => accepted() > 200, off);
    await second.kill();
    return truth.contradictions();
  },

  /** A sender that froze and lost its lane hands nothing over when it wakes. The holder of the lane is frozen too. */
  async fence(t, off) {
    const { s, sender, accepted } = await scene(t, 'fence', off, 100);
    await s.campaign(numbers(900));
    const first = await sender('intent.before-commit:5:freeze');
    await until('the first is frozen', () => frozen(first));
    await endLeases(s);
    const second = await sender('intent.before-commit:1:freeze');
    await until('the second is frozen', () => frozen(second));
    const intended = await handedOver(s);
    first.thaw();
    const lost = await comesTrue(() => accepted() > intended, off);
    return lost ? ['sent by one who had lost the lane'] : [];
  },

  /** A campaign's state is checked with every slice: messages of a paused campaign stay in memory. */
  async epoch(t, off) {
    const { s, sender, accepted } = await scene(t, 'epoch', off, 100);
    const campaign = await s.campaign(numbers(950));
    await sender();
    await until('something reaches the carrier', () => accepted() > 20);
    await s.owner.query(`UPDATE campaign SET state = 'paused' WHERE id = $1`, [campaign.id]);
    await sleep(2_000);
    // Messages handed over before the pause do not concern the guard, even if they take long to arrive.
    if (!off) await until('what was handed over is there', async () => accepted() >= (await handedOver(s)));
    const sent = accepted();
    const goesOn = await comesTrue(() => accepted() > sent, off);
    return goesOn ? ['sent 2 s after the campaign was paused'] : [];
  },
};

// Each test has its own stage and mostly waits.
describe('guards', { concurrency: true }, () => {
  for (const [guard, look] of Object.entries(SCENES)) {
    test(`the guard “${guard}” prevents contradictions, which appear without it`, async (t) => {
      assert.deepEqual(await look(t, false), []);
      const found = await look(t, true);
      assert.ok(found.length > 0, 'without the guard everything looked well');
      t.diagnostic(found.join('; '));
    });
  }
});
