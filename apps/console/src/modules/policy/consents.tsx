import { corporation } from '@heliograph/contract/organizations/corporation';
import { CONSENT_COLUMNS, consent, consentHistory, uploadConsents } from '@heliograph/contract/policy/consent';
import { senderId } from '@heliograph/contract/senders/sender-id';
import { SimpleGrid } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { openFile } from '../../platform/open-file.ts';
import { useBulkUpload } from '../../resource/bulk-upload.tsx';
import { fieldsOf } from '../../resource/fields.tsx';
import { ResourceList } from '../../resource/resource-list.tsx';

const historyOf = (id: number) => consentHistory.path.replace(':id', String(id));
const Field = fieldsOf(consent.create);
const Upload = fieldsOf(uploadConsents.query);

/** Screen of the people's consents and opt-outs, with the proof of each. */
export function Consents() {
  const { t } = useTranslation();
  const bulk = useBulkUpload({
    resource: consent,
    operation: uploadConsents,
    title: t('resources.consents.bulk'),
    columns: CONSENT_COLUMNS,
    required: ['number'],
    sample: ['639171234567,2026-05-31,https://example.com/club', '639181234567,,'],
    children: (
      <>
        <Field.Reference name="corporation_id" to={corporation} />
        <Upload.Text name="statement" />
      </>
    ),
  });
  return (
    <ResourceList
      resource={consent}
      header={{ actions: bulk.button }}
      columns={[
        'number',
        { field: 'kind', cell: (row) => t(`consent_kind.${row.kind}`), csv: (row) => t(`consent_kind.${row.kind}`) },
        'happened_at',
        {
          field: 'source',
          cell: (row) => t(`consent_source.${row.source}`),
          csv: (row) => t(`consent_source.${row.source}`),
        },
        'wording',
        'proof',
        { field: 'sender_id_name', cell: (row) => row.sender_id_name ?? t('resources.consents.any_sender') },
        'corporation_name',
        { field: 'note', hidden: true },
        { field: 'user_name', hidden: true },
        { field: 'created_at', hidden: true },
      ]}
      rowActions={(row) => [
        {
          label: t('resources.consents.history'),
          icon: <IconDownload size={16} stroke={1.6} aria-hidden />,
          onClick: () => void openFile(historyOf(row.id), `consents-${row.number}.csv`),
        },
      ]}
      filters={[
        { field: 'corporation_id', to: corporation },
        { field: 'kind', words: 'consent_kind' },
        { field: 'source', words: 'consent_source' },
      ]}
      form={
        <>
          <Field.Reference name="corporation_id" to={corporation} />
          <Field.Text name="number" type="tel" autoFocus />
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <Field.Select name="kind" words="consent_kind" />
            <Field.Select name="source" words="consent_source" />
          </SimpleGrid>
          <Field.Reference name="sender_id_id" to={senderId} within="corporation_id" />
          <Field.Textarea name="wording" />
          <Field.Textarea name="proof" />
          <Field.Text name="note" />
        </>
      }
    >
      {bulk.panel}
    </ResourceList>
  );
}
