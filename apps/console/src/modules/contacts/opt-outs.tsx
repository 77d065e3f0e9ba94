import { exportOptOuts } from '@heliograph/contract/contacts/list-job';
import { OPT_OUT_COLUMNS, optOut, uploadOptOuts } from '@heliograph/contract/contacts/opt-out';
import { corporation } from '@heliograph/contract/organizations/corporation';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { useMay } from '../../platform/session.ts';
import { askForFile } from '../../resource/ask-for-file.ts';
import { useBulkUpload } from '../../resource/bulk-upload.tsx';
import { fieldsOf } from '../../resource/fields.tsx';
import { ResourceList } from '../../resource/resource-list.tsx';

const Field = fieldsOf(optOut.create);

/** Screen of the people who opted out, and the source of each opt-out. */
export function OptOuts() {
  const { t } = useTranslation();
  const mayExport = useMay(exportOptOuts.permission ?? '');
  const bulk = useBulkUpload({
    resource: optOut,
    operation: uploadOptOuts,
    title: t('resources.opt-outs.bulk'),
    columns: OPT_OUT_COLUMNS,
    required: ['number'],
    sample: ['639171234567,2026-05-31,', '639181234567,,STOP'],
    children: <Field.Reference name="corporation_id" to={corporation} />,
  });
  return (
    <ResourceList
      resource={optOut}
      header={{ actions: bulk.button }}
      columns={[
        'number',
        'corporation_name',
        {
          field: 'source',
          cell: (row) => t(`opt_out_source.${row.source}`),
          csv: (row) => t(`opt_out_source.${row.source}`),
        },
        'opted_out_at',
        'message',
        'recipient',
        'note',
        'user_name',
        'active',
        'ended_at',
      ]}
      filters={[{ field: 'corporation_id', to: corporation }, { field: 'source', words: 'opt_out_source' }, 'active']}
      {...(mayExport ? { onExport: () => askForFile(() => call(exportOptOuts)) } : {})}
      form={
        <>
          <Field.Reference name="corporation_id" to={corporation} />
          <Field.Text name="number" type="tel" autoFocus />
          <Field.Text name="note" />
        </>
      }
    >
      {bulk.panel}
    </ResourceList>
  );
}
