import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import { type Simulator, type SimulatorOptions, startSimulator } from '@heliograph/carrier-simulator';
import {
  type ApplicationRequest,
  type Closing,
  encodePdu,
  encodeShortMessage,
  type MessageFields,
  type Outcome,
  openSession,
  type PduFields,
  type Session,
  STATUS,
} from '@heliograph/smpp';
import { Sender } from '#modules/delivery';
import { hashPassword } from '#modules/identity';
import { Intake } from '#modules/intake';
import { SmppServer } from '#modules/smpp-server';
import { systemClock } from '#platform/clock';
import { readConnectedConfig } from '#platform/config/config';
import { createPool } from '#platform/database/db';
import { createLogger } from '#platform/log';
import { until } from '../delivery/stage.ts';
import { type IntakeStage, makeIntakeStage } from '../intake/stage.ts';
import type { Scope } from '../template-database.ts';
import { TEST_KEY } from '../test-key.ts';

export { until };

/** Password of every system ID here, so that one hash serves all. */
export const PASSWORD = 'lantern1';
const hash = hashPassword(PASSWORD);

export interface Server {
  port: number;
  /** Port of TLS beside the plain one, if the settings name one. */
  tlsPort?: number | undefined;
  stop(): Promise<void>;
}

export interface Customer {
  id: number;
  system_id: string;
  corporation_id: number;
  user_id: number;
  billing_account_id: number;
}

/** The intake's stage with system IDs, servers to bind to, and a carrier behind them. */
export interface SmppStage extends IntakeStage {
  url: string;
  customer(name: string, settings?: Record<string, unknown> & { funds?: number }): Promise<Customer>;
  server(settings?: Record<string, string>): Promise<Server>;
  /** Starts a carrier that accepts messages, and the sender that hands them over. */
  carrier(options?: SimulatorOptions): Promise<Simulator>;
}

/** Builds a stage. After the test, everything it started is stopped, the newest first. */
export async function smppStage(t: Scope): Promise<SmppStage> {
  const closing: (() => Promise<unknown>)[] = [];
  t.after(async () => {
    for (const close of closing.reverse()) await close();
  });
  const stage = await makeIntakeStage(t);
  const { owner } = stage;
  const { url } = stage.database;
  const configOf = (settings: Record<string, string> = {}) =>
    readConnectedConfig({
      DATABASE_URL: url,
      SECRET_KEY: TEST_KEY,
      LOG_LEVEL: process.env.LOG_LEVEL ?? 'silent',
      SMPP_SERVER_PORT: '0',
      ...settings,
    });
  return {
    ...stage,
    url,
    async customer(name, { funds, ...settings } = {}) {
      const program = await stage.tenant(name, funds === undefined ? {} : { funds });
      const { corporation_id, user_id, billing_account_id } = program;
      await owner.query(
        `UPDATE user_account SET billing_account_id = $2, connection_type_id = (SELECT id FROM connection_type WHERE name = 'SMPP') WHERE id = $1`,
        [user_id, billing_account_id],
      );
      const columns = { system_id: name, corporation_id, user_id, password_hash: await hash, ...settings };
      const names = Object.keys(columns);
      const { rows } = await owner.query<{ id: number }>(
        `INSERT INTO smpp_system_id (${names.join()}) VALUES (${names.map((_, i) => `$${i + 1}`).join()}) RETURNING id`,
        Object.values(columns),
      );
      return { id: rows[0]!.id, system_id: name, corporation_id, user_id, billing_account_id };
    },
    async server(settings) {
      const config = configOf(settings);
      const log = createLogger(config, 'smpp-server', process.stderr);
      const pools = [createPool(config, 'worker'), createPool(config, 'intake')] as const;
      const intake = new Intake(pools[1], { clock: systemClock, log });
      const server = new SmppServer({ config, pool: pools[0], intake, log });
      await server.start();
      let stopped: Promise<void> | undefined;
      const end = async () => {
        await server.stop();
        await intake.close();
        await Promise.all(pools.map((pool) => pool.end()));
      };
      const stop = () => {
        stopped ??= end();
        return stopped;
      };
      closing.push(stop);
      return { ...server.listening, stop };
    },
    async carrier(options = {}) {
      const simulator = await startSimulator({
        smppPort: 0,
        httpPort: null,
        ...options,
        settings: { receipt_delay_ms: 20, ...options.settings },
      });
      closing.push(() => simulator.stop());
      await owner.query(`UPDATE link SET port = $1, enabled = NOT for_tests WHERE NOT for_tests`, [simulator.smppPort]);
      await owner.query('UPDATE link SET enabled = false WHERE for_tests');
      const config = configOf();
      const sender = new Sender(config, createLogger(config, 'sender', process.stderr));
      await sender.start();
      closing.push(() => sender.stop());
      return simulator;
    },
  };
}

/** A customer's program. */
export interface Esme {
  session: Session<unknown>;
  /** Requests of the server in their order; `reply` gave the status of each answer. */
  received: ApplicationRequest[];
  closed: Promise<Closing>;
  submit(fields?: MessageFields): Promise<Outcome<unknown>>;
  request(pdu: PduFields): Promise<Outcome<unknown>>;
}

type Reply = (request: ApplicationRequest) => number | undefined;

/** Binds, or rejects with the closing if refused. A `reply` that returns undefined leaves a request unanswered. */
export function bind(
  server: Pick<Server, 'port'>,
  system_id: string,
  options: {
    mode?: 'transmitter' | 'receiver' | 'transceiver';
    password?: string;
    version?: number;
    reply?: Reply;
    window?: number;
    localAddress?: string;
    tls?: ConnectionOptions;
  } = {},
): Promise<Esme> {
  const { mode = 'transceiver', password = PASSWORD, version = 0x34, reply = () => STATUS.ROK } = options;
  return new Promise((resolve, reject) => {
    const received: ApplicationRequest[] = [];
    const closed = Promise.withResolvers<Closing>();
    const session: Session<unknown> = openSession(
      {
        host: '127.0.0.1',
        port: server.port,
        window: options.window ?? 1_000,
        tls: options.tls,
        bind: { mode, system_id, password, interface_version: version },
      },
      {
        onBound: () => resolve({ session, received, closed: closed.promise, submit, request }),
        onResponses: (outcomes) => {
          for (const outcome of outcomes) (outcome.context as (o: Outcome<unknown>) => void)(outcome);
        },
        onRequests: (requests) => {
          for (const each of requests) {
            received.push(each);
            const status = reply(each);
            if (status === undefined) session.leaveUnanswered();
            else session.respond(each, status);
          }
        },
        onClose: (closing) => {
          closed.resolve(closing);
          reject(Object.assign(new Error(`the bind ended: ${closing.reason} ${closing.status ?? ''}`), closing));
        },
      },
    );
    const request = (pdu: PduFields) =>
      new Promise<Outcome<unknown>>((done, failed) => {
        if (!session.request(pdu, done)) failed(new Error('the window is full, or nothing is bound'));
      });
    const submit = (fields: MessageFields = {}) =>
      request({
        command: 'submit_sm',
        source_addr: 'Acme',
        source_addr_ton: 5,
        destination_addr: '639170000001',
        dest_addr_ton: 1,
        dest_addr_npi: 1,
        short_message: encodeShortMessage('Hello', 'gsm'),
        ...fields,
      });
  });
}

/** Opens a plain socket, for a client that does not follow the protocol. */
export async function rawSocket(server: Pick<Server, 'port'>, localAddress = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ port: server.port, host: '127.0.0.1', localAddress });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** Encodes a bind request. */
export const bindPdu = (system_id: string, password = PASSWORD): Buffer =>
  encodePdu({ command: 'bind_transceiver', sequence: 1, system_id, password, interface_version: 0x34 });

/** Returns the receipts that a program received: id and state. */
export const receiptsOf = ({ received }: Pick<Esme, 'received'>): { id: string; state: number }[] =>
  received.flatMap((request) =>
    request.command === 'deliver_sm' && request.tlvs?.receipted_message_id !== undefined
      ? [{ id: request.tlvs.receipted_message_id, state: request.tlvs.message_state! }]
      : [],
  );

/** Returns the number of values that repeat an earlier one. */
export const repeated = (values: readonly string[]): number => values.length - new Set(values).size;
