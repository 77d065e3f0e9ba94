import { NETWORK_COLUMNS, network, uploadNetworks } from '@heliograph/contract/networks/network';
import { SimpleGrid, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../platform/format.ts';
import { useBulkUpload } from '../../resource/bulk-upload.tsx';
import { labelOf } from '../../resource/columns.tsx';
import { fieldsOf } from '../../resource/fields.tsx';
import { useFormState } from '../../resource/form.tsx';
import { ResourceList } from '../../resource/resource-list.tsx';
import { FindNetwork } from './find-network.tsx';
import { NetworkVersions } from './network-versions.tsx';

const Field = fieldsOf(network.create);
const SHOWN_PREFIXES = 6;

/** Field for many prefixes, separated by blanks, commas or lines. */
function PrefixesField() {
  const { t } = useTranslation();
  const form = useFormState();
  const prefixes = (form.values['prefixes'] as string[] | null) ?? [];
  const [text, setText] = useState(() => prefixes.join(' '));
  return (
    <Textarea
      data-field="prefixes"
      label={labelOf(form.name, 'prefixes')}
      description={t('resources.networks.hints.prefixes')}
      error={
        form.errors['prefixes'] ?? Object.entries(form.errors).find(([field]) => field.startsWith('prefixes.'))?.[1]
      }
      autosize
      minRows={3}
      maxRows={12}
      value={text}
      onChange={({ currentTarget: { value } }) => {
        setText(value);
        form.set(
          'prefixes',
          value.split(/[\s,;]+/).filter((each) => each !== ''),
        );
      }}
    />
  );
}

/** Screen of the mobile networks with the first digits of their numbers. */
export function Networks() {
  const { t } = useTranslation();
  const format = useFormat();
  const bulk = useBulkUpload({
    resource: network,
    operation: uploadNetworks,
    title: t('resources.networks.bulk'),
    columns: NETWORK_COLUMNS,
    required: ['prefix'],
    sample: ['PH,515,02,Globe,63917', 'PH,515,03,Smart,63918'],
  });
  return (
    <ResourceList
      resource={network}
      header={{
        actions: (
          <>
            <FindNetwork />
            <NetworkVersions />
            {bulk.button}
          </>
        ),
      }}
      columns={[
        'name',
        'country',
        {
          field: 'mcc',
          title: 'networks.code',
          cell: ({ mcc, mnc }) => (mcc === null ? '–' : `${mcc}-${mnc}`),
          csv: ({ mcc, mnc }) => (mcc === null ? '' : `${mcc}-${mnc}`),
        },
        { field: 'mnc', hidden: true },
        {
          field: 'other_codes',
          hidden: true,
          cell: (row) => row.other_codes.join(' '),
          csv: (row) => row.other_codes.join(' '),
        },
        {
          field: 'prefixes',
          cell: ({ prefixes }) =>
            prefixes.length > SHOWN_PREFIXES
              ? `${prefixes.slice(0, SHOWN_PREFIXES).join(', ')} …`
              : prefixes.join(', '),
          csv: ({ prefixes }) => prefixes.join(' '),
        },
        { field: 'prefixes_count', figure: true, cell: (row) => format.integer(row.prefixes_count) },
        'enabled',
        { field: 'label', hidden: true },
        { field: 'shipped', hidden: true },
        { field: 'created_at', hidden: true },
      ]}
      filters={['country', 'mcc', 'enabled']}
      form={
        <>
          <Field.Text name="name" autoFocus />
          <SimpleGrid cols={{ base: 1, xs: 3 }}>
            <Field.Text name="country" />
            <Field.Text name="mcc" />
            <Field.Text name="mnc" />
          </SimpleGrid>
          <Field.Tags name="other_codes" />
          <PrefixesField />
          <Field.Switch name="enabled" />
        </>
      }
    >
      {bulk.panel}
    </ResourceList>
  );
}
