import { z } from 'zod';
import { instant, text } from '../kernel/fields.ts';
import { resource } from '../kernel/resource.ts';

/** Kinds of test numbers: nobody has it, a phone of ours, and a phone that answers each message by one of its own. */
const TEST_NUMBER_KINDS = ['dead', 'own', 'loop'] as const;

const input = z.object({
  /** In international format, only digits. */
  number: z
    .string()
    .trim()
    .regex(/^[1-9]\d{6,14}$/, { error: 'try_number' }),
  kind: z.enum(TEST_NUMBER_KINDS),
  /** Source of the number, such as the seller. */
  note: text(200).nullable(),
  enabled: z.boolean(),
});

/** Number to which links send test messages, because its true fate is known. */
export const testNumber = resource({
  name: 'test-numbers',
  row: input.extend({
    /** Last answer of a loop, over any link. */
    answered_at: instant.nullable(),
  }),
  create: input.extend({
    kind: input.shape.kind.default('dead'),
    note: input.shape.note.default(null),
    enabled: z.boolean().default(true),
  }),
  update: input.partial(),
  filters: z.object({ kind: input.shape.kind.optional(), enabled: z.stringbool().optional() }),
  sort: ['number', 'kind', 'created_at'],
  title: 'number',
  conflicts: { test_number_number_key: 'test_number_already_exists' },
});
