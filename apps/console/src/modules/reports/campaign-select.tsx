import { listCampaigns } from '@heliograph/contract/campaigns/campaign';
import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';

/** Select for a campaign by name. It searches on the server while the user types. */
export function CampaignSelect(props: { value: string | null; onChange: (value: string | null) => void }) {
  const { t } = useTranslation();
  const [search, setSearch] = useState('');
  const [opened, setOpened] = useState(false);
  const [names, setNames] = useState<Record<string, string>>({});
  const [wanted] = useDebouncedValue(search.trim(), 200);
  const chosen = props.value === null ? undefined : names[props.value];
  const list = useQuery({
    queryKey: ['campaigns', 'choice', wanted],
    queryFn: async ({ signal }) => {
      const reply = await call(listCampaigns, {
        query: { per_page: 20, sort: '-created_at', ...(wanted && wanted !== chosen ? { search: wanted } : {}) },
        signal,
      });
      setNames((known) => ({ ...known, ...Object.fromEntries(reply.data.map((row) => [row.id, row.name])) }));
      return reply;
    },
    enabled: opened || props.value !== null,
    placeholderData: keepPreviousData,
  });
  const choices = (list.data?.data ?? []).map((row) => ({ value: String(row.id), label: row.name }));
  if (props.value !== null && !choices.some(({ value }) => value === props.value))
    choices.unshift({ value: props.value, label: chosen ?? `#${props.value}` });
  return (
    <Select
      label={t('resources.campaigns.one')}
      placeholder={t('common.all')}
      searchable
      clearable
      data={choices}
      filter={({ options }) => options}
      nothingFoundMessage={t(list.isFetching ? 'common.loading' : 'form.nothing_found')}
      searchValue={search}
      onSearchChange={setSearch}
      onDropdownOpen={() => setOpened(true)}
      value={props.value}
      onChange={props.onChange}
    />
  );
}
