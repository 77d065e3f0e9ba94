import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Outcome, openSession, STATUS, startServer } from '../src/index.ts';

const SUBMITS = Number(process.env.WINDOW_SUBMITS ?? 50_000);
const WINDOW = 2_000;
const RESPONSE_MS = 600;
const LATE_MS = 1_200;

/** Decides the carrier's reaction to a segment by its number, so that every run has the same faults. */
function fateOf(number: number): 'lost' | 'late' | 'doubled' | 'answered' {
  const draw = (number * 7_919) % 1_000;
  if (draw < 10) return 'lost';
  if (draw < 20) return 'late';
  return draw < 25 ? 'doubled' : 'answered';
}

test(`lost, late and doubled answers to ${SUBMITS} submits leave no slot taken`, async (t) => {
  const timers = new Set<NodeJS.Timeout>();
  let received = 0;
  const server = await startServer<unknown>(
    { port: 0 },
    {
      onBind: (_bind, session) => session.acceptBind('smsc'),
      onRequests: (requests, session) => {
        for (const request of requests) {
          const fate = fateOf(received++);
          const answer = () => session.respond(request, STATUS.ROK, String(request.sequence));
          if (fate === 'lost') session.leaveUnanswered();
          else if (fate === 'late') {
            const timer = setTimeout(() => {
              timers.delete(timer);
              answer();
            }, LATE_MS);
            timers.add(timer);
          } else {
            answer();
            if (fate === 'doubled') answer();
          }
        }
      },
    },
  );
  const fates: Outcome<number>['kind'][][] = Array.from({ length: SUBMITS }, () => []);
  let settled = 0;
  let stray = 0;
  let sent = 0;
  let ready = true;
  const text = Buffer.from('hello');
  const fill = () => {
    while (sent < SUBMITS && client.submit({ destination_addr: '639170000000', short_message: text }, sent)) sent++;
  };
  const client = openSession<number>(
    {
      host: '127.0.0.1',
      port: server.port,
      bind: { mode: 'transceiver', system_id: 'esme', password: 'secret' },
      window: WINDOW,
      responseMs: RESPONSE_MS,
      // A machine that stops for a moment loses many answers in a row; this test does not cover that.
      maxConsecutiveTimeouts: SUBMITS,
    },
    {
      onBound: fill,
      onReady: fill,
      onResponses: (outcomes) => {
        for (const { kind, context } of outcomes) {
          fates[context]!.push(kind);
          if (kind !== 'late') settled++;
        }
        fill();
      },
      onFault: () => {
        stray++;
      },
      onClose: () => {
        ready = false;
      },
    },
  );
  t.after(async () => {
    for (const timer of timers) clearTimeout(timer);
    client.destroy();
    await server.stop();
  });
  const wanted = { lost: 0, late: 0, doubled: 0, answered: 0 };
  for (let number = 0; number < SUBMITS; number++) wanted[fateOf(number)]++;
  // Far longer than it takes; a stall would never end.
  const deadline = performance.now() + 120_000 + SUBMITS;
  const lateOnes = fates.filter((_, number) => fateOf(number) === 'late');
  const resolved = () => lateOnes.filter((kinds) => kinds.at(-1) === 'late' || kinds.at(-1) === 'answered').length;
  while (settled < SUBMITS || resolved() < lateOnes.length) {
    assert.ok(performance.now() < deadline && ready, `stalled at ${settled} of ${SUBMITS}, ${resolved()} late`);
    await sleep(20);
  }
  assert.equal(received, SUBMITS);
  assert.equal(client.inFlight, 0);
  assert.equal(client.free, WINDOW, 'the window is as large as it was');
  assert.equal(client.state, 'bound');
  assert.equal(stray, wanted.doubled, 'the second of two answers answers nothing');
  // On a machine under load ordinary answers may be late as well, and late ones may be read before the timer was
  // checked.
  for (const [number, kinds] of fates.entries()) {
    if (fateOf(number) === 'lost') assert.deepEqual(kinds, ['uncertain']);
    else assert.ok(kinds.join() === 'answered' || kinds.join() === 'uncertain,late', kinds.join());
  }
});
