import { Gauge } from 'prom-client';
import { type Check, type Checker, runChecks } from './checks.ts';
import { beforeScrape, registry } from './metrics.ts';

/** Time in ms for which one result of the checks is reused: frequent requests cost nothing. */
const KEPT_MS = 1_000;

/** Whether a process can do its work, and why not. */
export interface ReadinessReport {
  ready: boolean;
  checks: Check[];
}

type Phase = 'starting' | 'running' | 'stopping';

const PHASES: Readonly<Record<Phase, Omit<Check, 'name'>>> = {
  starting: { ok: false, detail: 'The process is starting.', action: 'Wait; its log says what it is doing.' },
  running: { ok: true, detail: 'The process runs.' },
  stopping: { ok: false, detail: 'The process is stopping.', action: 'Send work to another one.' },
};

/** Knows whether this process can do its work: its checks, and whether it is starting or stopping. */
export class Readiness {
  readonly #checkers: Checker[] = [];
  #phase: Phase;
  #last: { at: number; checks: Promise<Check[]> } | undefined;

  constructor(phase: Phase = 'running') {
    this.#phase = phase;
  }

  /** Adds checks. */
  add(...checkers: readonly Checker[]): void {
    this.#checkers.push(...checkers);
    this.#last = undefined;
  }

  started(): void {
    if (this.#phase === 'starting') this.#phase = 'running';
  }

  /** Makes every further answer "not ready", regardless of the checks. */
  stopping(): void {
    this.#phase = 'stopping';
  }

  /** Runs the checks, or answers the result of the last second. Never rejects. */
  async report(): Promise<ReadinessReport> {
    const now = performance.now();
    if (!this.#last || now - this.#last.at > KEPT_MS) this.#last = { at: now, checks: runChecks(this.#checkers) };
    const looked = await this.#last.checks;
    const checks = [{ name: 'process', ...PHASES[this.#phase] }, ...looked];
    return { ready: checks.every(({ ok }) => ok), checks };
  }
}

const checkOk = new Gauge({
  name: 'heliograph_check_ok',
  help: 'What /readyz says of each thing that this process needs: 1 where it is right, 0 where it is wrong.',
  labelNames: ['check'],
  registers: [registry],
});

/** Publishes the checks of /readyz as metrics, too. */
export function measureReadiness(readiness: Readiness): void {
  beforeScrape(async () => {
    const { checks } = await readiness.report();
    for (const check of checks) checkOk.set({ check: check.name }, check.ok ? 1 : 0);
  });
}
