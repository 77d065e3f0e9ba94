import { billingAccount } from '@heliograph/contract/billing/billing-account';
import { pricePlan } from '@heliograph/contract/billing/price-plan';
import { createVolumeDiscount, endVolumeDiscount, volumeDiscounts } from '@heliograph/contract/billing/volume-discount';
import { Badge, Button, SimpleGrid, Text } from '@mantine/core';
import { IconPlayerStop, IconStairsUp } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call, request } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { sentenceOf } from '../../platform/problem.ts';
import { useMay } from '../../platform/session.ts';
import { toast } from '../../platform/toast.ts';
import type { RowOf } from '../../resource/columns.tsx';
import { CursorList } from '../../resource/cursor-list.tsx';
import { fieldsOf } from '../../resource/fields.tsx';
import { RecordForm } from '../../resource/form.tsx';
import { openDialog } from '../../ui/dialogs.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FormDrawer } from '../../ui/form-frame.tsx';
import { TiersField, useTierText } from './volume-tiers.tsx';

type Discount = RowOf<typeof volumeDiscounts>;

const ICON = { size: 16, stroke: 1.6, 'aria-hidden': true } as const;
const NAME = 'volume-discounts';
const COLORS: Readonly<Record<Discount['state'], string>> = { planned: 'blue', running: 'teal', over: 'gray' };
const Field = fieldsOf(createVolumeDiscount.body);
/** Months that a new discount can begin or end with. */
const CHOICES = 24;

/** Screen of the volume discounts that the caller grants, newest first. */
export function VolumeDiscounts() {
  const { t } = useTranslation();
  const format = useFormat();
  const client = useQueryClient();
  const tierText = useTierText();
  const [adding, setAdding] = useState(false);
  const mayCreate = useMay(createVolumeDiscount.permission);
  const mayEnd = useMay(endVolumeDiscount.permission);
  const create = mayCreate && (
    <Button leftSection={<IconStairsUp {...ICON} />} onClick={() => setAdding(true)}>
      {t('volume_discount.new')}
    </Button>
  );

  async function end({ id, name }: Discount) {
    try {
      await call(endVolumeDiscount, { params: { id } });
      await client.invalidateQueries({ queryKey: [NAME] });
      void toast('success', t('volume_discount.ended', { name }));
    } catch (error) {
      void toast('error', sentenceOf(error));
    }
  }

  return (
    <CursorList<typeof volumeDiscounts, Discount>
      name={NAME}
      operation={volumeDiscounts}
      title="name"
      header={{ subtitle: t('resources.volume-discounts.empty'), actions: create }}
      columns={[
        'name',
        {
          field: 'state',
          cell: (row) => (
            <Badge variant="light" size="sm" color={COLORS[row.state]}>
              {t(`volume_discount.state.${row.state}`)}
            </Badge>
          ),
        },
        'price_plan_name',
        'billing_account_name',
        {
          field: 'tiers',
          // One line for each tier, so that the other columns keep their room.
          cell: (row) => (
            <Text span inherit style={{ whiteSpace: 'pre' }}>
              {tierText(row, row.currency).replaceAll(' · ', '\n')}
            </Text>
          ),
        },
        { field: 'applies', cell: (row) => t(`volume_discount.applies.${row.applies}`) },
        { field: 'first_month', cell: (row) => format.month(row.first_month) },
        {
          field: 'last_month',
          cell: (row) => (row.last_month === null ? t('volume_discount.no_end') : format.month(row.last_month)),
        },
        { field: 'measure', cell: (row) => t(`volume_discount.measure.${row.measure}`), hidden: true },
        { field: 'user_name', hidden: true },
        { field: 'created_at', hidden: true },
      ]}
      filters={[
        { field: 'price_plan_id', to: pricePlan },
        { field: 'billing_account_id', to: billingAccount },
        { field: 'state', words: 'volume_discount.state' },
      ]}
      rowActions={(row) =>
        mayEnd && row.state !== 'over'
          ? [
              {
                label: t('volume_discount.end'),
                icon: <IconPlayerStop {...ICON} />,
                danger: true,
                onClick: () =>
                  openDialog({
                    title: t('volume_discount.end'),
                    text: t('volume_discount.end_text', { name: row.name }),
                    confirm: t('volume_discount.end'),
                    danger: true,
                    onConfirm: () => end(row),
                  }),
              },
            ]
          : []
      }
      empty={<EmptyState of={NAME} learn title={t('volume_discount.none')} action={create} />}
    >
      {adding && <NewDiscount onClose={() => setAdding(false)} />}
    </CursorList>
  );
}

function NewDiscount({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const now = new Date();
  const months = Array.from({ length: CHOICES }, (_, place) =>
    new Date(Date.UTC(now.getFullYear(), now.getMonth() + place)).toISOString().slice(0, 7),
  );
  return (
    <FormDrawer title={t('volume_discount.new')} onClose={onClose}>
      <RecordForm
        name={NAME}
        schema={createVolumeDiscount.body}
        initial={{
          name: '',
          price_plan_id: null,
          billing_account_id: null,
          measure: 'parts',
          applies: 'all',
          tiers: [{ from: '', percent: '' }],
          first_month: months[0]!,
          last_month: null,
        }}
        submitLabel={t('volume_discount.create')}
        onCancel={onClose}
        submit={async (values) => {
          await request(createVolumeDiscount, { body: values });
          await client.invalidateQueries({ queryKey: [NAME] });
          void toast('success', t('volume_discount.created', { name: String(values['name']) }));
          onClose();
        }}
      >
        <Text size="sm" c="dimmed">
          {t('volume_discount.about')}
        </Text>
        <Field.Text name="name" autoFocus />
        <Field.Reference name="price_plan_id" to={pricePlan} />
        <Field.Reference name="billing_account_id" to={billingAccount} />
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <Field.Select name="measure" words="volume_discount.measure" />
          <Field.Select name="applies" words="volume_discount.applies" />
        </SimpleGrid>
        <TiersField />
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <Field.Select name="first_month" options={months} />
          <Field.Select name="last_month" options={months} />
        </SimpleGrid>
      </RecordForm>
    </FormDrawer>
  );
}
