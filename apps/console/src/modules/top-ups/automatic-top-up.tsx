import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { endAutomaticTopUp, showAutomaticTopUp } from '@heliograph/contract/top-ups/automatic-top-up';
import { Alert, Anchor, Badge, Group, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { sentenceOf } from '../../platform/problem.ts';
import { readAgain } from '../../platform/queries.ts';
import { toast } from '../../platform/toast.ts';
import { Cell } from '../../resource/columns.tsx';
import { openDialog } from '../../ui/dialogs.ts';
import { Fact } from '../../ui/fact.tsx';
import { Link } from '../../ui/link.tsx';
import { Section } from '../../ui/section.tsx';
import { AutomaticDialog } from './automatic-dialog.tsx';

type Shown = ReplyOf<typeof showAutomaticTopUp>;
export type Automatic = NonNullable<Shown['data']>;
interface Account {
  id: number;
  name: string;
  currency: string;
  credit_balance: string;
}

const COLORS = { waiting: 'blue', on: 'teal', stopped: 'red' } as const;

/** Section with the automatic top-up of an account: its state, its terms, and the actions that the user may do. */
export function AutomaticTopUp({ account }: { account: Account }) {
  const { t } = useTranslation();
  const [task, setTask] = useState<'start' | 'change' | null>(null);
  const { data, error } = useQuery({
    queryKey: ['billing-accounts', 'automatic-top-up', account.id, account.credit_balance],
    queryFn: ({ signal }) => call(showAutomaticTopUp, { params: { id: account.id }, signal }),
    placeholderData: (previous) => previous,
  });
  const plan = data?.data ?? null;
  const end = () =>
    openDialog({
      title: t('automatic_top_up.end_title', { name: account.name }),
      text: t('automatic_top_up.end_text'),
      confirm: t('automatic_top_up.end'),
      danger: true,
      onConfirm: async () => {
        const { message } = await call(endAutomaticTopUp, { params: { id: account.id } });
        await readAgain(['billing-accounts']);
        void toast('success', message);
      },
    });
  const startable = data?.may_start === true && plan?.state !== 'on';
  return (
    <Section
      title={t('top_up.automatic')}
      actions={
        <Group gap="sm">
          {startable && (
            <Anchor component="button" size="sm" onClick={() => setTask('start')}>
              {t('automatic_top_up.start')}
            </Anchor>
          )}
          {plan?.may.change && plan.state !== 'waiting' && (
            <Anchor component="button" size="sm" onClick={() => setTask('change')}>
              {t('automatic_top_up.change')}
            </Anchor>
          )}
          {plan?.may.end && (
            <Anchor component="button" size="sm" onClick={end}>
              {t('automatic_top_up.end')}
            </Anchor>
          )}
        </Group>
      }
    >
      {data ? (
        <Standing plan={plan} />
      ) : error ? (
        <Alert color="red" variant="light">
          {sentenceOf(error)}
        </Alert>
      ) : (
        <Skeleton h={60} />
      )}
      {task && (
        <AutomaticDialog account={account} plan={task === 'change' ? plan : null} onClose={() => setTask(null)} />
      )}
    </Section>
  );
}

function Standing({ plan }: { plan: Automatic | null }) {
  const { t } = useTranslation();
  const format = useFormat();
  if (!plan)
    return (
      <Text size="sm">
        {t('automatic_top_up.none')} {t('automatic_top_up.about')}
      </Text>
    );
  const money = (amount: string) => format.money(amount, plan.currency);
  const of = (sum: string, limit: string) => t('automatic_top_up.of_limit', { sum: money(sum), limit: money(limit) });
  const news = plan.state === 'waiting' ? 'waiting' : plan.stop_reason;
  return (
    <Stack gap="sm">
      <Group gap="sm">
        <Badge variant="light" color={COLORS[plan.state]}>
          {t(`automatic_top_up.state_${plan.state}`)}
        </Badge>
        {plan.open_top_up_id !== null && (
          <Anchor component={Link} to={`/top-ups/${plan.open_top_up_id}`} size="sm">
            {t('automatic_top_up.open_payment')}
          </Anchor>
        )}
      </Group>
      {news && (
        <Alert variant="light" color={COLORS[plan.state]}>
          {t(`automatic_top_up.${news}`)}
        </Alert>
      )}
      <SimpleGrid component="dl" cols={{ base: 2, xs: 3 }} spacing="sm" m={0}>
        <Fact label={t('automatic_top_up.facts_threshold')}>{money(plan.threshold)}</Fact>
        <Fact label={t('automatic_top_up.facts_amount')}>{money(plan.amount)}</Fact>
        <Fact label={t('automatic_top_up.facts_total')}>{money(plan.total)}</Fact>
        <Fact label={t('automatic_top_up.facts_day')}>{of(plan.day_sum, plan.day_limit)}</Fact>
        <Fact label={t('automatic_top_up.facts_month')}>{of(plan.month_sum, plan.month_limit)}</Fact>
        <Fact label={t('automatic_top_up.facts_card')}>{plan.card_label ?? '–'}</Fact>
        {plan.state === 'on' && (
          <Fact label={t('automatic_top_up.facts_next')}>
            <Cell show="instant" value={plan.next_at} />
          </Fact>
        )}
        <Fact label={t('automatic_top_up.facts_consent')}>
          {plan.user_name} · <Cell show="instant" value={plan.consented_at} />
        </Fact>
      </SimpleGrid>
      <Text size="xs" c="dimmed">
        {plan.consent_text}
      </Text>
    </Stack>
  );
}
