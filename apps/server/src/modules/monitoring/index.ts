import type { ConnectedConfig } from '#platform/config';
import { createPool, ownRole } from '#platform/db';
import type { Logger } from '#platform/log';
import { beforeScrape, registry } from '#platform/operate/metrics';
import { Collector, collected } from './collector.ts';
import { linkFigures } from './link-figures.ts';
import { postgresFigures } from './postgres-figures.ts';
import { workFigures } from './work-figures.ts';

const FIGURES = [...linkFigures, ...workFigures, ...postgresFigures];
/** Longer than the database itself allows a question, so that only a lost connection runs into it. */
const PATIENCE_MS = 5_000;

/**
 * Adds the figures of the whole installation to this process's metrics. They are read from the database when somebody asks
 * for metrics; while nobody does, nothing is asked.
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
