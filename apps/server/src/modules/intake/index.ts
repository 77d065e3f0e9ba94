export type { Allowance } from './api-throughput.ts';
export { Intake } from './intake.ts';
export { OwnIntake, type OwnMessages } from './own-work.ts';
export { problemOf } from './problem-of.ts';
export type {
  Accepted,
  Beside,
  BesideWork,
  Estimated,
  Outcome,
  Priced,
  Program,
  Result,
  Submission,
  Unit,
} from './program.ts';
