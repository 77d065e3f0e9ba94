import { numberList } from '@heliograph/contract/contacts/number-list';
import { corporation } from '@heliograph/contract/organizations/corporation';
import { department } from '@heliograph/contract/organizations/department';
import { FileInput } from '@mantine/core';
import { IconFileSpreadsheet } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../../platform/session.ts';
import { fieldsOf } from '../../resource/fields.tsx';
import { ResourceForm, useFormState } from '../../resource/form.tsx';
import type { Values } from '../../resource/form-values.ts';

const Field = fieldsOf(numberList.create);
const TYPES = '.csv,.txt,.tsv,.tab,.xlsx';

/** File that was chosen with a new list. The screen of the list uploads it and shows its progress. */
let waiting: { listId: number; file: File } | null = null;

/** Returns the file that waits for a list, once. */
export function takeFileFor(listId: number): File | undefined {
  const file = waiting?.listId === listId ? waiting.file : undefined;
  if (file) waiting = null;
  return file;
}

/** Keeps the file of a new list while its form is open. `send` opens the new list, which then reads the file. */
export function useListFile(first: File | null = null): {
  set: (file: File | null) => void;
  send: (row: Values) => void;
} {
  const navigate = useNavigate();
  const chosen = useRef(first);
  return {
    set: (file) => {
      chosen.current = file;
    },
    send: ({ id }) => {
      const file = chosen.current;
      chosen.current = null;
      if (!file) return;
      waiting = { listId: Number(id), file };
      // The form is saved, but it still counts as changed until it closes.
      void navigate({ to: `/numbers-${Number(id)}`, ignoreBlocker: true });
    },
  };
}

/** Returns the name of a list from that of its file: “Loyalty 2026.xlsx” becomes “Loyalty 2026”. */
const nameOf = (file: File) => file.name.replace(/\.[^.]+$/, '').slice(0, 100);

/** Fields of a list. A new one takes its file of numbers too. */
export function ListFields(props: { file?: File; onFile: (file: File | null) => void }) {
  const { t } = useTranslation();
  const { row, values, set } = useFormState();
  const mayUpload = useMay('number-lists-upload');
  const mayOpen = useMay('individual-numbers-index');
  const [file, setFile] = useState<File | null>(props.file ?? null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a form that opens forgets the file of the one before
  useEffect(() => props.onFile(props.file ?? null), []);
  function choose(next: File | null) {
    setFile(next);
    props.onFile(next);
    if (next && !values['name']) set('name', nameOf(next));
  }
  return (
    <>
      <Field.Text name="name" autoFocus />
      <Field.Reference name="corporation_id" to={corporation} />
      <Field.Reference name="department_id" to={department} within="corporation_id" />
      {row === null && mayUpload && mayOpen && (
        <FileInput
          label={t('resources.number-lists.file')}
          description={t('resources.number-lists.file_hint')}
          placeholder={t('import.drop')}
          accept={TYPES}
          clearable
          leftSection={<IconFileSpreadsheet size={16} stroke={1.6} aria-hidden />}
          value={file}
          onChange={choose}
        />
      )}
      <Field.Switch name="private" />
      <Field.Switch name="requires_consent" />
      <Field.Switch name="enabled" />
    </>
  );
}

/** Form of a new list for a file that was chosen elsewhere. Once saved, the list opens and reads the file. */
export function NewListForm({ file, onClose }: { file: File; onClose: () => void }) {
  const kept = useListFile(file);
  return (
    <ResourceForm
      resource={numberList}
      row={null}
      preset={{ name: nameOf(file) }}
      onSaved={kept.send}
      onClose={onClose}
    >
      <ListFields file={file} onFile={kept.set} />
    </ResourceForm>
  );
}
