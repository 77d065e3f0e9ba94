import type { ConnectedConfig } from '#platform/config/config';
import { createPool, ownRole } from '#platform/database/db';
import type { Logger } from '#platform/log';
import { beforeScrape, registry } from '#platform/operate/metrics';
import { Collector, collected } from './collector.ts';
import { linkFigures } from './link-figures.ts';
import { postgresFigures } from './postgres-figures.ts';
import { workFigures } from './work-figures.ts';

export { LANES, type LaneRow } from './link-figures.ts';

const FIGURES = [...linkFigures, ...workFigures, ...postgresFigures];
/**
 * Maximum time of a query in ms. It is longer than the database's own limit, so that only a lost connection reaches it.
 */
const PATIENCE_MS = 5_000;

/**
 * Adds the figures of the whole installation to this process's metrics. They are read from the database only on
 * request: without scrapes there are no queries.
 */
export function tellFigures(config: ConnectedConfig, log: Logger): { stop(): Promise<void> } {
  const pool = createPool(config, ownRole(config, 'worker'), {
    max: 1,
    query_timeout: PATIENCE_MS,
    connectionTimeoutMillis: PATIENCE_MS,
  });
  for (const metric of [...FIGURES.flatMap(({ metrics }) => metrics), ...Object.values(collected)])
    registry.registerMetric(metric);
  const collector = new Collector(pool, FIGURES, log);
  const forget = beforeScrape(() => collector.refresh());
  return {
    async stop() {
      forget();
      await collector.settled();
      await pool.end();
    },
  };
}
