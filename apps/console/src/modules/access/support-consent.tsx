import {
  giveSupportConsent,
  refuseSupport,
  supportConsent,
  withdrawSupportConsent,
} from '@heliograph/contract/identity/support';
import { Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../platform/action.ts';
import { call } from '../../platform/call.ts';
import { loadCounters } from '../../platform/counters.ts';
import { useFormat } from '../../platform/format.ts';
import { useMay } from '../../platform/session.ts';
import { toast } from '../../platform/toast.ts';
import { Section } from '../../ui/section.tsx';
import { ConsentForm, SupportRequest } from '../identity/index.ts';
import type { UserRow } from './users.tsx';

/** Section with a customer's consent to support: administrators of their corporation give and withdraw it here. */
export function SupportConsent({ row }: { row: UserRow }) {
  const { t } = useTranslation();
  const format = useFormat();
  const client = useQueryClient();
  const mayEdit = useMay(giveSupportConsent.permission);
  const { busy, run } = useAction();
  const params = { id: row.id };
  const query = useQuery({
    queryKey: ['users', row.id, 'support'],
    queryFn: ({ signal }) => call(supportConsent, { params, signal }),
    enabled: row.corporation_id !== null,
  });
  const state = query.data;
  if (!state || (!state.may_give && !state.may_begin && state.until === null)) return null;
  const mayGive = state.may_give && mayEdit;
  const change = (work: () => Promise<{ message?: string | undefined }>) =>
    run(async () => {
      const { message } = await work();
      void toast('success', message ?? '');
      await client.invalidateQueries({ queryKey: ['users', row.id, 'support'] });
      await loadCounters();
    });
  return (
    <Section title={t('support.title')}>
      <Stack gap="sm">
        {mayGive && (
          <Text size="sm" c="dimmed">
            {t('support.text_other')}
          </Text>
        )}
        <Text size="sm" fw={600}>
          {state.until === null ? t('support.none') : t('support.until', { time: format.instant(state.until) })}
        </Text>
        {state.given_by_name !== null && <Text size="sm">{t('support.given_by', { name: state.given_by_name })}</Text>}
        {state.request && (
          <SupportRequest
            request={state.request}
            busy={busy}
            onRefuse={mayGive ? () => void change(() => call(refuseSupport, { params })) : null}
          />
        )}
        {mayGive && (
          <ConsentForm
            busy={busy}
            onGive={(hours) => void change(() => call(giveSupportConsent, { params, body: { hours } }))}
            onWithdraw={state.until === null ? null : () => void change(() => call(withdrawSupportConsent, { params }))}
          />
        )}
      </Stack>
    </Section>
  );
}
