import { kindOf } from '@heliograph/contract/kernel/fields';
import type { AnyResource } from '@heliograph/contract/kernel/resource';
import { Alert, Button, Drawer, Group, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { useBlocker } from '@tanstack/react-router';
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { request } from '../platform/call.ts';
import { problemFrom, sentenceOf } from '../platform/problem.ts';
import { useSession } from '../platform/session.ts';
import { toast } from '../platform/toast.ts';
import { faultsOf } from '../platform/validation.ts';
import { openDialog } from '../ui/dialogs.ts';

export type Values = Record<string, unknown>;

/** What the fields of a form share. */
export interface FormState {
  /** Where labels are: `resources.<name>`. */
  name: string;
  schema: z.ZodObject;
  values: Values;
  errors: Record<string, ReactNode>;
  /** The record being edited. */
  row: Values | null;
  set: (field: string, value: unknown) => void;
}

const FormContext = createContext<FormState | null>(null);
export const FormProvider = FormContext.Provider;
export function useFormState(): FormState {
  const state = useContext(FormContext);
  if (!state) throw new Error('a field stands outside of a form');
  return state;
}

interface RecordFormProps {
  name: string;
  schema: z.ZodObject;
  initial: Values;
  row?: Values | null;
  submitLabel: string;
  /** Sends the values; what it throws is shown, a 422 on the fields it names. */
  submit: (values: Values) => Promise<void>;
  onCancel: () => void;
  /** Told whether there is something unsaved. */
  onDirty?: (dirty: boolean) => void;
  children: ReactNode;
}

/** Values bound to a schema: checked while typing, then by the server. */
export function RecordForm(props: RecordFormProps) {
  const { t } = useTranslation();
  const [failure, setFailure] = useState<string | null>(null);
  const form = useForm<Values>({
    initialValues: props.initial,
    validate: (values) => faultsOf(props.schema, values),
    validateInputOnChange: true,
  });
  const dirty = form.isDirty();
  const { onDirty } = props;
  useEffect(() => onDirty?.(dirty), [dirty, onDirty]);
  // The faults are drawn a moment after they are set.
  const focusFirstFault = () =>
    setTimeout(() => document.querySelector<HTMLElement>('form [aria-invalid="true"]')?.focus(), 50);

  async function submit(values: Values) {
    setFailure(null);
    form.setSubmitting(true);
    try {
      await props.submit(values);
    } catch (error) {
      const faults = problemFrom(error)?.errors ?? {};
      form.setErrors(Object.fromEntries(Object.entries(faults).map(([field, texts]) => [field, texts[0]])));
      setFailure(sentenceOf(error));
      focusFirstFault();
    } finally {
      form.setSubmitting(false);
    }
  }

  return (
    <form noValidate onSubmit={form.onSubmit((values) => submit(values), focusFirstFault)}>
      <FormProvider
        value={{
          name: props.name,
          schema: props.schema,
          values: form.values,
          errors: form.errors,
          row: props.row ?? null,
          set: (field, value) => form.setFieldValue(field, value),
        }}
      >
        <Stack gap="md">
          {failure && (
            <Alert color="red" role="alert">
              {failure}
            </Alert>
          )}
          {props.children}
          <Group justify="flex-end" gap="xs" mt="sm">
            <Button variant="default" onClick={props.onCancel}>
              {t('actions.cancel')}
            </Button>
            <Button type="submit" loading={form.submitting}>
              {props.submitLabel}
            </Button>
          </Group>
        </Stack>
      </FormProvider>
    </form>
  );
}

/** Asks before unsaved changes are left; answers a function that closes when it may. */
export function useUnsavedGuard(dirty: boolean): (close: () => void) => void {
  const { t } = useTranslation();
  const ask = (leave: () => void, stay: () => void = () => undefined) =>
    openDialog({
      title: t('form.unsaved_title'),
      text: t('form.unsaved_text'),
      confirm: t('form.leave'),
      cancel: t('form.stay'),
      danger: true,
      onConfirm: leave,
      onCancel: stay,
    });
  useBlocker({
    shouldBlockFn: () =>
      new Promise<boolean>((answer) =>
        ask(
          () => answer(false),
          () => answer(true),
        ),
      ),
    enableBeforeUnload: dirty,
    disabled: !dirty,
  });
  return (close) => (dirty ? ask(close) : close());
}

interface ResourceFormProps {
  resource: AnyResource;
  /** The record to edit; null for a new one. */
  row: Values | null;
  /** Values of a new record that are known from the screen. */
  preset?: Values | undefined;
  /** How wide the drawer is, in pixels; of its usual width without it. */
  size?: number | undefined;
  onClose: () => void;
  onSaved?: (row: Values) => void;
  children: ReactNode;
}

/** Creates or edits one record of a resource in a drawer. */
export function ResourceForm(props: ResourceFormProps) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { resource, row } = props;
  const [dirty, setDirty] = useState(false);
  const close = useUnsavedGuard(dirty);
  const own = useOwn();
  const record = t(`resources.${resource.name}.one`);
  const schema = row ? resource.update : resource.create;
  const [initial] = useState(() => initialValues(schema, row ?? { ...own, ...props.preset }));

  async function save(values: Values) {
    // A form may keep more than its record has, for itself.
    const known = Object.entries(values).filter(([field]) => Object.hasOwn(schema.shape, field));
    const changed = Object.fromEntries(row ? known.filter(([field, value]) => !same(value, initial[field])) : known);
    const reply = (await request(
      row ? resource.updateOne : resource.createOne,
      row ? { params: { id: row.id }, body: changed } : { body: changed },
    )) as { data: Values; message?: string };
    setDirty(false);
    void client.invalidateQueries({ queryKey: [resource.name] });
    void toast('success', reply.message ?? t(row ? 'saved.updated' : 'saved.created', { record }));
    props.onSaved?.(reply.data);
    props.onClose();
  }

  return (
    <Drawer
      opened
      {...(props.size === undefined ? {} : { size: props.size })}
      onClose={() => close(props.onClose)}
      title={
        <Text fw={650} size="lg">
          {row ? t('form.edit_title', { name: String(row[resource.title]) }) : t('form.create_title', { record })}
        </Text>
      }
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <RecordForm
        name={resource.name}
        schema={schema}
        initial={initial}
        row={row}
        submitLabel={t(row ? 'actions.save' : 'actions.create')}
        submit={save}
        onCancel={() => close(props.onClose)}
        onDirty={setDirty}
      >
        {props.children}
      </RecordForm>
    </Drawer>
  );
}

/** The user's own corporation and department, which a new record most likely belongs to. */
function useOwn(): Values {
  const profile = useSession((s) => s.profile);
  return { corporation_id: profile?.corporation_id ?? null, department_id: profile?.department_id ?? null };
}

/** A value for every field of the schema: the record's, else the schema's default, else empty. */
function initialValues(schema: z.ZodObject, known: Values): Values {
  return Object.fromEntries(
    Object.entries(schema.shape).map(([field, type]) => {
      const schemaOf = type as z.ZodType;
      const fallback = schemaOf.safeParse(undefined);
      // What may be left out and is nothing stays out where nothing is no value.
      const empty = fallback.success && !schemaOf.safeParse(null).success ? undefined : null;
      const value = known[field] ?? (fallback.success ? fallback.data : null) ?? empty;
      return [field, kindOf(schemaOf) === 'money' ? shortAmount(value) : value];
    }),
  );
}

/** An amount as a person would write it: the third decimal only where it says something. */
const shortAmount = (value: unknown) => (typeof value === 'string' ? value.replace(/(\.\d\d)0$/, '$1') : value);

const same = (a: unknown, b: unknown) => a === b || JSON.stringify(a) === JSON.stringify(b);
