import {
  CONTACT_FIELD_TYPES,
  type ContactFieldType,
  contactField,
  RESERVED_FIELD_KEYS,
} from '@heliograph/contract/audience/contact-field';
import { Button, Group, Select, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { sentenceOf } from '../../platform/problem.ts';
import { toast } from '../../platform/toast.ts';
import { useContactFields } from './value-fields.tsx';

/** Returns a free key for the name of a field: its small letters, digits and underscores, else a number. */
function keyOf(name: string, used: ReadonlySet<string>): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[^a-z]+|_+$/g, '')
    .slice(0, 36);
  const isFree = (key: string) => !used.has(key) && !RESERVED_FIELD_KEYS.has(key);
  if (plain !== '' && isFree(plain)) return plain;
  let number = 2;
  while (!isFree(`${plain || 'field'}_${number}`)) number++;
  return `${plain || 'field'}_${number}`;
}

/** Small form that adds a field for a column of a file: its name and type, as the values suggest. */
export function NewContactField(props: {
  corporationId: number;
  column: { name: string; type: ContactFieldType; choices: readonly string[] };
  onAdded: (key: string) => void;
}) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { corporationId, column, onAdded } = props;
  const [name, setName] = useState(column.name.slice(0, 60));
  const [type, setType] = useState(column.type);
  const [saving, setSaving] = useState(false);
  const fields = useContactFields(corporationId);
  // Without values, there are no choices.
  const types = CONTACT_FIELD_TYPES.filter((each) => each !== 'choice' || column.choices.length > 0);
  async function add() {
    setSaving(true);
    const key = keyOf(name, new Set(fields.map((field) => field.key)));
    const choices = type === 'choice' ? [...column.choices] : [];
    try {
      await call(contactField.createOne, { body: { corporation_id: corporationId, name, key, type, choices } });
      await client.invalidateQueries({ queryKey: ['contact-fields'] });
      onAdded(key);
    } catch (error) {
      void toast('error', sentenceOf(error));
    } finally {
      setSaving(false);
    }
  }
  return (
    <Group align="end" gap="xs">
      <TextInput
        label={t('contact_import.field_name')}
        maxLength={60}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Select
        label={t('contact_import.field_type')}
        allowDeselect={false}
        data={types.map((value) => ({ value, label: t(`contact_type.${value}`) }))}
        value={type}
        onChange={(to) => setType(to as ContactFieldType)}
      />
      <Button variant="light" loading={saving} disabled={name.trim() === ''} onClick={() => void add()}>
        {t('contact_import.add_field')}
      </Button>
    </Group>
  );
}
