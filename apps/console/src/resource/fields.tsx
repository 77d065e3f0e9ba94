import { wordsOf } from '@heliograph/contract/kernel/fields';
import { keyIn, type MessageGroup } from '@heliograph/contract/kernel/message-keys';
import type { AnyResource } from '@heliograph/contract/kernel/resource';
import {
  Textarea as Area,
  Select as Choice,
  PasswordInput,
  TagsInput,
  TextInput,
  Switch as Toggle,
} from '@mantine/core';
import i18next from 'i18next';
import { type ChangeEvent, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { lazyPart } from '../platform/connection.ts';
import { hasText } from '../platform/language.ts';
import { useMay } from '../platform/session.ts';
import { type Key, labelOf } from './columns.tsx';
import { useFormState } from './form.tsx';
import { ReferenceSelect, ReferencesSelect } from './reference.tsx';

const DateInput = lazyPart(async () => (await import('./date-input.tsx')).DateInput);

/**
 * Returns the properties that every field takes from its form: label, hint, value, fault, and whether it is required.
 */
function useField(name: string) {
  const form = useFormState();
  const type = form.schema.shape[name] as z.ZodType | undefined;
  const mayBeEmpty = !type || type.safeParse(null).success || type.safeParse(undefined).success;
  const hint = keyIn('resources', form.name, 'hints', name);
  return {
    form,
    type,
    exists: type !== undefined,
    value: form.values[name],
    /** An empty text becomes an empty value if the schema allows one: null, or left out. */
    setText: (text: string) => form.set(name, text === '' ? emptyOf(type) : text),
    set: (value: unknown) => form.set(name, value),
    common: {
      label: labelOf(form.name, name),
      ...(hasText(hint) ? { description: i18next.t(hint) } : {}),
      error: form.errors[name],
      required: !mayBeEmpty,
      'data-field': name,
    },
  };
}

function emptyOf(type: z.ZodType | undefined): unknown {
  if (type?.safeParse(null).success) return null;
  return type?.safeParse(undefined).success && !type.safeParse('').success ? undefined : '';
}

type Named = { name: string };
type TextProps = Named & { type?: 'text' | 'email' | 'tel' | 'url' | 'time'; autoFocus?: boolean; disabled?: boolean };
type TextEvent = ChangeEvent<HTMLInputElement | HTMLTextAreaElement>;

function Text({ name, ...props }: TextProps) {
  const { exists, value, setText, common } = useField(name);
  if (!exists) return null;
  return (
    <TextInput
      {...common}
      {...props}
      value={String(value ?? '')}
      onChange={(e: TextEvent) => setText(e.currentTarget.value)}
    />
  );
}

function Textarea({ name, rows = 3 }: Named & { rows?: number }) {
  const { exists, value, setText, common } = useField(name);
  if (!exists) return null;
  return (
    <Area
      {...common}
      autosize
      minRows={rows}
      maxRows={12}
      value={String(value ?? '')}
      onChange={(e: TextEvent) => setText(e.currentTarget.value)}
    />
  );
}

function Number_({ name }: Named) {
  const { exists, value, set, common } = useField(name);
  if (!exists) return null;
  // Text that is not a whole number stays as typed, and the schema reports the fault.
  const change = (text: string) => set(text.trim() === '' ? null : /^-?\d+$/.test(text.trim()) ? Number(text) : text);
  return (
    <TextInput
      {...common}
      inputMode="numeric"
      value={String(value ?? '')}
      onChange={(e: TextEvent) => change(e.currentTarget.value)}
    />
  );
}

function Money({ name, currency }: Named & { currency?: string | undefined }) {
  const { exists, value, setText, common } = useField(name);
  if (!exists) return null;
  return (
    <TextInput
      {...common}
      inputMode="decimal"
      value={String(value ?? '')}
      onChange={(e: TextEvent) => setText(e.currentTarget.value)}
      {...(currency ? { rightSection: <span style={{ fontSize: 12 }}>{currency}</span>, rightSectionWidth: 52 } : {})}
    />
  );
}

function Switch({ name }: Named) {
  const { exists, value, set, common } = useField(name);
  if (!exists) return null;
  return (
    <Toggle {...common} required={false} checked={value === true} onChange={(e) => set(e.currentTarget.checked)} />
  );
}

type SelectProps = Named & {
  /** Key of the texts of the words: `<words>.<word>`. Without it, the words themselves are shown. */
  words?: MessageGroup;
  options?: readonly string[];
};
function Select({ name, words, options }: SelectProps) {
  const { t } = useTranslation();
  const { exists, type, value, set, common } = useField(name);
  if (!exists || !type) return null;
  const data = (options ?? wordsOf(type)).map((word) => ({ value: word, label: words ? t(keyIn(words, word)) : word }));
  return (
    <Choice
      {...common}
      searchable={data.length > 10}
      limit={100}
      clearable={!common.required && type.safeParse(null).success}
      placeholder={t('form.choose')}
      nothingFoundMessage={t('form.nothing_found')}
      data={data}
      value={(value as string | null) ?? null}
      onChange={set}
    />
  );
}

type ReferenceProps = Named & {
  to: AnyResource;
  /** Field on which the choice depends, such as the corporation of a department. */
  within?: string;
  /** Additional filters of the choice. */
  filter?: Record<string, unknown>;
};
function Reference({ name, to, within, filter }: ReferenceProps) {
  const { t } = useTranslation();
  const { exists, form, value, set, common } = useField(name);
  const allowed = useMay(to.permissions.index);
  // A user who may not list the records has only their own, which the form already holds.
  if (!exists || !allowed) return null;
  const outer = within === undefined ? undefined : (form.values[within] ?? form.row?.[within]);
  const known = form.row && form.row[name] === value ? form.row[name.replace(/_id$/, '_name')] : undefined;
  const blocked =
    within !== undefined && !outer ? t('form.choose_first', { field: labelOf(form.name, within) }) : undefined;
  return (
    <ReferenceSelect
      {...common}
      to={to}
      blocked={blocked}
      within={{ ...filter, ...(within === undefined ? {} : { [within]: outer }) }}
      known={typeof known === 'string' ? known : undefined}
      creates
      choosesOnly={common.required && form.row === null && within !== undefined}
      value={(value as number | null) ?? null}
      onChange={set}
    />
  );
}

/** Field for several records of a kind. */
function References({ name, to, within, filter }: ReferenceProps) {
  const { t } = useTranslation();
  const { exists, form, value, set, common } = useField(name);
  if (!exists) return null;
  const outer = within === undefined ? undefined : form.values[within];
  const blocked =
    within !== undefined && !outer ? t('form.choose_first', { field: labelOf(form.name, within) }) : undefined;
  return (
    <ReferencesSelect
      {...common}
      to={to}
      blocked={blocked}
      within={{ ...filter, ...(within === undefined ? {} : { [within]: outer }) }}
      value={(value as number[] | null) ?? []}
      onChange={set}
    />
  );
}

function Date_({ name }: Named) {
  const { exists, value, set, common } = useField(name);
  if (!exists) return null;
  return (
    <Suspense fallback={<TextInput {...common} disabled />}>
      <DateInput {...common} value={(value as string | null) ?? null} onChange={set} />
    </Suspense>
  );
}

function Secret({ name }: Named) {
  const { t } = useTranslation();
  const { exists, form, value, setText, common } = useField(name);
  if (!exists) return null;
  return (
    <PasswordInput
      {...common}
      autoComplete="new-password"
      {...(form.row ? { placeholder: t('form.secret_kept') } : {})}
      visibilityToggleButtonProps={{ 'aria-label': t('form.show_secret') }}
      value={String(value ?? '')}
      onChange={(e: TextEvent) => setText(e.currentTarget.value)}
    />
  );
}

function Tags({ name }: Named) {
  const { t } = useTranslation();
  const { exists, form, value, set, common } = useField(name);
  if (!exists) return null;
  return (
    <TagsInput
      {...common}
      // The fault of any single value is shown at the field.
      error={common.error ?? Object.entries(form.errors).find(([field]) => field.startsWith(`${name}.`))?.[1]}
      placeholder={t('form.tags_hint')}
      value={(value as string[] | null) ?? []}
      onChange={set}
    />
  );
}

const FIELDS = {
  Text,
  Textarea,
  Number: Number_,
  Money,
  Switch,
  Select,
  Reference,
  References,
  Date: Date_,
  Secret,
  Tags,
};

type Bound<Name extends string, F> = F extends (props: infer P) => infer R
  ? (
      props: Omit<P, 'name' | 'within'> & { name: Name } & (P extends { within?: string }
          ? { within?: Name }
          : unknown),
    ) => R
  : never;

/**
 * Returns field components bound to one schema, so that a misspelled name does not compile. A field that the schema
 * lacks draws nothing.
 */
export function fieldsOf<S extends z.ZodObject>(_schema: S) {
  return FIELDS as unknown as { [F in keyof typeof FIELDS]: Bound<Key<z.input<S>>, (typeof FIELDS)[F]> };
}
