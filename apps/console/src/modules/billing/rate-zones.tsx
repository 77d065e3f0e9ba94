import { rateZone } from '@heliograph/contract/billing/rate-zone';
import { IconReceipt2 } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useMay } from '../../platform/session.ts';
import { fieldsOf } from '../../resource/fields.tsx';
import { useFormState } from '../../resource/form.tsx';
import { ResourceList } from '../../resource/resource-list.tsx';

const Field = fieldsOf(rateZone.create);

/** Screen of the rate zones: the channels by which a message can enter, each with its own prices. */
export function RateZones() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const mayRates = useMay('rates-index');
  return (
    <ResourceList
      resource={rateZone}
      header={{ subtitle: t('resources.rate-zones.subtitle') }}
      columns={['name', 'built_in', 'enabled', 'created_at']}
      filters={['enabled']}
      form={<RateZoneFields />}
      rowActions={(row) =>
        mayRates
          ? [
              {
                label: t('resources.price-plans.open_rates'),
                icon: <IconReceipt2 size={16} stroke={1.6} />,
                onClick: () => void navigate({ to: '/rates', search: { rate_zone_id: String(row.id) } }),
              },
            ]
          : []
      }
    />
  );
}

function RateZoneFields() {
  const builtIn = useFormState().row?.['built_in'] === true;
  return (
    <>
      <Field.Text name="name" autoFocus={!builtIn} disabled={builtIn} />
      <Field.Switch name="enabled" />
    </>
  );
}
