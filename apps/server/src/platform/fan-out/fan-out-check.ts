import type { Checker } from '../operate/checks.ts';
import type { FanOutState } from './fan-out.ts';

/**
 * Reports the state of the fan-out. It never takes this process out of service: without it new work is found by
 * polling.
 */
export const fanOutCheck = (state: () => FanOutState | undefined): Checker => ({
  name: 'fan_out',
  look() {
    const now = state();
    if (now?.connected !== false)
      return { ok: true, detail: `Live events come by ${now?.transport ?? 'nothing yet'}.` };
    return {
      ok: true,
      detail: `Degraded: no live events by ${now.transport} since ${now.since}; what is new is found by looking.`,
    };
  },
});
