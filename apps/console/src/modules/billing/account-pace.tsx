import { accountPace } from '@heliograph/contract/billing/account-statement';
import { Alert, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { sentenceOf } from '../../platform/problem.ts';
import { Section } from '../../ui/section.tsx';
import { TimeChart } from '../../ui/time-chart.tsx';
import type { Account } from './account-state.tsx';

/** Section with the charges of the last days, and how long the credit lasts at their pace. */
export function AccountPace({ account }: { account: Account }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { data, error } = useQuery({
    queryKey: ['billing-accounts', 'pace', account.id, account.credit_balance],
    queryFn: ({ signal }) => call(accountPace, { params: { id: account.id }, signal }),
    placeholderData: (previous) => previous,
  });
  const money = (value: number) => format.money(value.toFixed(2), account.currency);
  const title = t('account_pace.title');
  return (
    <Section title={title}>
      {error && !data ? (
        <Alert color="red" variant="light">
          {sentenceOf(error)}
        </Alert>
      ) : !data ? (
        <Skeleton h={210} />
      ) : (
        <>
          <div>
            <Text fw={600}>
              {data.days_left === null
                ? t('account_pace.no_charges')
                : t('account_pace.lasts', {
                    count: data.days_left,
                    replace: { count: format.integer(data.days_left) },
                  })}
            </Text>
            {data.per_day !== null && (
              <Text size="sm" c="dimmed">
                {t('account_pace.how', {
                  amount: format.money(data.per_day, account.currency),
                  available: format.money(data.available, account.currency),
                })}
              </Text>
            )}
          </div>
          <TimeChart
            label={title}
            kind="bars"
            height={150}
            series={[{ key: 'charged', label: t('account_lines.charged'), color: 'var(--app-chart-1)' }]}
            points={data.days.map(({ date, charged }, i) => ({
              key: date,
              label: format.date(date, 'day'),
              title: format.date(date),
              values: { charged: Number(charged) },
              open: i === data.days.length - 1,
            }))}
            format={money}
            table={{ summary: t('summary.table'), when: t('dashboard.day') }}
          />
        </>
      )}
    </Section>
  );
}
