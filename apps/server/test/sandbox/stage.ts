import { until } from '@heliograph/fault-kit';
import { Sender } from '#modules/delivery';
import { type ApiStage, apiStage } from '../api/stage.ts';
import type { Scope } from '../template-database.ts';

/** An installation without links for tests, with a test key of Acme. */
export interface SandboxStage extends ApiStage {
  /** Calls with a test key, and with a live one. */
  tests: ReturnType<ApiStage['by']>;
  live: ReturnType<ApiStage['by']>;
  /** Starts a sender process in this one, which is stopped with the test. */
  sender(): Promise<Sender>;
  /** Sends a message with the test key and returns its id. */
  send(to: string, more?: Record<string, unknown>): Promise<string>;
  /** Waits until a message of the test key has a state, and returns it. */
  reaches(id: string, state: string, within?: number): Promise<Record<string, unknown>>;
  /** Returns the events of the test key of these types, the oldest first. */
  events(types: string): Promise<{ type: string; data: Record<string, unknown> }[]>;
}

/** Returns a valid number that ends in these digits. */
export const numberTo = (digits: string, nth = 1): string => `63917${String(nth).padStart(3, '0')}${digits}`;

export async function sandboxStage(t: Scope): Promise<SandboxStage> {
  const closing: (() => Promise<unknown>)[] = [];
  t.after(async () => {
    for (const close of closing.reverse()) await close();
  });
  const stage = await apiStage(t, { LOG_LEVEL: 'error' });
  const owner = stage.api.database.pool('owner');
  // The demo's links lead to a simulator that does not run here.
  await owner.query('UPDATE link SET enabled = false');
  const tests = stage.by((await stage.makeKey({ mode: 'test' })).key);
  const live = stage.by((await stage.makeKey()).key);
  const read = async (id: string) => (await tests('GET', `/v1/messages/${id}`)).body as Record<string, unknown>;
  return {
    ...stage,
    tests,
    live,
    async sender() {
      const sender = new Sender(stage.api.config, stage.api.log);
      let stopped: Promise<void> | undefined;
      const stop = sender.stop.bind(sender);
      sender.stop = () => {
        stopped ??= stop();
        return stopped;
      };
      closing.push(() => sender.stop());
      await sender.start();
      return sender;
    },
    async send(to, more = {}) {
      const answer = await tests('POST', '/v1/messages', { from: stage.acme.sender, to, text: 'Hello', ...more });
      if (answer.status !== 202) throw new Error(JSON.stringify(answer.body));
      return (answer.body as { id: string }).id;
    },
    async reaches(id, state, within = 20_000) {
      await until(`${id} is ${state}`, async () => (await read(id))['state'] === state, within);
      return read(id);
    },
    async events(types) {
      const { body } = await tests('GET', `/v1/events?types=${types}&limit=1000`);
      return (body as { data: { type: string; data: Record<string, unknown> }[] }).data;
    },
  };
}
