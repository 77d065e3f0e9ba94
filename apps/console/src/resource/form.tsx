import { keyIn } from '@heliograph/contract/kernel/message-keys';
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
import { same } from '../platform/same.ts';
import { useSession } from '../platform/session.ts';
import { toast } from '../platform/toast.ts';
import { openDialog } from '../ui/dialogs.ts';
import { type Contest, contestsOf, EditConflict } from './edit-conflict.tsx';
import { faultsOf, fieldsIn, initialValues, type Values } from './form-values.ts';

/** State that the fields of a form share. */
export interface FormState {
  /** Key of the labels: `resources.<name>`. */
  name: string;
  schema: z.ZodObject;
  values: Values;
  errors: Record<string, ReactNode>;
  /** Record being edited. */
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

/**
 * Applies a person's entries to a record that changed meanwhile. Untouched fields take the record's values. `contests`
 * are shown for the person to choose. Returns the values of the form.
 */
type Rebase = (before: Values, now: Values, contests: readonly Contest[]) => Values;

interface RecordFormProps {
  name: string;
  schema: z.ZodObject;
  initial: Values;
  row?: Values | null;
  submitLabel: string;
  /** Sends the values. A thrown error is shown; a 422 appears on the fields it names. */
  submit: (values: Values, rebase: Rebase) => Promise<void>;
  onCancel: () => void;
  /** Called when the form gets or loses unsaved changes. */
  onDirty?: (dirty: boolean) => void;
  children: ReactNode;
}

/** Form of values bound to a schema. They are checked while typing, then by the server. */
export function RecordForm(props: RecordFormProps) {
  const { t } = useTranslation();
  const [failure, setFailure] = useState<string | null>(null);
  const [contests, setContests] = useState<readonly Contest[]>([]);
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

  const rebase = (values: Values): Rebase => {
    let present = values;
    return (before, now, contested) => {
      const untouched = Object.entries(now).filter(([field]) => same(present[field], before[field]));
      present = { ...present, ...Object.fromEntries(untouched) };
      form.setInitialValues(now);
      form.setValues(present);
      setContests(contested);
      return present;
    };
  };
  const choose = (field: string, choice: Contest['choice'], value: unknown) => {
    setContests((all) =>
      all.map((each) => (each.field === field ? { ...each, choice, ...(choice === 'mine' && { mine: value }) } : each)),
    );
    form.setFieldValue(field, value);
  };
  const set = (field: string, value: unknown) =>
    contests.some((each) => each.field === field) ? choose(field, 'mine', value) : form.setFieldValue(field, value);

  async function submit(values: Values) {
    if (contests.some(({ choice }) => choice === null)) {
      setFailure(t('conflict.choose'));
      document.querySelector<HTMLElement>('form [data-contest="open"] input')?.focus();
      return;
    }
    setFailure(null);
    setContests([]);
    form.setSubmitting(true);
    try {
      await props.submit(values, rebase(values));
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
          set,
        }}
      >
        <Stack gap="md">
          {failure && (
            <Alert color="red" role="alert">
              {failure}
            </Alert>
          )}
          {contests.length > 0 && (
            <EditConflict name={props.name} schema={props.schema} contests={contests} choose={choose} />
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

/** Asks before the user leaves unsaved changes. Returns a function that closes the form if the user agrees. */
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

interface Reply {
  data: Values;
  message?: string;
}

/** Maximum tries of a save. It is abandoned if others saved first each time. */
const MERGES = 4;

interface ResourceFormProps {
  resource: AnyResource;
  /** Record to edit; null for a new one. */
  row: Values | null;
  /** Values of a new record that the screen already knows. */
  preset?: Values | undefined;
  /** Width of the drawer in pixels; the usual width if undefined. */
  size?: number | undefined;
  onClose: () => void;
  onSaved?: (row: Values) => void;
  children: ReactNode;
}

/** Returns a record's name as it stands within a sentence: “Sender ID” becomes “sender ID”, “API key” stays. */
const inSentence = (name: string) => (/^\p{Lu}\p{Ll}/u.test(name) ? name[0]?.toLowerCase() + name.slice(1) : name);

/** Drawer that creates or edits one record of a resource. */
export function ResourceForm(props: ResourceFormProps) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { resource } = props;
  const [row, setRow] = useState(props.row);
  const [dirty, setDirty] = useState(false);
  const close = useUnsavedGuard(dirty);
  const own = useOwn();
  const record = t(keyIn('resources', resource.name, 'one'));
  const schema = row ? resource.update : resource.create;
  const [initial, setInitial] = useState(() => initialValues(schema, row ?? { ...own, ...props.preset }));

  /**
   * Saves the changed fields of a record on top of the changes that others made meanwhile. Returns null if both changed
   * the same field.
   */
  async function update(entered: Values, rebase: Rebase): Promise<Reply | null> {
    let values = entered;
    let base = { row: row!, initial };
    for (let tries = 1; ; tries++) {
      const changed = Object.fromEntries(
        fieldsIn(schema, values).filter(([field, value]) => !same(value, base.initial[field])),
      );
      try {
        const ifMatch = base.row['etag'] as string | undefined;
        return (await request(resource.updateOne, { params: { id: base.row['id'] }, body: changed, ifMatch })) as Reply;
      } catch (error) {
        const conflict = problemFrom(error)?.conflict;
        if (!conflict || tries === MERGES) throw error;
        const contests = contestsOf(resource, conflict, base.row, changed);
        const now = { row: conflict.current, initial: initialValues(schema, conflict.current) };
        setRow(now.row);
        setInitial(now.initial);
        values = rebase(
          base.initial,
          now.initial,
          contests.map((each) => ({ ...each, theirs: now.initial[each.field] })),
        );
        base = now;
        void client.invalidateQueries({ queryKey: [resource.name] });
        if (contests.length > 0) return null;
      }
    }
  }

  async function save(values: Values, rebase: Rebase) {
    const reply = row
      ? await update(values, rebase)
      : ((await request(resource.createOne, { body: Object.fromEntries(fieldsIn(schema, values)) })) as Reply);
    if (!reply) return;
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
          {row
            ? t('form.edit_title', { name: String(row[resource.title]) })
            : t('form.create_title', { record: inSentence(record) })}
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

/** Returns the user's own corporation and department, to which a new record most likely belongs. */
function useOwn(): Values {
  const profile = useSession((s) => s.profile);
  return { corporation_id: profile?.corporation_id ?? null, department_id: profile?.department_id ?? null };
}
