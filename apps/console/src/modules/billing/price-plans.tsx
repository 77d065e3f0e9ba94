import { pricePlan } from '@heliograph/contract/billing/price-plan';
import { currentCard } from '@heliograph/contract/billing/rate-card';
import { IconFileDownload, IconPercentage, IconReceipt2, IconTrendingDown } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { addressOf } from '../../platform/call.ts';
import { openFile } from '../../platform/open-file.ts';
import { useMay } from '../../platform/session.ts';
import { ResourceList } from '../../resource/resource-list.tsx';

const ICON = { size: 16, stroke: 1.6 } as const;

/** Screen of the price plans: the price of a part, the debt allowed to a new account, and the plan's validity. */
export function PricePlans() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const mayRates = useMay('rates-index');
  const mayMargins = useMay('margins-index');
  return (
    <ResourceList
      resource={pricePlan}
      columns={[
        'name',
        { field: 'type', cell: (row) => t(`price_plan_type.${row.type}`) },
        'default_charge',
        'corporation_name',
        'starts_on',
        'expires_on',
        'enabled',
        { field: 'credit_limit', hidden: true },
        { field: 'monthly_plan', hidden: true },
        { field: 'monthly_commitment', hidden: true },
        { field: 'description', hidden: true },
        { field: 'created_at', hidden: true },
      ]}
      filters={['enabled', { field: 'type', words: 'price_plan_type' }]}
      rowActions={(row) => [
        ...(row.abilities.edit
          ? [
              {
                label: t('margin_rule.action'),
                icon: <IconPercentage {...ICON} />,
                onClick: () => void navigate({ to: `/margin-rules/${row.id}` }),
              },
            ]
          : []),
        ...(mayMargins && row.corporation_id === null
          ? [
              {
                label: t('loss.show'),
                icon: <IconTrendingDown {...ICON} />,
                onClick: () => void navigate({ to: '/losses', search: { price_plan_id: String(row.id) } }),
              },
            ]
          : []),
        ...(mayRates
          ? [
              {
                label: t('resources.price-plans.open_rates'),
                icon: <IconReceipt2 {...ICON} />,
                onClick: () => void navigate({ to: '/rates', search: { price_plan_id: String(row.id) } }),
              },
              {
                label: t('rate_card.current'),
                icon: <IconFileDownload {...ICON} />,
                onClick: () => void openFile(addressOf(currentCard, { params: { id: row.id } }), `${row.name}.csv`),
              },
            ]
          : []),
      ]}
    />
  );
}
