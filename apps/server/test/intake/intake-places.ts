import type { Failpoint } from '#platform/failpoints';

/** Places that what a program hands in passes, be it by HTTP or by SMPP. */
export const INTAKE_PLACES: readonly Failpoint[] = [
  'intake.before-commit',
  'intake.after-commit',
  'parts.before-commit',
  'parts.after-commit',
  'submits.answered',
];
