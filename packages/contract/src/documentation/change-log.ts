import { z } from 'zod';
import { label } from '../kernel/fields.ts';
import { resource } from '../kernel/resource.ts';
import { richText } from './article.ts';

/** Stabilities of a version, least stable first. */
export const STABILITIES = ['development', 'alpha', 'beta', 'candidate', 'stable'] as const;

const input = z.object({
  version: label(40),
  stability: z.enum(STABILITIES),
  /** Description of the changes. */
  description: richText,
});

/** Changes in a version of the product. */
export const changeLog = resource({
  name: 'change-log',
  row: input.extend({
    built_in: z.boolean(),
    edited: z.boolean(),
    updated_at: z.iso.datetime({ offset: true }),
  }),
  create: input.extend({ description: richText.default('') }),
  update: input.partial(),
  filters: z.object({ stability: z.enum(STABILITIES).optional() }),
  sort: ['version', 'stability', 'created_at', 'updated_at'],
  title: 'version',
  conflicts: { change_log_version_key: 'change_log_already_exists' },
});
