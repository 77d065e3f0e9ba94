/** SQLSTATE classes of what passes by itself: connections, conflicts, resources, operators. */
const PASSING = /^(08|40|53|55|57)/;
const NETWORK = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN']);

/** Whether work that failed so may well succeed when it is tried again; all else would fail the same way. */
export function isTransient(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string };
  if (typeof code === 'string') return PASSING.test(code) || NETWORK.has(code);
  // What `pg` says of a session that broke carries no code.
  return /^(Connection terminated|timeout exceeded when trying to connect|Client was closed)/.test(message ?? '');
}
