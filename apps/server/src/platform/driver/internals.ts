import type pg from 'pg';

/**
 * Versions of the libraries that this folder was checked against. It uses what they keep private, so an upgrade means:
 * read the folder again, run the tests of the database, and change the number.
 */
export const CHECKED_VERSIONS = { pg: '8.23.1', 'pg-pool': '3.14.0', kysely: '0.29.9', pdfkit: '0.20.2' } as const;

/** Fields of a session of `pg` that have no types. */
interface Session {
  connection: pg.Connection;
  /** Process of the server behind the session. */
  processID: number;
  /** Statement that is not answered yet, and those behind it, sent already or not. */
  _activeQuery: unknown;
  _queryQueue: readonly unknown[];
  _sentQueryQueue: readonly unknown[];
}

const internals = (client: pg.ClientBase) => client as unknown as Session;

/** Answers the id of the server's process behind a session; pg_cancel_backend takes it. */
export const processIdOf = (client: pg.ClientBase): number => internals(client).processID;

/** Calls `hear` with each error that the server reports to a session, after its statement has failed. */
export function onServerError(client: pg.ClientBase, hear: (error: { code?: string }) => void): void {
  internals(client).connection.on('errorMessage', hear);
}

/**
 * Closes the connection of a session immediately, even in the middle of a statement: the call that waits for it fails.
 */
export function cutOff(client: pg.ClientBase): void {
  internals(client).connection.stream.destroy();
}

/** Tells whether a statement of the session is not answered yet. */
export function isBusy(client: pg.ClientBase): boolean {
  const { _activeQuery, _queryQueue, _sentQueryQueue } = internals(client);
  return Boolean(_activeQuery) || _queryQueue.length > 0 || _sentQueryQueue.length > 0;
}

const gathering = new WeakSet<pg.ClientBase>();

/** Sends everything that a session writes in this turn of the event loop in one system call. */
export function gatherWrites(client: pg.ClientBase): void {
  if (gathering.has(client)) return;
  gathering.add(client);
  const { stream } = internals(client).connection;
  stream.cork();
  process.nextTick(() => {
    gathering.delete(client);
    stream.uncork();
  });
}

/** Answers the settings that a pool opens its sessions with. */
export const settingsOf = <Settings extends pg.PoolConfig>(pool: pg.Pool): Settings =>
  (pool as unknown as { options: Settings }).options;

/** Tells whether the present font of a PDF has a character. */
export const fontHas = (pdf: PDFKit.PDFDocument, code: number): boolean =>
  (
    pdf as unknown as { _font: { font: { hasGlyphForCodePoint(code: number): boolean } } }
  )._font.font.hasGlyphForCodePoint(code);
