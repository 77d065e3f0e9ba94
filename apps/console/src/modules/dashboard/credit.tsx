import { runway } from '@heliograph/contract/dashboard/runway';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { useMay } from '../../platform/session.ts';
import { Link } from '../../ui/link.tsx';
import { Section } from '../../ui/section.tsx';
import classes from './dashboard.module.css';

type Account = ReplyOf<typeof runway>['own'][number];
/** Days of credit from which an account is not marked any more. */
const SAFE_DAYS = 7;

/** Reads how long credit lasts, if the user may see accounts. */
export function useRunway() {
  const may = useMay('billing-accounts-index');
  return useQuery({
    queryKey: ['billing-accounts', 'runway'],
    queryFn: ({ signal }) => call(runway, { signal }),
    enabled: may,
    refetchInterval: 60_000,
  }).data;
}

/** Days for which the credit of an account lasts, in words. */
function Left({ account }: { account: Account }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { days_left, per_day, currency } = account;
  if (days_left === null) return <>{t('credit.no_pace')}</>;
  const color = days_left < SAFE_DAYS ? 'var(--app-bad)' : undefined;
  return (
    <>
      <span style={{ color, fontWeight: color ? 500 : undefined }}>
        {days_left === 0
          ? t('credit.used_up')
          : t('credit.days', { count: days_left, replace: { count: format.integer(days_left) } })}
      </span>
      {per_day !== null && ` · ${t('credit.per_day', { amount: format.money(per_day, currency) })}`}
    </>
  );
}

/** Balances of the caller's own accounts, and for how long they last. */
export function OwnCredit(props: { title: string; accounts: readonly Account[] }) {
  const format = useFormat();
  const mayOpen = useMay('credit-changes-index');
  if (props.accounts.length === 0) return null;
  return (
    <Section title={props.title}>
      <Stack gap="sm">
        {props.accounts.map((account) => (
          <div key={account.id}>
            <Text size="xs" c="dimmed">
              {account.name}
            </Text>
            <Text
              className={classes.balance!}
              c={account.credit_balance.startsWith('-') ? 'var(--app-bad)' : undefined!}
            >
              {mayOpen ? (
                <Link to="/credit-changes" className={classes.plain!}>
                  {format.money(account.credit_balance, account.currency)}
                </Link>
              ) : (
                format.money(account.credit_balance, account.currency)
              )}
            </Text>
            <Text size="sm" c="dimmed">
              <Left account={account} />
            </Text>
          </div>
        ))}
      </Stack>
    </Section>
  );
}

/** Customers whose credit is low, those with the fewest days first. */
export function LowCredit({ data }: { data: ReplyOf<typeof runway> | undefined }) {
  const { t } = useTranslation();
  const format = useFormat();
  const mayPay = useMay('billing-accounts-payment');
  const { low = [], low_count = 0 } = data ?? {};
  return (
    <Section title={t('credit.low')}>
      {low.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('credit.none')}
        </Text>
      ) : (
        <ul className={classes.lines}>
          {low.map((account) => (
            <li key={account.id}>
              <div style={{ minWidth: 0 }}>
                <Anchor
                  component={Link}
                  to="/billing-accounts"
                  search={{ search: account.name }}
                  size="sm"
                  fw={500}
                  truncate
                  display="block"
                >
                  {account.corporation_name}
                </Anchor>
                <Text size="xs" c="dimmed">
                  <Left account={account} />
                </Text>
              </div>
              <Group gap="xs" wrap="nowrap">
                <Text size="sm" fw={500} style={{ whiteSpace: 'nowrap' }}>
                  {format.money(account.credit_balance, account.currency)}
                </Text>
                {mayPay && (
                  <Button
                    component={Link}
                    to="/billing-accounts"
                    search={{ search: account.name }}
                    size="compact-xs"
                    variant="default"
                  >
                    {t('credit.pay')}
                  </Button>
                )}
              </Group>
            </li>
          ))}
        </ul>
      )}
      {low_count > low.length && (
        <Text size="xs" c="dimmed">
          {t('credit.more', { count: low_count - low.length })}
        </Text>
      )}
    </Section>
  );
}
