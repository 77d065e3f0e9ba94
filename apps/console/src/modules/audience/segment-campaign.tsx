import { listCampaigns } from '@heliograph/contract/campaigns/campaign';
import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { useMay } from '../../platform/session.ts';

/** Select for a campaign of the corporation; none is any. With a label it looks as fields of forms do. */
export function CampaignSelect(props: {
  corporationId: number;
  label?: string;
  value: number | null;
  error: ReactNode;
  onChange: (value: number | null) => void;
}) {
  const { t } = useTranslation();
  const may = useMay('campaigns-index');
  const [search, setSearch] = useState('');
  const [wanted] = useDebouncedValue(search.trim(), 250);
  const { corporationId, value } = props;
  const query = { corporation_id: corporationId, per_page: 50, sort: '-created_at' as const };
  const list = useQuery({
    queryKey: ['campaigns', 'for-segments', corporationId, wanted],
    queryFn: ({ signal }) => call(listCampaigns, { query: { ...query, ...(wanted && { search: wanted }) }, signal }),
    enabled: may,
    placeholderData: keepPreviousData,
  });
  const found = (list.data?.data ?? []).map(({ id, name }) => ({ value: String(id), label: name }));
  if (value !== null && !found.some((each) => each.value === String(value)))
    found.unshift({ value: String(value), label: `#${value}` });
  return (
    <Select
      {...(props.label === undefined ? { size: 'xs', 'aria-label': t('segments.campaign') } : { label: props.label })}
      searchable
      clearable
      placeholder={t('segments.campaign_any')}
      nothingFoundMessage={t('form.nothing_found')}
      data={found}
      filter={({ options }) => options}
      onSearchChange={setSearch}
      value={value === null ? null : String(value)}
      error={props.error}
      onChange={(next) => props.onChange(next === null ? null : Number(next))}
    />
  );
}
