import { embeddedAddress } from '@heliograph/installation/address';
import { type Config, configFaults, readConfig } from '#platform/config/config';
import { createPool, type DatabasePlace } from '#platform/database/db';
import { backupLooks } from './backups.ts';
import { databaseLooks, isMigrated } from './database.ts';
import { bad, type Finding, lookAtAll, ok, warn } from './finding.ts';
import { logins } from './logins.ts';
import { machineLooks } from './machine.ts';
import { pooler, reports } from './other-servers.ts';
import { standby, waitingCommits } from './standby.ts';
import { runningKinds, trafficLooks } from './traffic.ts';

const CONFIGURATION = 'configuration';

/** Answers the address of the database, and how the processes sign in; undefined if there is none yet. */
function placeOf(config: Config): DatabasePlace | undefined {
  if (config.DATABASE_URL !== undefined) return { ...config, DATABASE_URL: config.DATABASE_URL };
  const embedded = embeddedAddress(config.DATA_DIR);
  return embedded && { ...config, DATABASE_URL: embedded.url, DATABASE_ROLE_PASSWORD: embedded.rolePassword };
}

/**
 * Examines an installation from the outside: settings, machine, database, traffic, backups. Changes nothing. Never
 * rejects; a failed check is itself a finding.
 */
export async function examine(environment?: Readonly<Record<string, string | undefined>>): Promise<Finding[]> {
  const faults = configFaults(environment);
  if (faults.length > 0) {
    return faults.map((detail) => ({
      name: CONFIGURATION,
      ...bad(detail, 'Correct it and run the doctor again. The other checks wait for this.'),
    }));
  }
  const config = readConfig(environment);
  const findings: Finding[] = [{ name: CONFIGURATION, ...ok('All settings are valid.') }];
  const place = placeOf(config);
  if (place === undefined) {
    findings.push({
      name: 'database',
      ...warn(`${config.DATA_DIR} holds no database yet.`, 'Run `npm start`, or set DATABASE_URL.'),
    });
    return [...findings, ...(await lookAtAll([...machineLooks(config, new Set()), ...backupLooks(undefined, config)]))];
  }
  const pool = createPool(place, 'owner', { max: 1, connectionTimeoutMillis: 5_000 });
  try {
    const refusal = await pool.query('SELECT 1').then(
      () => undefined,
      (error: Error) => error.message || 'no answer',
    );
    if (refusal !== undefined) {
      const start =
        config.DATABASE_URL === undefined
          ? 'Run `npm start`: the embedded database runs with it.'
          : 'Check that PostgreSQL runs and that DATABASE_URL is correct.';
      findings.push({ name: 'database', ...bad(`The database cannot be reached: ${refusal}.`, start) });
      return [
        ...findings,
        ...(await lookAtAll([...machineLooks(config, new Set()), ...backupLooks(undefined, config)])),
      ];
    }
    const running = await runningKinds(pool).catch(() => new Map<string, number>());
    const waiting = await waitingCommits(pool);
    const migrated = await isMigrated(pool);
    const looks = [
      ...machineLooks(config, new Set(running.keys())),
      { name: 'standby', look: () => standby(pool, waiting) },
      { name: 'logins', look: () => logins(pool, place) },
      { name: 'pooler', look: () => pooler(pool, place) },
      { name: 'reports', look: () => reports(pool, place, config) },
      ...databaseLooks(pool, migrated),
      ...(migrated ? trafficLooks(pool, config, { running, commitsEnd: waiting.count === 0 }) : []),
      ...backupLooks(pool, config),
    ];
    return [...findings, ...(await lookAtAll(looks))];
  } finally {
    await pool.end();
  }
}
