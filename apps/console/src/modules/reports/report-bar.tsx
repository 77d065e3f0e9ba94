import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../../platform/session.ts';
import { useListQuery } from '../../resource/list-query.ts';
import type { PeriodFault } from '../../resource/period.ts';
import { PeriodInput } from '../../resource/period-input.tsx';
import { CampaignSelect } from './campaign-select.tsx';

const FIELDS = ['from', 'to', 'number', 'sender_id', 'campaign_id'] as const;

/** Filters of a report: its period, and a number, a sender or a campaign. */
export function ReportBar(props: { from: string; to: string; today: string; fault: PeriodFault | undefined }) {
  const { t } = useTranslation();
  const mayCampaigns = useMay('campaigns-index');
  const query = useListQuery(FIELDS);
  const [number, setNumber] = useState(query.filters['number'] ?? '');
  const [sender, setSender] = useState(query.filters['sender_id'] ?? '');
  const apply = useDebouncedCallback((patch: Record<string, string>) => query.set(patch), 300);
  return (
    <>
      <PeriodInput
        today={props.today}
        fault={props.fault}
        value={[props.from, props.to]}
        onChange={([from, to]) => query.set({ from, to })}
      />
      <TextInput
        w={{ base: 'calc(50% - 4px)', xs: 150 }}
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
        w={{ base: 'calc(50% - 4px)', xs: 130 }}
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
    </>
  );
}
