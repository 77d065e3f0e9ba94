import {
  carrierInvoices,
  deleteCarrierInvoice,
  INVOICE_COLUMNS,
  uploadCarrierInvoice,
} from '@heliograph/contract/carrier-invoices/carrier-invoice';
import { TIME_ZONES } from '@heliograph/contract/kernel/time-zones';
import { link } from '@heliograph/contract/links/link';
import { IconTrash } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { sentenceOf } from '../../platform/problem.ts';
import { useMay, useSession } from '../../platform/session.ts';
import { toast } from '../../platform/toast.ts';
import { useBulkUpload } from '../../resource/bulk-upload.tsx';
import type { RowOf } from '../../resource/columns.tsx';
import { CursorList } from '../../resource/cursor-list.tsx';
import { fieldsOf } from '../../resource/fields.tsx';
import { noneYet } from '../../resource/none-yet.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { CostText } from './cost-text.tsx';

type Row = RowOf<typeof carrierInvoices>;

const Field = fieldsOf(uploadCarrierInvoice.query);
const NAME = 'carrier-invoices';
const SAMPLE = ['8f21c0,2026-05-01,Globe,1,0.0123,DELIVRD', '8f21c1,2026-05-01,Smart,1,0.0119,UNDELIV'];

/** Number of differences of a comparison. */
const differencesOf = ({ sum_differences, message_differences }: Row) =>
  [...sum_differences, ...message_differences].reduce((sum, { lines }) => sum + lines, 0);

/** Screen of carriers' invoices and lists of messages, compared with the traffic that was recorded. */
export function CarrierInvoices() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const mayDelete = useMay('carrier-invoices-delete');
  const zone = useSession((s) => s.corporationTimeZone) || 'UTC';
  const bulk = useBulkUpload({
    resource: { name: NAME, create: uploadCarrierInvoice.query },
    operation: uploadCarrierInvoice,
    title: t('invoice.upload'),
    columns: INVOICE_COLUMNS,
    required: [],
    hint: t('invoice.header'),
    preset: { timezone: zone },
    sample: SAMPLE,
    sampleColumns: ['message_id', 'day', 'network', 'parts', 'amount', 'state'],
    children: (
      <>
        <Field.Reference name="link_id" to={link} />
        <Field.Text name="currency" />
        <Field.Date name="from" />
        <Field.Date name="to" />
        <Field.Select name="timezone" options={TIME_ZONES} />
        <Field.Select name="id_form" words="invoice_id_form" />
        <Field.Text name="tolerance" />
        <Field.Text name="columns" />
      </>
    ),
  });

  async function remove(id: number) {
    try {
      await call(deleteCarrierInvoice, { params: { id } });
      await client.invalidateQueries({ queryKey: [NAME] });
    } catch (error) {
      void toast('error', sentenceOf(error));
    }
  }

  return (
    <CursorList<typeof carrierInvoices, Row>
      name={NAME}
      operation={carrierInvoices}
      title="file_name"
      header={{ subtitle: t('invoice.subtitle'), actions: bulk.button }}
      columns={[
        'file_name',
        'link_name',
        'from',
        'to',
        'carrier_parts',
        'own_parts',
        {
          field: 'carrier_amount',
          figure: true,
          cell: (row) => <CostText value={row.carrier_amount} currency={row.currency} />,
        },
        {
          field: 'own_amount',
          figure: true,
          cell: (row) => <CostText value={row.own_amount} currency={row.currency} />,
        },
        {
          field: 'sum_differences',
          title: 'invoice.differences',
          figure: true,
          cell: differencesOf,
          csv: differencesOf,
        },
        { field: 'own_unknown', hidden: true },
        { field: 'user_name', hidden: true },
        { field: 'created_at', hidden: true },
      ]}
      filters={[{ field: 'link_id', to: link }]}
      rowTo={(row) => `/carrier-invoices/${row.id}`}
      rowActions={(row) =>
        mayDelete
          ? [
              {
                label: t('actions.delete'),
                icon: <IconTrash size={16} stroke={1.6} aria-hidden />,
                onClick: () => void remove(row.id),
              },
            ]
          : []
      }
      empty={<EmptyState of={NAME} learn title={noneYet(NAME)} text={t('resources.carrier-invoices.empty')} />}
    >
      {bulk.panel}
    </CursorList>
  );
}
