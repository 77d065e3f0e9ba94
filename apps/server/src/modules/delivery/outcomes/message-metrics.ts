import { Counter } from 'prom-client';
import { registry } from '#platform/operate/metrics';
import type { ClassSums } from './deltas.ts';

const messages = new Counter({
  name: 'heliograph_messages_total',
  help: 'Messages that were submitted, and how they ended, as this process recorded it.',
  labelNames: ['class', 'state'],
  registers: [registry],
});

const parts = new Counter({
  name: 'heliograph_parts_accepted_total',
  help: 'Parts that carriers accepted, as this process recorded it.',
  labelNames: ['class'],
  registers: [registry],
});

/** Counts what a batch has recorded, once it is committed. */
export function countMessages(sums: readonly ClassSums[]): void {
  for (const { class: of, parts: accepted, ...states } of sums) {
    parts.inc({ class: of }, accepted);
    for (const [state, count] of Object.entries(states)) messages.inc({ class: of, state }, count);
  }
}
