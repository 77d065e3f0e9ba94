import { keptFields } from '@heliograph/contract/campaigns/contact-values';
import { compileText, type MergeValues } from '@heliograph/contract/kernel/merge-fields';
import type { LanguageText } from '@heliograph/contract/templates/language-texts';
import { type Kysely, sql } from 'kysely';
import { type ContactField, readContactFields } from '#modules/audience';
import { languageFieldOf, requireLanguages } from '#modules/templates';
import type { Context } from '#platform/context';
import type { Database } from '#platform/database/db';
import { BusinessError } from '#platform/errors';
import type { AudiencePlan } from './expand-audience.ts';

/** Field of contacts that a text may use by its key. */
export interface TextField extends Pick<ContactField, 'id' | 'key' | 'type' | 'slot'> {
  /** Whether its value chooses the text. */
  chooses?: boolean;
}

/** Values of contacts by number. A number without a contact, or without any of the values, is left out. */
type Found = ReadonlyMap<string, MergeValues>;

/** Returns the contact fields that the caller's texts may use: those of the corporation, if the caller sees contacts. */
export const usableFields = async ({ db, caller }: Context, corporationId: number): Promise<ContactField[]> =>
  caller.permissions.has('contacts-index') ? readContactFields(db, corporationId) : [];

/**
 * Returns the contact fields of the caller's corporation that a text and its texts by language use, and the one that
 * chooses among them. Throws a 422 if there is none, or if it does not have one of the languages.
 */
export async function fieldsIn(
  ctx: Context,
  { content, language_texts = [] }: { content: string; language_texts?: readonly LanguageText[] | undefined },
  corporationId: number,
): Promise<TextField[]> {
  const texts = [content, ...language_texts.map(({ text }) => text)];
  const names = new Set(texts.flatMap((text) => compileText(text).unknown));
  if (names.size + language_texts.length === 0) return [];
  const usable = await usableFields(ctx, corporationId);
  requireLanguages(usable, language_texts);
  return usable.flatMap(({ is_language, ...field }) => {
    const chooses = is_language && language_texts.length > 0;
    return chooses || names.has(field.key) ? [{ ...field, chooses }] : [];
  });
}

/** Returns the part of a stored content that keeps the contact fields of its text; nothing without any. */
export function keptFieldsOf(fields: readonly TextField[]) {
  if (fields.length === 0) return {};
  const chooser = fields.find(({ chooses }) => chooses);
  return {
    contact_fields: fields.map(({ id, key }) => ({ id, key })),
    ...(chooser && { language_field_id: chooser.id }),
  };
}

/**
 * Returns the contact fields that a stored content keeps, by the keys that its text has. Throws `audience_changed` if one
 * was deleted.
 */
export async function storedFields(
  db: Kysely<Database>,
  corporationId: number,
  content: unknown,
): Promise<TextField[]> {
  const { contact_fields, language_field_id } = keptFields.parse(content);
  if (contact_fields.length === 0) return [];
  const byId = new Map((await readContactFields(db, corporationId)).map((field) => [field.id, field]));
  return contact_fields.map(({ id, key }) => {
    const field = byId.get(id);
    if (!field) throw new BusinessError('audience_changed');
    return { ...field, key, chooses: id === language_field_id };
  });
}

/** Returns the keys that a text may use. */
export const keysOf = (fields: readonly Pick<TextField, 'key'>[]): ReadonlySet<string> =>
  new Set(fields.map(({ key }) => key));

/**
 * Returns the function that finds the values of a batch of numbers, as texts show them: a date as 29 Nov 2026, a number
 * with its decimals, yes or no. Returns null without fields.
 */
export function valuesOfContacts(fields: readonly TextField[], corporationId: number): AudiencePlan['contact_values'] {
  if (fields.length === 0) return null;
  const shown = fields.map(({ type, slot }) => (type === 'date' ? sql`${sql.ref(slot)}::text` : sql`${sql.ref(slot)}`));
  return async (db, numbers): Promise<Found> => {
    const { rows } = await sql<{ number: string; found: (string | number | boolean | null)[] }>`
      SELECT number, jsonb_build_array(${sql.join(shown)}) AS found FROM contact
      WHERE corporation_id = ${corporationId} AND number = ANY (${numbers}::text[])`.execute(db);
    return new Map(
      rows.map(({ number, found }) => [
        number,
        Object.fromEntries(fields.map(({ key, type }, at) => [key, valueInText(type, found[at] ?? null)])),
      ]),
    );
  };
}

/** Returns the values of one contact as texts show them, and its language; nothing that the caller may not see. */
export async function contactOfNumber(
  ctx: Context,
  corporationId: number,
  number: string,
): Promise<{ contact: Record<string, string>; language: string | null }> {
  const fields = await usableFields(ctx, corporationId);
  const values = (await valuesOfContacts(fields, corporationId)?.(ctx.db, [number]))?.get(number) ?? {};
  const contact = Object.fromEntries(Object.entries(values).flatMap(([key, value]) => (value ? [[key, value]] : [])));
  const spoken = languageFieldOf(fields);
  return { contact, language: (spoken && contact[spoken.key]) ?? null };
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
/** Numbers as people write them, with up to ten decimals. Groups of digits would look different in each country. */
const PLAIN_NUMBER = new Intl.NumberFormat('en', { useGrouping: false, maximumFractionDigits: 10 });

/** Returns a value as a text shows it; null for none. */
export function valueInText(type: TextField['type'], value: string | number | boolean | null): string | null {
  if (value === null) return null;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return PLAIN_NUMBER.format(value);
  if (type !== 'date') return value;
  const [year, month, day] = value.split('-');
  return `${Number(day)} ${MONTHS[Number(month) - 1]} ${year}`;
}
