import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startChaosProxy, startVictim, until } from '@heliograph/fault-kit';
import { type Closing, type Outcome, openSession, type Session, startServer } from '../src/index.ts';

const TIMERS = { enquireLinkMs: 1_000, responseMs: 1_000 };
/** Time limit for finding a silent peer: idle + timer + 1 s. */
const FOUND_WITHIN_MS = TIMERS.enquireLinkMs + TIMERS.responseMs + 1_000;
const LINKS = 25;
const TICK_MS = 10;

interface Found {
  closing: Closing;
  afterMs: number;
}

/** Opens links, lets `silence` cut them off from the peer, and answers when each was given up. */
async function silenced(t: TestContext, port: number, silence: () => void): Promise<Found[]> {
  const found: Found[] = [];
  let silentSince = 0;
  const sessions: Session<number>[] = Array.from({ length: LINKS }, () =>
    openSession<number>(
      { host: '127.0.0.1', port, bind: { mode: 'transceiver', system_id: 'x', password: '' }, ...TIMERS },
      { onClose: (closing) => found.push({ closing, afterMs: performance.now() - silentSince }) },
    ),
  );
  t.after(() => {
    for (const session of sessions) session.destroy();
  });
  await until('all binds', () => sessions.every(({ state }) => state === 'bound'));
  // Long enough for live links to be asked and to answer: none is given up without a cause.
  await sleep(FOUND_WITHIN_MS);
  assert.deepEqual(found, []);
  silentSince = performance.now();
  silence();
  await until('all to be found', () => found.length === LINKS);
  return found;
}

/** Checks the time limit. A busy machine delays our own timers now and then; that is not the link's fault. */
function within(found: readonly Found[], heldUpMs: number): void {
  for (const { closing, afterMs } of found) {
    assert.equal(closing.reason, 'half_open');
    assert.ok(afterMs <= FOUND_WITHIN_MS + heldUpMs, `found after ${Math.round(afterMs)} ms`);
  }
}

async function measured(work: () => Promise<Found[]>): Promise<void> {
  let heldUpMs = 0;
  let ticked = performance.now();
  const ticks = setInterval(() => {
    const now = performance.now();
    heldUpMs += Math.max(0, now - ticked - 2 * TICK_MS);
    ticked = now;
  }, TICK_MS);
  const found = await work().finally(() => clearInterval(ticks));
  within(found, heldUpMs);
}

test('does not take a peer for silent after this process stood still', async (t) => {
  const peer = await startVictim(join(import.meta.dirname, 'smsc-process.ts'));
  t.after(() => peer.kill());
  const outcomes: Outcome<number>[] = [];
  const closings: Closing[] = [];
  const { port } = peer.ready as { port: number };
  const bind = { mode: 'transceiver', system_id: 'x', password: '' } as const;
  const session = openSession<number>(
    { host: '127.0.0.1', port, bind, enquireLinkMs: 200, responseMs: 200, maxConsecutiveTimeouts: 1 },
    { onResponses: (batch) => outcomes.push(...batch), onClose: (closing) => closings.push(closing) },
  );
  t.after(() => session.destroy());
  await until('the bind', () => session.state === 'bound');
  for (let i = 0; i < 2; i++) {
    assert.ok(session.submit({ destination_addr: '639170000000' }, i));
    // The submit leaves at the end of the turn; then nothing runs here for longer than any timer.
    await new Promise((resolve) => setImmediate(resolve));
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000);
    await until('the answer', () => outcomes.length === i + 1);
    await sleep(100);
  }
  assert.deepEqual(
    outcomes.map(({ kind }) => kind),
    Array(2).fill('answered'),
  );
  assert.deepEqual(closings, []);
});

describe('silence', { concurrency: true }, () => {
  test(`${LINKS} links into a black hole are found within idle + timer + 1 s`, async (t) => {
    const server = await startServer<unknown>({ port: 0 }, { onBind: (_bind, session) => session.acceptBind('smsc') });
    const proxy = await startChaosProxy({ to: { port: server.port }, seed: 1 });
    t.after(async () => {
      await proxy.stop();
      await server.stop();
    });
    await measured(() => silenced(t, proxy.port, () => proxy.blackHole(true)));
  });

  test(`${LINKS} links to a frozen (SIGSTOP) peer are found within idle + timer + 1 s`, async (t) => {
    const peer = await startVictim(join(import.meta.dirname, 'smsc-process.ts'));
    t.after(() => peer.kill());
    await measured(() => silenced(t, (peer.ready as { port: number }).port, () => peer.freeze()));
  });

  test('an SMSC finds ESMEs that only take and no longer answer', async (t) => {
    const found: Found[] = [];
    let silentSince = 0;
    const server = await startServer<unknown>(
      { port: 0, ...TIMERS },
      {
        onBind: (_bind, session) => session.acceptBind('smsc'),
        onClose: (closing) => found.push({ closing, afterMs: performance.now() - silentSince }),
      },
    );
    const proxy = await startChaosProxy({ to: { port: server.port }, seed: 1 });
    t.after(async () => {
      await proxy.stop();
      await server.stop();
    });
    const bind = { mode: 'transceiver' as const, system_id: 'x', password: '' };
    const sessions = Array.from({ length: LINKS }, () =>
      openSession<number>({ host: '127.0.0.1', port: proxy.port, bind, enquireLinkMs: 0 }, {}),
    );
    t.after(() => {
      for (const session of sessions) session.destroy();
    });
    await until('all binds', () => sessions.every(({ state }) => state === 'bound'));
    await measured(async () => {
      silentSince = performance.now();
      proxy.set('toServer', { lose: true });
      await until('all to be found', () => found.length === LINKS);
      return found;
    });
  });
});
