import type { Failpoint } from '#platform/failpoints';

/** Failpoints that a file passes on its way to its destination, and the visit at which a worker dies there. */
export const FILE_PLACES: readonly (readonly [Failpoint, number])[] = [
  ['file.written', 1],
  ['file.recorded', 1],
  ['file.half-sent', 7],
  ['file.renamed', 1],
  ['file.delivered', 1],
];
