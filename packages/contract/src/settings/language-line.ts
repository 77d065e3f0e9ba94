import { z } from 'zod';
import { bulkUploadOf } from '../kernel/bulk-upload.ts';
import { idText } from '../kernel/fields.ts';
import { operation } from '../kernel/operation.ts';
import { oneReply, resource } from '../kernel/resource.ts';
import { LOCALES, type Locale } from '../kernel/scope.ts';

/**
 * A sentence. Its values are written as {{value}}, the same in every language. Some follow a number and begin with a
 * space.
 */
const sentence = z.string().max(2_000).regex(/\S/, { error: 'required' });
const texts = z.object(
  Object.fromEntries(LOCALES.map((locale) => [locale, sentence])) as Record<Locale, typeof sentence>,
);
const name = z.object({
  /** First part of a text's key, such as `actions`. */
  group: z
    .string()
    .trim()
    .max(60)
    .regex(/^[A-Za-z][\w-]*$/, { error: 'line_key' }),
  /** Rest of the key, such as `save` or `sender-ids.fields.enabled`. */
  key: z
    .string()
    .trim()
    .max(200)
    .regex(/^[\w-]+(\.[\w-]+)*$/, { error: 'line_key' }),
});

/** Header of a file of lines. */
export const LINE_COLUMNS = ['group', 'key', ...LOCALES] as const;

export const languageLine = resource({
  name: 'languages',
  row: name.extend({
    ...texts.shape,
    /** True if the line came with the program. */
    built_in: z.boolean(),
    /** True if its text differs from the program's; then updates of the program do not change it. */
    edited: z.boolean(),
  }),
  create: name.extend(texts.shape),
  update: texts.partial(),
  filters: z.object({
    group: z.string().trim().max(60).optional(),
    edited: z.stringbool().optional(),
    built_in: z.stringbool().optional(),
  }),
  sort: ['group', 'key', ...LOCALES, 'created_at'],
  title: 'key',
  conflicts: { language_line_group_key_key: 'language_line_already_exists' },
  errors: ['language_line_built_in'],
});

/** Restores the texts of a line that came with the program. */
export const restoreLanguageLine = operation({
  method: 'POST',
  path: '/api/v1/languages/:id/restore',
  permission: 'languages-edit',
  params: z.object({ id: idText }),
  reply: oneReply(languageLine.row),
  errors: ['not_found', 'language_line_own'],
});

/** Returns all lines, or only the edited ones, as a CSV that can be changed and uploaded again. */
export const languageFile = operation({
  method: 'GET',
  path: '/api/v1/languages/file',
  permission: 'languages-index',
  query: z.object({ edited: z.stringbool().optional() }),
  reply: z.string(),
});

/** Uploads a file of lines: different texts count as edited, new keys are added. */
export const uploadLanguageLines = bulkUploadOf('languages', 'languages-edit', z.object({}));
