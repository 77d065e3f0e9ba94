import { listCampaigns } from '@heliograph/contract/campaigns/campaign';
import { Select, Text, TextInput } from '@mantine/core';
import { useDebouncedCallback, useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { useMay } from '../../platform/session.ts';
import { DateRangeInput } from '../../resource/date-input.tsx';
import { useListQuery } from '../../resource/list-query.ts';
import { movedMonths } from './period.ts';
import classes from './report-bar.module.css';

const FIELDS = ['from', 'to', 'number', 'sender_id', 'campaign_id'] as const;

/** What a report is about: its period, and a number, a sender or a campaign. */
export function ReportBar(props: { from: string; to: string; today: string; fault: string | undefined }) {
  const { t } = useTranslation();
  const mayCampaigns = useMay('campaigns-index');
  const query = useListQuery(FIELDS);
  const [range, setRange] = useState<[string | null, string | null]>([props.from, props.to]);
  const [number, setNumber] = useState(query.filters['number'] ?? '');
  const [sender, setSender] = useState(query.filters['sender_id'] ?? '');
  const apply = useDebouncedCallback((patch: Record<string, string>) => query.set(patch), 300);
  return (
    <div className={classes.frame}>
      <div className={classes.bar}>
        <DateRangeInput
          label={t('report.period')}
          clearable={false}
          minDate={movedMonths(props.today, -12)}
          maxDate={props.today}
          error={props.fault && t(`validation.${props.fault}`)}
          value={range}
          onChange={(next) => {
            setRange(next);
            if (next[0] && next[1]) query.set({ from: next[0], to: next[1] });
          }}
        />
        <TextInput
          label={t('resources.messages.fields.number')}
          inputMode="tel"
          maxLength={20}
          value={number}
          onChange={(event) => {
            setNumber(event.currentTarget.value);
            apply({ number: event.currentTarget.value.replace(/[\s\-+().]/g, '') });
          }}
        />
        <TextInput
          label={t('resources.messages.fields.sender_id')}
          maxLength={20}
          value={sender}
          onChange={(event) => {
            setSender(event.currentTarget.value);
            apply({ sender_id: event.currentTarget.value.trim() });
          }}
        />
        {mayCampaigns && (
          <CampaignSelect
            value={query.filters['campaign_id'] ?? null}
            onChange={(value) => query.set({ campaign_id: value ?? undefined })}
          />
        )}
      </div>
      {!props.fault && (
        <Text size="xs" c="dimmed" mt={6}>
          {t('report.period_hint')}
        </Text>
      )}
    </div>
  );
}

/** Chooses a campaign by name, searching on the server while typing. */
function CampaignSelect(props: { value: string | null; onChange: (value: string | null) => void }) {
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
