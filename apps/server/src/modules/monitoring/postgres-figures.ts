import { type Figure, figure, gauge } from './figure.ts';

const xminAge = gauge(
  'postgres_oldest_xmin_age',
  'Transactions since the oldest snapshot that keeps dead rows from being removed, by what holds it.',
  ['holder'],
);
const HOLDERS = ['session', 'prepared', 'slot', 'standby'];
const oldest = gauge('postgres_oldest_transaction_seconds', 'How long the oldest transaction has been open.');
const connections = gauge('postgres_connections', 'Sessions of the whole server.');
const mostConnections = gauge('postgres_connections_max', 'How many sessions the server takes.');
const frozenAge = gauge('postgres_frozen_xid_age', 'Transactions since the oldest row that is not frozen.');

// Other roles' sessions show their snapshot only to members of pg_monitor; our own sessions always show it.
const activity = figure<{
  xmin: Record<string, number | null>;
  oldest: number | null;
  connections: number;
  most: number;
  frozen: number;
}>(
  'postgres',
  `SELECT json_build_object(
       'session', (SELECT max(age(backend_xmin)) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND backend_type <> 'walsender'),
       'standby', (SELECT max(age(backend_xmin)) FROM pg_stat_replication),
       'prepared', (SELECT max(age(transaction)) FROM pg_prepared_xacts),
       'slot', (SELECT max(greatest(age(xmin), age(catalog_xmin))) FROM pg_replication_slots)) AS xmin,
     (SELECT extract(epoch FROM now() - min(xact_start))::float8 FROM pg_stat_activity
       WHERE pid <> pg_backend_pid() AND backend_type = 'client backend') AS oldest,
     (SELECT sum(numbackends)::float8 FROM pg_stat_database) AS connections, current_setting('max_connections')::float8 AS most,
     (SELECT age(datfrozenxid)::float8 FROM pg_database WHERE datname = current_database()) AS frozen`,
  [xminAge, oldest, connections, mostConnections, frozenAge],
  ([row]) => {
    if (!row) return;
    for (const holder of HOLDERS) xminAge.set({ holder }, row.xmin[holder] ?? 0);
    oldest.set(Math.max(0, row.oldest ?? 0));
    connections.set(row.connections);
    mostConnections.set(row.most);
    frozenAge.set(row.frozen);
  },
);

const lagBytes = gauge('postgres_replication_lag_bytes', 'What a standby has not replayed yet.', ['standby']);
const lagSeconds = gauge(
  'postgres_replication_lag_seconds',
  'How far a standby replays behind; 0 while nothing is written.',
  ['standby'],
);
const synchronous = gauge('postgres_standbys_synchronous', 'Standbys that commits wait for.');

const replication = figure<{ standby: string; bytes: number | null; seconds: number | null; sync: boolean }>(
  'replication',
  `SELECT coalesce(nullif(application_name, ''), 'unnamed') AS standby, max(pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn))::float8 AS bytes,
     max(extract(epoch FROM replay_lag))::float8 AS seconds, bool_or(sync_state IN ('sync', 'quorum')) AS sync
   FROM pg_stat_replication GROUP BY 1`,
  [lagBytes, lagSeconds, synchronous],
  (rows) => {
    for (const { standby, bytes, seconds } of rows) {
      if (bytes !== null) lagBytes.set({ standby }, Math.max(0, bytes));
      lagSeconds.set({ standby }, seconds ?? 0);
    }
    synchronous.set(rows.filter(({ sync }) => sync).length);
  },
);

const databaseBytes = gauge('postgres_database_bytes', 'Size of the database on its disk.');

const size = figure<{ bytes: number }>(
  'size',
  'SELECT pg_database_size(current_database())::float8 AS bytes',
  [databaseBytes],
  ([row]) => databaseBytes.set(row?.bytes ?? 0),
  300_000,
);

/** Figures of PostgreSQL's state. */
export const postgresFigures: readonly Figure[] = [activity, replication, size];
