import { z } from 'zod';
import { bulkUploadOf } from '../kernel/bulk-upload.ts';
import { idText } from '../kernel/fields.ts';
import { operation } from '../kernel/operation.ts';
import { oneReply, resource } from '../kernel/resource.ts';
import { LOCALES } from '../kernel/scope.ts';

/** A sentence; what it shows is written {{so}}, the same in every language. Some stand behind a number, with their space. */
const sentence = z.string().max(2_000).regex(/\S/, { error: 'required' });
const texts = z.object({ en: sentence, cn: sentence, zh: sentence, fp: sentence });
const name = z.object({
  /** The first part of a text's key, such as `actions`. */
  group: z
    .string()
    .trim()
    .max(60)
    .regex(/^[A-Za-z][\w-]*$/, { error: 'line_key' }),
  /** The rest of it, such as `save` or `sender-ids.fields.enabled`. */
  key: z
    .string()
    .trim()
    .max(200)
    .regex(/^[\w-]+(\.[\w-]+)*$/, { error: 'line_key' }),
});

/** The header of a file of lines. */
export const LINE_COLUMNS = ['group', 'key', ...LOCALES] as const;

export const languageLine = resource({
  name: 'languages',
  row: name.extend({
    ...texts.shape,
    /** Came with the program. */
    built_in: z.boolean(),
    /** Says something else than the program would, and so does not follow it. */
    edited: z.boolean(),
  }),
  create: name.extend(texts.shape),
  update: texts.partial(),
  filters: z.object({
    group: z.string().trim().max(60).optional(),
    edited: z.stringbool().optional(),
    built_in: z.stringbool().optional(),
  }),
  sort: ['group', 'key', 'en', 'cn', 'zh', 'fp', 'created_at'],
  title: 'key',
  conflicts: { language_line_group_key_key: 'language_line_already_exists' },
  errors: ['language_line_built_in'],
});

/** Gives a line the texts that came with the program. */
export const restoreLanguageLine = operation({
  method: 'POST',
  path: '/api/v1/languages/:id/restore',
  permission: 'languages-edit',
  params: z.object({ id: idText }),
  reply: oneReply(languageLine.row),
  errors: ['not_found', 'language_line_own'],
});

/** What was edited, by whole key, for a console that has the program's own texts already. */
export const languageTexts = operation({
  method: 'GET',
  path: '/api/v1/languages/texts',
  permission: null,
  session: 'public',
  query: z.object({ locale: z.enum(LOCALES) }),
  reply: z.record(z.string(), z.string()),
});

/** Every line, or the edited ones alone, as a CSV that may be changed and uploaded again. */
export const languageFile = operation({
  method: 'GET',
  path: '/api/v1/languages/file',
  permission: 'languages-index',
  query: z.object({ edited: z.stringbool().optional() }),
  reply: z.string(),
});

/** Takes over a file of lines: texts that differ count as edited, keys that are new are added. */
export const uploadLanguageLines = bulkUploadOf('languages', 'languages-edit', z.object({}));
