import { pricePlan } from '@heliograph/contract/billing/price-plan';
import { rate } from '@heliograph/contract/billing/rate';
import { currentCard } from '@heliograph/contract/billing/rate-card';
import { rateZone } from '@heliograph/contract/billing/rate-zone';
import { Button, SimpleGrid } from '@mantine/core';
import { IconFileDownload, IconUpload } from '@tabler/icons-react';
import { useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { addressOf } from '../../platform/call.ts';
import { openFile } from '../../platform/open-file.ts';
import { useMay, useSession } from '../../platform/session.ts';
import { fieldsOf } from '../../resource/fields.tsx';
import { todayIn } from '../../resource/period.ts';
import { ResourceList } from '../../resource/resource-list.tsx';
import { CardUpload } from './card-upload.tsx';

const Field = fieldsOf(rate.create);
const ICON = { size: 16, stroke: 1.6 } as const;

/** Screen of the rates: the price of a part by plan, zone and prefix. A card upload adds many together. */
export function Rates() {
  const { t } = useTranslation();
  const zone = useSession((s) => s.corporationTimeZone) || 'UTC';
  const mayUpload = useMay('rates-upload');
  const [uploading, setUploading] = useState(false);
  const search = useSearch({ strict: false }) as Record<string, string | undefined>;
  const planId = Number(search['price_plan_id']) || null;
  const zoneId = Number(search['rate_zone_id']) || null;
  const preset = useMemo(
    () => ({ price_plan_id: planId, rate_zone_id: zoneId, starts_on: todayIn(zone) }),
    [planId, zoneId, zone],
  );
  return (
    <ResourceList
      resource={rate}
      preset={preset}
      header={{
        subtitle: t('resources.rates.subtitle'),
        actions: (
          <>
            {planId !== null && (
              <Button
                variant="default"
                leftSection={<IconFileDownload {...ICON} />}
                onClick={() => void openFile(addressOf(currentCard, { params: { id: planId } }), `rates-${planId}.csv`)}
              >
                {t('rate_card.current')}
              </Button>
            )}
            {mayUpload && !uploading && (
              <Button variant="default" leftSection={<IconUpload {...ICON} />} onClick={() => setUploading(true)}>
                {t('rate_card.title')}
              </Button>
            )}
          </>
        ),
      }}
      columns={[
        'price_plan_name',
        'rate_zone_name',
        'prefix',
        'charge',
        'starts_on',
        'ends_on',
        'enabled',
        { field: 'created_at', hidden: true },
      ]}
      filters={[
        { field: 'price_plan_id', to: pricePlan },
        { field: 'rate_zone_id', to: rateZone },
        'prefix',
        'in_force_on',
        'enabled',
      ]}
      form={
        <>
          <Field.Reference name="price_plan_id" to={pricePlan} />
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <Field.Reference name="rate_zone_id" to={rateZone} />
            <Field.Text name="prefix" type="tel" />
          </SimpleGrid>
          <Field.Money name="charge" />
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <Field.Date name="starts_on" />
            <Field.Date name="ends_on" />
          </SimpleGrid>
          <Field.Switch name="enabled" />
        </>
      }
    >
      {uploading && <CardUpload planId={planId} onClose={() => setUploading(false)} />}
    </ResourceList>
  );
}
