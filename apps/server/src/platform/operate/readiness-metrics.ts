import { Gauge } from 'prom-client';
import { beforeScrape, registry } from './metrics.ts';
import type { Readiness } from './readiness.ts';

const ok = new Gauge({
  name: 'heliograph_check_ok',
  help: 'What /readyz says of each thing that this process needs: 1 where it is right, 0 where it is wrong.',
  labelNames: ['check'],
  registers: [registry],
});

/** Publishes the checks of /readyz as metrics, too. */
export function measureReadiness(readiness: Readiness): void {
  beforeScrape(async () => {
    const { checks } = await readiness.report();
    for (const check of checks) ok.set({ check: check.name }, check.ok ? 1 : 0);
  });
}
