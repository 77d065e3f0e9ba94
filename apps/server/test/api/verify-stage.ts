import { type HandsetMessage, startSimulator } from '@heliograph/carrier-simulator';
import type { apiVerification } from '@heliograph/contract/api/verification';
import type pg from 'pg';
import type { z } from 'zod';
import { createLogger } from '#platform/log';
import { Sender } from '../../src/modules/delivery/sender.ts';
import type { Scope } from '../template-database.ts';
import type { Client } from '../test-api.ts';
import { type ApiStage, apiStage } from './stage.ts';

type Verification = z.output<typeof apiVerification>;

/** Acme's programs that verify numbers, with a sender and a carrier whose handsets get the codes. */
export interface VerifyStage extends ApiStage {
  owner: pg.Pool;
  /** Calls with a key that may do everything. */
  call: Client;
  sender: string;
  /** Another sender ID of Acme. */
  second: string;
  /** Adds a service, and returns its id as programs write it. */
  service(changes?: object): Promise<string>;
  start(service: string, to: string, more?: object): Promise<Verification>;
  check(id: string, code: string): Promise<Verification>;
  get(id: string): Promise<Verification>;
  inbox(number: string): Promise<HandsetMessage[]>;
  /** Waits for the code on a handset. */
  codeOn(number: string): Promise<string>;
  /** Makes a verification older by seconds, as if time had passed. */
  age(id: string, seconds: number): Promise<void>;
  until(met: () => Promise<boolean>): Promise<void>;
}

export async function verifyStage(t: Scope): Promise<VerifyStage> {
  const s = await apiStage(t, { LOG_LEVEL: process.env['TEST_LOG'] ?? 'silent' });
  const owner = s.api.database.pool('owner');
  const carrier = await startSimulator({ smppPort: 0, httpPort: null, settings: { receipt_delay_ms: 20 } });
  t.after(() => carrier.stop());
  await owner.query('UPDATE link SET port = $1', [carrier.smppPort]);
  const second = 'SecondID';
  await owner.query('INSERT INTO sender_id (corporation_id, sender_id) VALUES ($1, $2)', [
    s.acme.corporation_id,
    second,
  ]);
  const sending = new Sender(s.api.config, createLogger(s.api.config, 'sender', process.stderr));
  await sending.start();
  t.after(() => sending.stop());
  const call = s.by((await s.makeKey()).key);
  const corporate = await s.api.as('corporate');
  let services = 0;
  const done = async (answer: ReturnType<Client>): Promise<Verification> => {
    const { status, body } = await answer;
    if (status >= 300) throw new Error(JSON.stringify(body));
    return body as Verification;
  };
  const until = async (met: () => Promise<boolean>) => {
    for (let tries = 0; tries < 400; tries++) {
      if (await met()) return;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    throw new Error('it never came about');
  };
  const inbox = async (number: string) =>
    carrier.messagesOf(number).filter(({ direction }) => direction === 'received');
  return {
    ...s,
    owner,
    call,
    sender: s.acme.sender,
    second,
    async service(changes = {}) {
      const body = {
        corporation_id: s.acme.corporation_id,
        name: `Service ${++services}`,
        app_name: 'Shop',
        senders: [s.acme.sender],
        ...changes,
      };
      const answer = await corporate('POST', '/api/v1/verify-services', body);
      if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
      return String((answer.body as { data: { id: number } }).data.id);
    },
    start: (service, to, more = {}) => done(call('POST', '/v1/verifications', { service, to, ...more })),
    check: (id, code) => done(call('POST', `/v1/verifications/${id}/check`, { code })),
    get: (id) => done(call('GET', `/v1/verifications/${id}`)),
    inbox,
    async codeOn(number) {
      await until(async () => (await inbox(number)).length > 0);
      return /\d{4,10}/.exec((await inbox(number))[0]!.text)![0];
    },
    async age(id, seconds) {
      await owner.query(
        `UPDATE verification SET created_at = created_at - $2 * interval '1 second',
           last_sent_at = last_sent_at - $2 * interval '1 second', expires_at = expires_at - $2 * interval '1 second' WHERE id = $1`,
        [id, seconds],
      );
    },
    until,
  };
}
