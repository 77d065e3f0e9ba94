import type { Checker } from '../operate/checks.ts';
import type { FanOutState } from './fan-out.ts';

/** Says how it is with the fan-out. It is never a reason to send nobody here: without it what is new is found by looking. */
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
