import type { TestContext } from 'node:test';
import type { Simulator, SimulatorOptions } from '@heliograph/carrier-simulator';
import type { HttpMapping } from '@heliograph/contract/links/http-mapping';
import { HTTP_PRESETS } from '@heliograph/contract/links/http-presets';
import { passwordContext } from '#modules/delivery';
import { createLogger } from '#platform/log';
import { seal, secretKey } from '#platform/process/seal';
import { buildApi } from '../../src/processes/api.ts';
import { type Stage, stage } from '../delivery/stage.ts';
import { ownPort } from '../own-port.ts';

export type HttpForm = HttpMapping['form'];

/** Password of the links; the simulator accepts it. */
export const PASSWORD = 'let-me-in';

/** Paths of the simulator's forms of API. */
const PATHS: Readonly<Record<string, string>> = {
  kannel: '/carriers/kannel/cgi-bin/sendsms',
  twilio: '/carriers/twilio/2010-04-01/Accounts/{user}/Messages.json',
  infobip: '/carriers/infobip/sms/2/text/advanced',
  vonage: '/carriers/vonage/sms/json',
  get: '/carriers/get/send',
};

/** Forms that the simulator speaks. */
export const FORMS = Object.keys(PATHS) as HttpForm[];

/** Returns the columns of a link to the simulator in one of its forms. */
export function httpColumns(form: HttpForm, port: number, changes: Partial<HttpMapping> = {}) {
  const { mapping, long_messages, receipt_words } = HTTP_PRESETS[form];
  const user = form === 'infobip' ? '' : 'acme';
  const http = { ...mapping, user, url: `http://127.0.0.1:${port}${PATHS[form]}`, signature: 'none', ...changes };
  return { protocol: 'http', http: JSON.stringify(http), port, long_messages, receipt_words };
}

/** A stage whose carrier is reached over HTTP, with an API that takes the carrier's callbacks. */
export interface HttpStage extends Stage {
  simulator(options?: SimulatorOptions): Promise<Simulator>;
  /** Adds a link in one of the forms to the simulator at a port. */
  addHttpLink(
    form: HttpForm,
    port: number,
    more?: { http?: Partial<HttpMapping>; settings?: Record<string, unknown> },
  ): Promise<number>;
  /** Address of the API. */
  url: string;
  /** Answers the address for one kind of callbacks of the link. */
  callback(kind: 'receipts' | 'replies'): Promise<string>;
  /** Starts the API again after it was stopped; stops it. */
  api: { start(): Promise<void>; stop(): Promise<void> };
}

/** Prepares a stage with an API. */
export async function httpStage(t: TestContext): Promise<HttpStage> {
  const s = (await stage(t)) as HttpStage;
  const port = await ownPort();
  s.url = `http://127.0.0.1:${port}`;
  s.settings = { PUBLIC_URL: s.url, CALLS_PER_MINUTE: '10000000' };
  let running: Awaited<ReturnType<typeof buildApi>> | undefined;
  s.api = {
    async start() {
      const config = { ...s.config(), PORT: port };
      running = await buildApi({ config, log: createLogger(config, 'api', process.stderr), sessions: 4 } as never);
      await running.server.listen({ port, host: '127.0.0.1' });
    },
    async stop() {
      const stopping = running;
      running = undefined;
      await stopping?.stop();
    },
  };
  await s.api.start();
  s.closing.push(() => s.api.stop());
  const startSimulator = s.simulator.bind(s);
  s.simulator = (options = {}) => startSimulator({ httpPort: 0, ...options });
  s.addHttpLink = async (form, simulatorPort, { http = {}, settings = {} } = {}) => {
    const id = await s.addLink({
      system_id: form === 'infobip' ? 'infobip' : 'acme',
      window_size: 50,
      ...httpColumns(form, simulatorPort, http),
      ...settings,
    });
    const sealed = seal(secretKey(s.config()), PASSWORD, passwordContext(id));
    await s.owner.query('UPDATE link SET password_sealed = $2 WHERE id = $1', [id, sealed]);
    return id;
  };
  s.callback = async (kind) => {
    const { callback_key } = await s.one<{ callback_key: string }>('SELECT callback_key FROM link WHERE id = $1', [
      s.linkId,
    ]);
    return `${s.url}/carrier-callbacks/${callback_key}/${kind}`;
  };
  return s;
}
