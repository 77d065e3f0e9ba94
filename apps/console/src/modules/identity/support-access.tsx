import {
  giveOwnSupportConsent,
  ownSupportConsent,
  refuseOwnSupport,
  withdrawOwnSupportConsent,
} from '@heliograph/contract/identity/support';
import { Skeleton, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../platform/action.ts';
import { call } from '../../platform/call.ts';
import { loadCounters } from '../../platform/counters.ts';
import { useFormat } from '../../platform/format.ts';
import { useSession } from '../../platform/session.ts';
import { toast } from '../../platform/toast.ts';
import { Section } from '../../ui/section.tsx';
import { ConsentForm, SupportRequest } from './consent-form.tsx';

/** Section in which people let support see their console for some hours. The platform's own people have none. */
export function SupportAccess() {
  const { t } = useTranslation();
  const format = useFormat();
  const client = useQueryClient();
  const isCustomer = useSession((s) => s.profile?.corporation_id != null);
  const { busy, run } = useAction();
  const query = useQuery({
    queryKey: ['identity', 'support'],
    queryFn: ({ signal }) => call(ownSupportConsent, { signal }),
    enabled: isCustomer,
  });
  if (!isCustomer) return null;
  const state = query.data;
  const change = (work: () => Promise<{ message?: string | undefined }>) =>
    run(async () => {
      const { message } = await work();
      void toast('success', message ?? '');
      await client.invalidateQueries({ queryKey: ['identity'] });
      await loadCounters();
    });
  return (
    <Section title={t('support.title')}>
      {!state && <Skeleton h={60} radius="md" />}
      {state && (
        <Stack gap="sm">
          <Text size="sm" c="dimmed">
            {t('support.text')}
          </Text>
          {state.until !== null && (
            <Text size="sm" fw={600}>
              {t('support.until', { time: format.instant(state.until) })}
            </Text>
          )}
          {state.request && (
            <SupportRequest
              request={state.request}
              busy={busy}
              onRefuse={() => void change(() => call(refuseOwnSupport))}
            />
          )}
          {!state.may_give && state.until === null && (
            <Text size="sm">
              {t(state.allowed === 'nobody' ? 'errors.support_not_allowed' : 'errors.support_by_administrator')}
            </Text>
          )}
          <ConsentForm
            busy={busy}
            onGive={
              state.may_give ? (hours) => void change(() => call(giveOwnSupportConsent, { body: { hours } })) : null
            }
            onWithdraw={state.until === null ? null : () => void change(() => call(withdrawOwnSupportConsent))}
          />
        </Stack>
      )}
    </Section>
  );
}
