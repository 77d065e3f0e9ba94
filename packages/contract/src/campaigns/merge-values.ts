import { z } from 'zod';
import { FIELD_KEY, MERGE_FIELDS } from '../kernel/merge-fields.ts';

const mergeValue = z.string().max(300).optional();
/** Values by merge field or key of a contact field. */
export const mergeValues = z
  .object(
    Object.fromEntries(MERGE_FIELDS.map((field) => [field, mergeValue])) as Record<
      (typeof MERGE_FIELDS)[number],
      typeof mergeValue
    >,
  )
  .catchall(mergeValue)
  .refine((values) => Object.keys(values).every((key) => FIELD_KEY.test(key)), { error: 'contact_field_key' });
