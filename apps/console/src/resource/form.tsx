import type { AnyResource } from '@heliograph/contract/kernel/resource';
import { Alert, Button, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useBlocker } from '@tanstack/react-router';
import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { problemFrom, sentenceOf } from '../platform/problem.ts';
import { same } from '../platform/same.ts';
import { openDialog } from '../ui/dialogs.ts';
import { focusFault } from '../ui/form-focus.ts';
import { FormDrawer, FormFoot, FormFrame, submitKeys } from '../ui/form-frame.tsx';
import { type Contest, EditConflict } from './edit-conflict.tsx';
import { errorsAfterRows, faultsOf, rowFieldsOf, type Values } from './form-values.ts';
import { useRecordSave } from './record-save.ts';

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
export type Rebase = (before: Values, now: Values, contests: readonly Contest[]) => Values;

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
  /** Set for a form that is a page of its own. */
  page?: boolean;
  children: ReactNode;
}

/** Form of values bound to a schema. They are checked while typing, then by the server. */
export function RecordForm(props: RecordFormProps) {
  const { t } = useTranslation();
  const [failure, setFailure] = useState<string | null>(null);
  const [contests, setContests] = useState<readonly Contest[]>([]);
  const rows = useMemo(() => rowFieldsOf(props.schema), [props.schema]);
  const form = useForm<Values>({
    initialValues: props.initial,
    validate: (values) => faultsOf(props.schema, values),
    // A new row is empty: its faults are shown when the person asks to save it.
    validateInputOnChange: Object.keys(props.initial).filter((field) => !rows.has(field)),
  });
  const dirty = form.isDirty();
  const { onDirty } = props;
  useEffect(() => onDirty?.(dirty), [dirty, onDirty]);
  const element = useRef<HTMLFormElement>(null);
  const faults = Object.keys(form.errors).filter((field) => form.errors[field]);
  const focusFirstFault = useAfterDrawing(() => focusFault(element.current, faults));

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
  const set = (field: string, value: unknown) => {
    if (contests.some((each) => each.field === field)) choose(field, 'mine', value);
    else form.setFieldValue(field, value);
    if (rows.has(field))
      form.setErrors(
        errorsAfterRows(form.errors, field, () => faultsOf(props.schema, { ...form.values, [field]: value })),
      );
  };

  async function submit(values: Values) {
    if (contests.some(({ choice }) => choice === null)) {
      setFailure(t('conflict.choose'));
      element.current?.querySelector<HTMLElement>('[data-contest="open"] input')?.focus();
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
    <FormFrame
      form={element}
      page={props.page ?? false}
      onSubmit={form.onSubmit((values) => submit(values), focusFirstFault)}
    >
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
        <Stack gap="md" pb="lg">
          {failure && (
            <Alert color="red" role="alert">
              {failure}
            </Alert>
          )}
          {contests.length > 0 && (
            <EditConflict name={props.name} schema={props.schema} contests={contests} choose={choose} />
          )}
          {props.children}
        </Stack>
        <FormFoot faults={faults.length} onShowFault={focusFirstFault}>
          <Button variant="default" onClick={props.onCancel}>
            {t('actions.cancel')}
          </Button>
          <Button type="submit" loading={form.submitting} title={submitKeys()}>
            {props.submitLabel}
          </Button>
        </FormFoot>
      </FormProvider>
    </FormFrame>
  );
}

/** Returns a function that runs `act` when the present changes are drawn. */
function useAfterDrawing(act: () => void): () => void {
  const [asked, setAsked] = useState(0);
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    if (asked > 0) latest.current();
  }, [asked]);
  return () => setAsked((before) => before + 1);
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

/** Drawer that creates or edits one record of a resource. */
export function ResourceForm(props: ResourceFormProps) {
  const [dirty, setDirty] = useState(false);
  const close = useUnsavedGuard(dirty);
  const { title, save, ...form } = useRecordSave(props.resource, props.row, props.preset);

  async function submit(values: Values, rebase: Rebase) {
    const saved = await save(values, rebase);
    if (!saved) return;
    setDirty(false);
    props.onSaved?.(saved);
    props.onClose();
  }

  return (
    <FormDrawer title={title} size={props.size} onClose={() => close(props.onClose)}>
      <RecordForm
        name={props.resource.name}
        {...form}
        submit={submit}
        onCancel={() => close(props.onClose)}
        onDirty={setDirty}
      >
        {props.children}
      </RecordForm>
    </FormDrawer>
  );
}
