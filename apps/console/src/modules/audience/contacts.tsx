import { contact } from '@heliograph/contract/audience/contact';
import { contactField } from '@heliograph/contract/audience/contact-field';
import { numberList } from '@heliograph/contract/contacts/number-list';
import { corporation } from '@heliograph/contract/organizations/corporation';
import { Badge, Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../platform/format.ts';
import { useMay } from '../../platform/session.ts';
import type { RowOf } from '../../resource/columns.tsx';
import { fieldsOf } from '../../resource/fields.tsx';
import { ResourceList } from '../../resource/resource-list.tsx';
import { useContactImport } from './contact-imports.tsx';
import { useContactWork } from './contact-work.tsx';
import { type ContactFieldRow, useContactFields, ValueFields } from './value-fields.tsx';

const Field = fieldsOf(contact.create);

export type ContactRow = RowOf<typeof contact.list>;

/** Form of a contact: number, name, tags, and a value for each field of the corporation. */
export const ContactForm = () => (
  <>
    <Field.Reference name="corporation_id" to={corporation} />
    <Field.Text name="number" type="tel" autoFocus />
    <Field.Text name="name" />
    <Field.Tags name="tags" />
    <ValueFields />
  </>
);

/** Badge of the consent of a person. */
export function ConsentBadge({ consent }: Pick<ContactRow, 'consent'>) {
  const { t } = useTranslation();
  const colors = { opt_in: 'teal', asked: 'yellow', opt_out: 'orange', none: 'gray' } as const;
  return (
    <Badge color={colors[consent]} variant="light" tt="none">
      {t(`contact_consent.${consent}`)}
    </Badge>
  );
}

/** Tags of a contact. */
export function Tags({ tags }: Pick<ContactRow, 'tags'>) {
  if (tags.length === 0) return '–';
  return (
    <Group gap={4} component="span">
      {tags.map((tag) => (
        <Badge key={tag} color="gray" variant="light" tt="none">
          {tag}
        </Badge>
      ))}
    </Group>
  );
}

const pairsOf = (pairs: readonly (readonly [string, string])[]) =>
  pairs.map(([name, value]) => `${name}: ${value}`).join(' · ') || '–';

/** Values of a contact with the names of their fields. */
function Values({ corporation_id, fields }: ContactRow) {
  const { t } = useTranslation();
  const format = useFormat();
  const shown = (type: ContactFieldRow['type'], value: string | number | boolean) => {
    if (typeof value === 'boolean') return t(value ? 'common.yes' : 'common.no');
    if (type === 'date') return format.date(String(value));
    return String(value);
  };
  const text = pairsOf(
    useContactFields(corporation_id).flatMap(({ key, name, type }) => {
      const value = fields[key] ?? null;
      return value === null ? [] : [[name, shown(type, value)] as const];
    }),
  );
  return (
    // The fields load after the rows: with a fixed width, the room for the columns is measured correctly before that.
    <Text span inherit display="block" w="22ch" truncate title={text}>
      {text}
    </Text>
  );
}

/** Screen of the people that a corporation knows. */
export function Contacts() {
  const { t } = useTranslation();
  const mayOpen = useMay(contact.permissions.show);
  const importing = useContactImport();
  const work = useContactWork();
  return (
    <ResourceList
      resource={contact}
      header={{
        actions: (
          <>
            {work.menu}
            {importing.button}
          </>
        ),
      }}
      bulk={work.bulk}
      columns={[
        'number',
        'name',
        { field: 'tags', cell: (row) => <Tags {...row} />, csv: (row) => row.tags.join(', ') },
        {
          field: 'consent',
          cell: (row) => <ConsentBadge {...row} />,
          csv: (row) => t(`contact_consent.${row.consent}`),
        },
        {
          field: 'fields',
          cell: (row) => <Values {...row} />,
          csv: ({ fields }) => pairsOf(Object.entries(fields).map(([key, value]) => [key, String(value)])),
        },
        'corporation_name',
        {
          field: 'source',
          hidden: true,
          cell: (row) => t(`contact_source.${row.source}`),
          csv: (row) => t(`contact_source.${row.source}`),
        },
        { field: 'updated_at', hidden: true },
        { field: 'created_at', hidden: true },
      ]}
      filters={[
        { field: 'corporation_id', to: corporation },
        'tag',
        { field: 'consent', words: 'contact_consent' },
        { field: 'number_list_id', to: numberList, within: 'corporation_id' },
        { field: 'contact_field_id', to: contactField, within: 'corporation_id' },
        'value',
        'same_name',
      ]}
      {...(mayOpen && { rowTo: (row: ContactRow) => `/contacts/${row.id}` })}
      form={<ContactForm />}
    >
      {work.panel}
      {importing.panel}
    </ResourceList>
  );
}
