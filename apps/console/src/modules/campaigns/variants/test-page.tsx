import {
  getCampaignTest,
  letterOf,
  startCampaignTest,
  stopCampaignTest,
} from '@heliograph/contract/campaigns/campaign-test';
import { keyIn } from '@heliograph/contract/kernel/message-keys';
import { fromThousandths, toThousandths } from '@heliograph/contract/kernel/money';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { Alert, Anchor, Button, Group, Loader, Stack, Text } from '@mantine/core';
import { IconArrowLeft, IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../../platform/call.ts';
import { useFormat } from '../../../platform/format.ts';
import { sentenceOf } from '../../../platform/problem.ts';
import { queryClient } from '../../../platform/queries.ts';
import { useSession } from '../../../platform/session.ts';
import { toast } from '../../../platform/toast.ts';
import { OneRecord } from '../../../resource/one-record.tsx';
import { openDialog } from '../../../ui/dialogs.ts';
import { Link } from '../../../ui/link.tsx';
import { PageHeader } from '../../../ui/page-header.tsx';
import { Section } from '../../../ui/section.tsx';
import { TestState } from './tests.tsx';
import { VariantCards } from './variant-cards.tsx';

export type TestDetail = ReplyOf<typeof getCampaignTest>['data'];

const readAgain = () => queryClient.invalidateQueries({ queryKey: ['campaign-tests'] });

/** Milliseconds between two reads: often while something is counted. */
function refreshEvery(test: TestDetail | undefined): number | false {
  if (!test) return false;
  if (test.state === 'counting' || (test.state === 'draft' && test.cost === null)) return 1_500;
  return test.state === 'running' ? 10_000 : false;
}

/** Page of one A/B test: its price before the start, then its variants side by side, and what happens next. */
export function TestPage() {
  const { t } = useTranslation();
  return (
    <OneRecord
      name="campaign-tests"
      operation={getCampaignTest}
      notFound={t('campaign_tests.not_there')}
      refreshEvery={refreshEvery}
    >
      {(test) => <Loaded test={test} />}
    </OneRecord>
  );
}

function Loaded({ test }: { test: TestDetail }) {
  const { t } = useTranslation();
  return (
    <>
      <PageHeader
        title={test.name}
        subtitle={t('campaign_tests.from', { user: test.user_name, corporation: test.corporation_name })}
        crumbs={[
          { label: t('menu.campaigns'), to: '/campaigns' },
          { label: t('menu.campaign-tests'), to: '/campaign-tests' },
        ]}
        actions={test.abilities.stop && <Stop test={test} />}
      />
      <Stack gap="md">
        {test.state === 'draft' ? <Price test={test} /> : <Next test={test} />}
        <VariantCards test={test} />
        <Section title={t('campaign_tests.rule')}>
          <Text size="sm" maw={760}>
            {t('campaign_tests.rule_text')}
          </Text>
        </Section>
      </Stack>
    </>
  );
}

function Stop({ test }: { test: TestDetail }) {
  const { t } = useTranslation();
  const stop = () =>
    call(stopCampaignTest, { params: { id: test.id } }).then(
      () => void toast('success', t('campaign_tests.stop_done')),
      (error: unknown) => void toast('error', sentenceOf(error)),
    );
  return (
    <Button
      variant="default"
      leftSection={<IconPlayerStop size={16} aria-hidden />}
      onClick={() =>
        openDialog({
          title: t('campaign_tests.stop_title', { name: test.name }),
          text: t('campaign_tests.stop_text'),
          confirm: t('campaign_tests.stop'),
          danger: true,
          onConfirm: () => stop().finally(readAgain),
        })
      }
    >
      {t('campaign_tests.stop')}
    </Button>
  );
}

/** Price of the whole test before its start, and the button that starts it. */
function Price({ test }: { test: TestDetail }) {
  const { t } = useTranslation();
  const format = useFormat();
  const owner = useSession((s) => s.profile?.id ?? null);
  const { cost, currency } = test;
  const refused = test.variants.flatMap(({ place, sample, rest }) => {
    const code =
      sample.refusal ??
      rest?.refusal ??
      (sample.state === 'ready' && sample.total_count === 0 ? 'audience_empty' : null);
    return code === null ? [] : [{ place, code }];
  })[0];
  const start = useMutation({
    mutationFn: () => call(startCampaignTest, { params: { id: test.id }, body: { confirmed_cost: cost!.total } }),
    onSuccess: () => {
      void import('./forget-set-up.ts').then(({ forgetSetUp }) => forgetSetUp(owner));
      void toast('success', t('campaign_tests.started'));
    },
    onSettled: () => void readAgain(),
  });
  const money = (amount: string) => format.money(amount, currency);
  const people = test.variants.reduce(
    (sum, { sample }) => sum + sample.total_count,
    test.variants[0]?.rest?.total_count ?? 0,
  );
  const after = cost && toThousandths(test.credit_balance) - toThousandths(cost.total);
  return (
    <Section title={t('campaign_tests.price')}>
      {refused ? (
        <Alert color="red" variant="light" role="alert">
          {t('campaign_tests.price_failed', {
            letter: letterOf(refused.place),
            reason: t([keyIn('errors', refused.code), 'errors.internal_error']),
          })}
        </Alert>
      ) : cost === null ? (
        <Group gap="sm" role="status">
          <Loader size="sm" />
          <Text size="sm">{t('campaign_tests.price_counting')}</Text>
        </Group>
      ) : (
        <Stack gap="xs">
          <Text size="sm">
            {t('campaign_tests.price_text', {
              samples: money(cost.samples),
              rest: money(cost.rest),
              count: people,
              n: format.integer(people),
            })}
          </Text>
          <Text>
            {t('campaign_tests.total')}: <b>{money(cost.total)}</b>
          </Text>
          <Text size="sm" c="dimmed">
            {t('campaign_tests.balance_after')}: {money(fromThousandths(after!))}
          </Text>
          {after! < 0 && (
            <Alert color="orange" variant="light">
              {t('campaign_tests.balance_low')}
            </Alert>
          )}
          {!test.abilities.run && <Text size="sm">{t('campaign_tests.approval')}</Text>}
        </Stack>
      )}
      {start.error && (
        <Alert color="red" variant="light" role="alert">
          {sentenceOf(start.error)}
        </Alert>
      )}
      <Group>
        {test.abilities.start && (
          <Button
            leftSection={<IconPlayerPlay size={18} aria-hidden />}
            disabled={cost === null || refused !== undefined}
            loading={start.isPending}
            onClick={() => start.mutate()}
          >
            {t(test.abilities.run ? 'campaign_tests.start_test' : 'campaign_tests.start_ask')}
          </Button>
        )}
        <Button
          component={Link}
          to="/new-campaign-test"
          variant="default"
          leftSection={<IconArrowLeft size={16} aria-hidden />}
        >
          {t('campaign_tests.edit')}
        </Button>
      </Group>
    </Section>
  );
}

/** State of a started test, and what happens next and when. */
function Next({ test }: { test: TestDetail }) {
  const { t } = useTranslation();
  const format = useFormat();
  const money = (amount: string | null) => format.money(amount ?? '0', test.currency);
  const waits = test.waits_for;
  return (
    <Section title={t('campaign_tests.next')} actions={<TestState state={test.state} />}>
      <Stack gap={6} maw={760}>
        {test.state === 'running' && (
          <>
            <Text size="sm">
              {test.decides_at === null
                ? t('campaign_tests.next_waits', { hours: test.decide_after_hours })
                : t('campaign_tests.next_at', { time: format.instant(test.decides_at) })}
            </Text>
            <Text size="sm" c="dimmed">
              {test.decides === 'by_hand'
                ? t('campaign_tests.next_by_hand')
                : t('campaign_tests.next_automatic', {
                    percent: format.percent(test.certainty_percent / 100),
                    fallback: t(`campaign_test_fallback.${test.fallback}`),
                  })}
            </Text>
          </>
        )}
        {test.state === 'waiting' && waits && (
          <Alert color="orange" variant="light" role="alert">
            {t([keyIn('campaign_test_waits', waits), keyIn('errors', waits), 'errors.internal_error'], {
              cost: money(test.rest_cost),
              confirmed: money(test.max_rest_cost),
            })}
          </Alert>
        )}
        {test.state === 'counting' && (
          <Text size="sm">{t('campaign_tests.counting', { cost: money(test.max_rest_cost) })}</Text>
        )}
        {test.state === 'stopped' && <Text size="sm">{t('campaign_tests.stopped')}</Text>}
        {test.winner !== null && test.decided_by && (
          <Text size="sm">
            {t('campaign_tests.finished', { letter: letterOf(test.winner) })}{' '}
            {t(`campaign_test_decided.${test.decided_by}`)}
          </Text>
        )}
        {test.state === 'finished' &&
          (test.rest_campaign_id === null ? (
            <Text size="sm">{t('campaign_tests.finished_no_rest')}</Text>
          ) : (
            <Anchor component={Link} to={`/campaign-history/${test.rest_campaign_id}`} size="sm">
              {t('campaign_tests.finished_rest')}
            </Anchor>
          ))}
      </Stack>
    </Section>
  );
}
