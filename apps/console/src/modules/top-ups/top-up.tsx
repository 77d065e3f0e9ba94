import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { checkTopUp, getTopUp } from '@heliograph/contract/top-ups/top-up';
import { Alert, Button, Group, Paper, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconArrowBackUp, IconExternalLink } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { readAgain } from '../../platform/queries.ts';
import { useMay } from '../../platform/session.ts';
import { Cell, labelOf } from '../../resource/columns.tsx';
import { OneRecord } from '../../resource/one-record.tsx';
import { Fact } from '../../ui/fact.tsx';
import { Link } from '../../ui/link.tsx';
import { PageActions } from '../../ui/page-actions.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { BankTransfer } from './bank-transfer.tsx';
import { RefundTopUp } from './refund-top-up.tsx';
import { Returns } from './returns.tsx';
import { TopUpState } from './top-up-state.tsx';

export type TopUp = ReplyOf<typeof getTopUp>['data'];

const ICON = { size: 16, stroke: 1.6, 'aria-hidden': true } as const;
const OPEN_MS = 2_000;
const isOpen = ({ state }: Pick<TopUp, 'state'>) => state === 'created' || state === 'awaiting_payment';

/** Page of one top-up, to which the provider's page returns. It follows the state by itself. */
export function TopUpPage() {
  const { t } = useTranslation();
  return (
    <OneRecord
      name="top-ups"
      operation={getTopUp}
      notFound={t('top_up.not_found')}
      refreshEvery={(row) => (row && isOpen(row) ? OPEN_MS : false)}
    >
      {(row) => <Loaded topUp={row} />}
    </OneRecord>
  );
}

function Loaded({ topUp }: { topUp: TopUp }) {
  const { t } = useTranslation();
  const [returning, setReturning] = useState<'refund' | 'chargeback' | null>(null);
  const mayCheck = useMay(checkTopUp.permission);
  const open = isOpen(topUp) && topUp.driver !== 'bank_transfer';
  const { id, state } = topUp;
  // The notice of the provider may be late: the person has just come from its page.
  useEffect(() => {
    if (!open || !mayCheck) return;
    const ask = () => void call(checkTopUp, { params: { id } }).catch(() => undefined);
    ask();
    const timer = setInterval(ask, 3 * OPEN_MS);
    return () => clearInterval(timer);
  }, [id, open, mayCheck]);
  useEffect(() => {
    if (state === 'paid') void readAgain(['billing-accounts']);
  }, [state]);
  const actions = [
    ...(topUp.may.refund
      ? [
          {
            label: t('top_up.refund'),
            icon: <IconArrowBackUp {...ICON} />,
            danger: true,
            onClick: () => setReturning('refund'),
          },
        ]
      : []),
    ...(topUp.may.charge_back
      ? [
          {
            label: t('top_up.charge_back'),
            icon: <IconArrowBackUp {...ICON} />,
            danger: true,
            onClick: () => setReturning('chargeback'),
          },
        ]
      : []),
  ];
  return (
    <>
      <PageHeader
        title={
          <Group component="span" gap={12}>
            {topUp.reference}
            <TopUpState state={state} />
          </Group>
        }
        subtitle={`${topUp.billing_account_name} · ${topUp.corporation_name}`}
        crumbs={[{ label: t('menu.top-ups'), to: '/top-ups' }]}
        actions={
          <PageActions name={topUp.reference} actions={actions}>
            <Button variant="default" component={Link} to={`/billing-accounts/${topUp.billing_account_id}`}>
              {t('top_up.to_account')}
            </Button>
            {open && topUp.checkout_url && (
              <Button component="a" href={topUp.checkout_url} leftSection={<IconExternalLink {...ICON} />}>
                {t('top_up.pay_now')}
              </Button>
            )}
          </PageActions>
        }
      />
      <Stack gap="md">
        <News topUp={topUp} />
        <Facts topUp={topUp} />
        {topUp.driver === 'bank_transfer' && <BankTransfer topUp={topUp} />}
        {topUp.returns.length > 0 && <Returns topUp={topUp} />}
      </Stack>
      {returning && <RefundTopUp kind={returning} topUp={topUp} onClose={() => setReturning(null)} />}
    </>
  );
}

/** Notice of what happens next, announced when it changes. */
function News({ topUp }: { topUp: TopUp }) {
  const { t } = useTranslation();
  const { state, problem } = topUp;
  const bad = problem !== null || state === 'charged_back' || state === 'failed' || state === 'rejected';
  const color = bad ? 'red' : state === 'paid' ? 'teal' : 'blue';
  return (
    <div role="status">
      <Alert color={color} variant="light">
        {problem === null ? t(`top_up_news.${state}`) : t(`top_up_problem.${problem}`)}
        {topUp.simulated && ` ${t('top_up.simulated')}`}
      </Alert>
    </div>
  );
}

function Facts({ topUp }: { topUp: TopUp }) {
  const { t } = useTranslation();
  const format = useFormat();
  const money = (amount: string) => format.money(amount, topUp.currency);
  return (
    <Paper className="app-card" p="lg">
      <Text fz={36} lh={1.1} fw={600}>
        {money(topUp.amount)}
      </Text>
      <SimpleGrid component="dl" cols={{ base: 2, sm: 3, lg: 4 }} spacing="md" mt="md" mb={0}>
        <Fact label={labelOf('top-ups', 'total')}>{money(topUp.total)}</Fact>
        <Fact label={labelOf('top-ups', 'fee')}>{money(topUp.fee)}</Fact>
        <Fact label={labelOf('top-ups', 'method_name')}>
          {topUp.method_name}
          {topUp.method_label && ` (${topUp.method_label})`}
        </Fact>
        <Fact label={labelOf('top-ups', 'driver')}>{t(`payment_driver.${topUp.driver}`)}</Fact>
        <Fact label={labelOf('top-ups', 'created_at')}>
          <Cell show="instant" value={topUp.created_at} />
        </Fact>
        <Fact label={labelOf('top-ups', 'paid_at')}>
          <Cell show="instant" value={topUp.paid_at} />
        </Fact>
        <Fact label={labelOf('top-ups', 'user_name')}>
          {topUp.automatic ? t('top_up.automatic') : (topUp.user_name ?? '–')}
        </Fact>
        {topUp.returned !== '0.000' && (
          <>
            <Fact label={labelOf('top-ups', 'returned')}>{money(topUp.returned)}</Fact>
            <Fact label={labelOf('top-ups', 'taken_back')}>{money(topUp.taken_back)}</Fact>
          </>
        )}
      </SimpleGrid>
    </Paper>
  );
}
