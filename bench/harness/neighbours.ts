import { setTimeout as sleep } from 'node:timers/promises';
import { openSession, type Session } from '../../packages/smpp/src/index.ts';

export interface Neighbour {
  system_id: string;
  password: string;
}

/** Results of submits by customers who each send a few per second. */
export interface Calm {
  /** Response times in milliseconds. */
  times: number[];
  refused: number;
}

function bindOne(port: number, { system_id, password }: Neighbour, onAnswer: (ms: number, status: number) => void) {
  return new Promise<Session<number>>((resolve, reject) => {
    const session: Session<number> = openSession<number>(
      { host: '127.0.0.1', port, window: 1_000, bind: { mode: 'transceiver', system_id, password } },
      {
        onBound: () => resolve(session),
        onResponses(outcomes) {
          for (const { status, context } of outcomes) onAnswer(performance.now() - context, status);
        },
        onClose: ({ reason }) => reject(new Error(reason)),
      },
    );
  });
}

const submitTo = (session: Session<number>, place: number, short_message: Uint8Array) =>
  session.submit(
    {
      source_addr: 'Acme',
      source_addr_ton: 5,
      destination_addr: `63917${String(place % 10_000_000).padStart(7, '0')}`,
      short_message,
    },
    performance.now(),
  );

/** Binds customers. `run` lets each submit every `everyMs` for some seconds, and returns their response times. */
export async function calmNeighbours(port: number, neighbours: readonly Neighbour[], text: Uint8Array) {
  let times: number[] = [];
  let refused = 0;
  const answered = (ms: number, status: number) => {
    times.push(ms);
    if (status !== 0) refused++;
  };
  const sessions: Session<number>[] = [];
  for (const neighbour of neighbours) sessions.push(await bindOne(port, neighbour, answered));
  let sent = 0;
  return {
    async run(seconds: number, everyMs: number): Promise<Calm> {
      times = [];
      refused = 0;
      const until = performance.now() + seconds * 1_000;
      await Promise.all(
        sessions.map(async (session, index) => {
          await sleep((index / sessions.length) * everyMs);
          for (; performance.now() < until; await sleep(everyMs)) submitTo(session, sent++, text);
        }),
      );
      for (const session of sessions) while (session.inFlight > 0) await sleep(5);
      return { times, refused };
    },
    close() {
      for (const session of sessions) session.destroy();
    },
  };
}

/**
 * Binds one customer three times, who submits as much as its windows take, until it is closed. Many of its submits are
 * refused.
 */
export async function floodingNeighbour(port: number, neighbour: Neighbour, text: Uint8Array) {
  let taken = 0;
  let on = true;
  const sessions: Session<number>[] = [];
  const answered = (_ms: number, status: number) => {
    if (status === 0) taken++;
  };
  for (let i = 0; i < 3; i++) sessions.push(await bindOne(port, neighbour, answered));
  let sent = 0;
  const flooding = sessions.map(async (session) => {
    while (on) {
      while (on && submitTo(session, sent++, text));
      await sleep(1);
    }
  });
  return {
    /** Returns the number of its messages that were accepted. */
    taken: () => taken,
    async close() {
      on = false;
      await Promise.all(flooding);
      for (const session of sessions) session.destroy();
    },
  };
}
