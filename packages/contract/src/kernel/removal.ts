import { z } from 'zod';
import { instant } from './fields.ts';

/** Removal of data: by a rule of its corporation, by the platform's setting, or at the request of the person. */
export const removal = z.object({
  by: z.enum(['corporation', 'platform', 'person']),
  /** Days of the rule; null if none is recorded. */
  days: z.int().nullable(),
  at: instant.nullable(),
});
export type Removal = z.output<typeof removal>;
