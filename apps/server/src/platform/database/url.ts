// A URL of PostgreSQL may name several hosts, as libpq reads it: postgres://user:password@a:5432,b:5432/database.
// Neither URL nor `pg` supports that, so it is split here into one URL a host.

const PARTS = /^(postgres(?:ql)?:\/\/)((?:[^/?]*@)?)([^/?@]*)(.*)$/s;
/**
 * Values with which libpq requires sessions that can write; it knows others, which ask for sessions that cannot write.
 */
const WRITABLE = new Set(['any', 'read-write', 'primary']);

/** Parts of a PostgreSQL URL that concern its hosts. */
export interface DatabaseUrl {
  /** One URL for each host, in the order given. */
  hosts: readonly [string, ...string[]];
  /** Whether the writable host must be found among them, and found again after a change. */
  readWrite: boolean;
}

/**
 * Splits a URL into its parts. Answers undefined if it is no URL, names no host properly, or asks for a server that
 * cannot be written to.
 */
export function parseDatabaseUrl(text: string): DatabaseUrl | undefined {
  const [, scheme = '', login = '', list = '', rest = ''] = PARTS.exec(text) ?? [];
  const [first, ...others] = list.split(',').map((host) => scheme + login + host + rest);
  if (first === undefined || scheme === '') return undefined;
  if (others.length > 0 && list.split(',').some((host) => host === '')) return undefined;
  const hosts: [string, ...string[]] = [first, ...others];
  if (!hosts.every((url) => URL.canParse(url))) return undefined;
  const wanted = new URL(first).searchParams.get('target_session_attrs');
  if (wanted !== null && !WRITABLE.has(wanted)) return undefined;
  return { hosts, readWrite: others.length > 0 || (wanted !== null && wanted !== 'any') };
}

/** Answers the URL with another user and password, for any number of hosts. */
export function withLogin(text: string, user: string, password: string): string {
  const [, scheme = '', , list = '', rest = ''] = PARTS.exec(text) ?? [];
  return `${scheme}${encodeURIComponent(user)}:${encodeURIComponent(password)}@${list}${rest}`;
}

/** Answers the URL with another database, for any number of hosts. */
export function withDatabase(text: string, change: (name: string) => string): string {
  const [, scheme = '', login = '', list = '', rest = ''] = PARTS.exec(text) ?? [];
  const [, name = '', query = ''] = /^\/?([^?]*)(.*)$/s.exec(rest) ?? [];
  return `${scheme}${login}${list}/${change(name)}${query}`;
}
