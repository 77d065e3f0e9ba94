import { pricePlan } from '@heliograph/contract/billing/price-plan';
import { createPromotion, endPromotion, promotions } from '@heliograph/contract/billing/promotion';
import { network } from '@heliograph/contract/networks/network';
import { corporation } from '@heliograph/contract/organizations/corporation';
import { Badge, Button, SimpleGrid, Text } from '@mantine/core';
import { IconDiscount, IconPlayerStop } from '@tabler/icons-react';
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

type Promotion = RowOf<typeof promotions>;

const ICON = { size: 16, stroke: 1.6, 'aria-hidden': true } as const;
const NAME = 'promotions';
const COLORS: Readonly<Record<Promotion['state'], string>> = { planned: 'blue', running: 'teal', over: 'gray' };
const Field = fieldsOf(createPromotion.body);

/** Screen of the promotions of the caller's price plans, newest first. */
export function Promotions() {
  const { t } = useTranslation();
  const format = useFormat();
  const client = useQueryClient();
  const [adding, setAdding] = useState(false);
  const mayCreate = useMay(createPromotion.permission);
  const mayEnd = useMay(endPromotion.permission);
  const create = mayCreate && (
    <Button leftSection={<IconDiscount {...ICON} />} onClick={() => setAdding(true)}>
      {t('promotion.new')}
    </Button>
  );

  async function end({ id, name }: Promotion) {
    try {
      await call(endPromotion, { params: { id } });
      await client.invalidateQueries({ queryKey: [NAME] });
      void toast('success', t('promotion.ended', { name }));
    } catch (error) {
      void toast('error', sentenceOf(error));
    }
  }

  const discount = (row: Promotion) =>
    row.percent === null
      ? t('promotion.at', { price: format.money(row.price ?? '0', row.currency) })
      : t('promotion.off', { percent: format.decimal(row.percent) });
  return (
    <CursorList<typeof promotions, Promotion>
      name={NAME}
      operation={promotions}
      title="name"
      header={{ subtitle: t('resources.promotions.empty'), actions: create }}
      columns={[
        'name',
        {
          field: 'state',
          cell: (row) => (
            <Badge variant="light" size="sm" color={COLORS[row.state]}>
              {t(`promotion.state.${row.state}`)}
            </Badge>
          ),
        },
        'price_plan_name',
        { field: 'percent', title: 'promotion.discount', cell: discount },
        'starts_on',
        'ends_on',
        { field: 'networks', cell: numbersOf(t('promotion.all_numbers')) },
        {
          field: 'corporation_names',
          cell: (row) => row.corporation_names.join(', ') || t('promotion.everybody'),
        },
        { field: 'timezone', hidden: true },
        { field: 'ended_at', hidden: true },
        { field: 'user_name', hidden: true },
        { field: 'created_at', hidden: true },
      ]}
      filters={[
        { field: 'price_plan_id', to: pricePlan },
        { field: 'state', words: 'promotion.state' },
      ]}
      rowActions={(row) =>
        mayEnd && row.state !== 'over'
          ? [
              {
                label: t('promotion.end'),
                icon: <IconPlayerStop {...ICON} />,
                danger: true,
                onClick: () =>
                  openDialog({
                    title: t('promotion.end'),
                    text: t('promotion.end_text', { name: row.name }),
                    confirm: t('promotion.end'),
                    danger: true,
                    onConfirm: () => end(row),
                  }),
              },
            ]
          : []
      }
      empty={<EmptyState of={NAME} learn title={t('promotion.none')} action={create} />}
    >
      {adding && <NewPromotion onClose={() => setAdding(false)} />}
    </CursorList>
  );
}

/** Returns the cell of the numbers that a promotion fits: its networks, else its prefixes. */
const numbersOf = (all: string) => (row: Promotion) => row.networks || row.prefixes.slice(0, 5).join(', ') || all;

function NewPromotion({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const mayNetworks = useMay(network.permissions.index);
  return (
    <FormDrawer title={t('promotion.new')} onClose={onClose}>
      <RecordForm
        name={NAME}
        schema={createPromotion.body}
        initial={{
          name: '',
          price_plan_id: null,
          percent: null,
          price: null,
          starts_on: null,
          ends_on: null,
          network_ids: [],
          prefixes: [],
          corporation_ids: [],
        }}
        submitLabel={t('promotion.create')}
        onCancel={onClose}
        submit={async (values) => {
          await request(createPromotion, { body: values });
          await client.invalidateQueries({ queryKey: [NAME] });
          void toast('success', t('promotion.created', { name: String(values['name']) }));
          onClose();
        }}
      >
        <Text size="sm" c="dimmed">
          {t('promotion.about')}
        </Text>
        <Field.Text name="name" autoFocus />
        <Field.Reference name="price_plan_id" to={pricePlan} />
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <Field.Text name="percent" />
          <Field.Money name="price" />
          <Field.Date name="starts_on" />
          <Field.Date name="ends_on" />
        </SimpleGrid>
        {mayNetworks && <Field.References name="network_ids" to={network} />}
        <Field.Tags name="prefixes" />
        <Field.References name="corporation_ids" to={corporation} />
      </RecordForm>
    </FormDrawer>
  );
}
