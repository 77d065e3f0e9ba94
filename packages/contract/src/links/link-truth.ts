import { z } from 'zod';
import { instant } from '../kernel/fields.ts';

/** Signs that a carrier's receipts are not true. */
export const TRUTH_SIGNS = ['dead_delivered', 'loop_missing', 'too_early', 'too_regular'] as const;
export type TruthSign = (typeof TRUTH_SIGNS)[number];

/** Score from which a link is accused: the probability that an honest carrier shows this is below 1 in 100 million. */
export const ACCUSED_SCORE = 80;

const count = z.int().nonnegative();

/** Finding of one test. */
export const truthFinding = z.object({
  sign: z.enum(TRUTH_SIGNS),
  /** Number of messages or receipts that were looked at, and of those that show the sign. */
  looked_at: count,
  found: count,
  /** Most of them, in percent, that an honest carrier shows; for `too_regular` the least that lie apart. */
  honest_percent: z.number(),
  /** Ten for each zero of the probability that an honest carrier shows this, at most 100. */
  score: z.int().min(0).max(100),
});
export type TruthFinding = z.output<typeof truthFinding>;

/** Judgment on the receipts of a link. */
export const linkTruth = z.object({
  /** Highest score of its findings. */
  score: z.int().min(0).max(100),
  findings: z.array(truthFinding),
  /** Test messages that had their result. */
  tests: z.object({ dead: count, own: count, own_delivered: count, loop: count }),
  judged_at: instant,
});
export type LinkTruth = z.output<typeof linkTruth>;
