import { type DatabasePlace, POOLED_ROLES, pooledDatabase, sessionSettings } from './db.ts';
import { parseDatabaseUrl } from './url.ts';

/** Files of PgBouncer's configuration. */
export interface PoolerConfig {
  /** pgbouncer.ini. */
  ini: string;
  /** userlist.txt: holds the passwords. */
  users: string;
}

interface PoolerOptions {
  port: number;
  /** Folder of the two files. */
  folder: string;
  /** Sessions of PostgreSQL for each role. */
  poolSize?: number;
}

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;

/**
 * Writes PgBouncer's configuration for a database: one database name for each pooled role. The options of a session are
 * set once, when PgBouncer opens it. If there are several hosts, the first is named: a PgBouncer belongs to one server.
 */
export function poolerConfig(place: DatabasePlace, { port, folder, poolSize = 20 }: PoolerOptions): PoolerConfig {
  const parsed = parseDatabaseUrl(place.DATABASE_URL);
  if (!parsed) throw new Error('not a URL of PostgreSQL');
  const { hostname, port: serverPort, pathname, username, password, searchParams } = new URL(parsed.hosts[0]);
  const database = decodeURIComponent(pathname.slice(1));
  const host = searchParams.get('host') ?? hostname;
  const lines = POOLED_ROLES.map((role) => {
    const { TimeZone, DateStyle, ...others } = sessionSettings(place, role);
    const settle = Object.entries(others).map(([name, value]) => `SET ${name} = ${quoted(value)}`);
    return [
      `${pooledDatabase(database, role)} = host=${host} port=${serverPort || 5432} dbname=${database}`,
      `timezone=${TimeZone} datestyle=${DateStyle} connect_query=${quoted(settle.join('; '))}`,
    ].join(' ');
  });
  const ini = `[databases]
${lines.join('\n')}

[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${folder}/userlist.txt
admin_users = ${decodeURIComponent(username)}
pool_mode = transaction
default_pool_size = ${poolSize}
max_client_conn = 2000
; A request that waits for longer is told to come again.
query_wait_timeout = 8
; After a promotion the next try comes soon.
server_login_retry = 1
server_connect_timeout = 3
server_fast_close = 1
`;
  const quotedUser = (...login: string[]) => `${login.map((text) => `"${text.replaceAll('"', '""')}"`).join(' ')}\n`;
  const roles = place.DATABASE_ROLE_PASSWORD === undefined ? [] : POOLED_ROLES;
  const users = [
    quotedUser(decodeURIComponent(username), decodeURIComponent(password)),
    ...roles.map((role) => quotedUser(`heliograph_${role}`, place.DATABASE_ROLE_PASSWORD!)),
  ];
  return { ini, users: users.join('') };
}
