import pg from 'pg';
import { cutOff, onServerError } from '../driver/internals.ts';
import { type DatabaseHosts, TIMELINE } from './hosts.ts';

/** Options of a session: those of `pg`, and the servers to choose from if several may be the primary. */
export interface DatabaseSettings extends pg.ClientConfig {
  hosts?: DatabaseHosts | undefined;
}

/** SQLSTATE of a statement that was refused because the server, or the session, is read-only. */
const READ_ONLY = '25006';
const TIMELINE_WITHIN_MS = 5_000;

/**
 * Session of PostgreSQL that finds the primary when it is opened. It is cut off as soon as another server has become
 * the primary, or the server is frozen. If the settings name one plain host, it is a client of `pg` and no more.
 */
export class DatabaseClient extends pg.Client {
  readonly #hosts: DatabaseHosts | undefined;

  constructor(settings: DatabaseSettings) {
    super(settings);
    this.#hosts = settings.hosts;
  }

  override connect(): Promise<this>;
  override connect(done: (error: Error) => void): void;
  override connect(done?: (error: Error) => void): Promise<this> | undefined {
    const hosts = this.#hosts;
    const opening = hosts ? this.#connectToPrimary(hosts) : (super.connect() as unknown as Promise<this>);
    if (!done) return opening;
    // The pool takes "no error" for success, although its type does not allow it.
    opening.then(() => done(undefined as unknown as Error), done);
    return undefined;
  }

  async #connectToPrimary(hosts: DatabaseHosts): Promise<this> {
    const session = { cut: () => cutOff(this) };
    // An error before anybody listens is reported by the statement that fails.
    const hush = () => undefined;
    this.on('error', hush);
    try {
      const primary = await hosts.primary();
      Object.assign(this, { host: primary.host, port: primary.port });
      hosts.opening(session, primary);
      await super.connect();
      const look = { text: TIMELINE, query_timeout: TIMELINE_WITHIN_MS };
      const { rows } = await this.query<{ timeline: number }>(look);
      this.once('end', () => hosts.leave(session));
      hosts.join(session, primary, rows[0]?.timeline ?? 0);
    } catch (error) {
      hosts.leave(session);
      cutOff(this);
      throw error;
    } finally {
      this.off('error', hush);
    }
    onServerError(this, ({ code }) => {
      // Runs after the error of its statement was reported.
      if (code === READ_ONLY) setImmediate(session.cut);
    });
    return this;
  }
}
