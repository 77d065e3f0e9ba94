import type { Failpoint } from '#platform/failpoints';

/** Failpoints that a program's message passes, over HTTP or SMPP. */
export const INTAKE_PLACES: readonly Failpoint[] = [
  'intake.before-commit',
  'intake.after-commit',
  'parts.before-commit',
  'parts.after-commit',
  'submits.answered',
];
