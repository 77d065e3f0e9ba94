import { chooseVariant, letterOf } from '@heliograph/contract/campaigns/campaign-test';
import { toThousandths } from '@heliograph/contract/kernel/money';
import { Anchor, Badge, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { call } from '../../../platform/call.ts';
import { useFormat } from '../../../platform/format.ts';
import { sentenceOf } from '../../../platform/problem.ts';
import { queryClient } from '../../../platform/queries.ts';
import { useMay } from '../../../platform/session.ts';
import { toast } from '../../../platform/toast.ts';
import { openDialog } from '../../../ui/dialogs.ts';
import { Fact } from '../../../ui/fact.tsx';
import { Link } from '../../../ui/link.tsx';
import { StateBadge } from '../state-badge.tsx';
import type { TestDetail } from './test-page.tsx';
import classes from './variant-cards.module.css';

type Variant = TestDetail['variants'][number];
type Figures = NonNullable<Variant['figures']>;

/** Variants of a test side by side: text, sender, start, and the figures of the sample. */
export function VariantCards({ test }: { test: TestDetail }) {
  // All bars have the same scale, so that their positions can be compared.
  const highest = Math.max(0.01, ...test.variants.map(({ figures }) => figures?.high ?? 0));
  const scale = Math.min(1, highest * 1.1);
  return (
    <div className={classes.cards}>
      {test.variants.map((variant) => (
        <VariantCard key={variant.place} {...{ test, variant, scale }} />
      ))}
    </div>
  );
}

function VariantCard({ test, variant, scale }: { test: TestDetail; variant: Variant; scale: number }) {
  const { t } = useTranslation();
  const format = useFormat();
  const mayShow = useMay('campaigns-show');
  const letter = letterOf(variant.place);
  const { sample, figures } = variant;
  return (
    <Paper className="app-card" p={{ base: 16, xs: 20 }} miw={0} component="section">
      <Stack gap="sm">
        <Group justify="space-between" gap="xs">
          <Title order={2} size="h4">
            {t('campaign_tests.variant', { letter })}
          </Title>
          {test.winner === variant.place && (
            <Badge color="teal" variant="light">
              {t('campaign_tests.winner')}
            </Badge>
          )}
          {test.winner === null && variant.campaign_state && <StateBadge state={variant.campaign_state} />}
        </Group>
        {variant.content !== null && <Text className={classes.text ?? ''}>{variant.content}</Text>}
        <dl className={classes.facts}>
          <Fact label={t('resources.campaigns.fields.sender_id')}>{variant.sender}</Fact>
          <Fact label={t('schedule.start')}>
            {variant.start?.replace('T', ' ') ?? t('campaign_tests.when_started')}
          </Fact>
        </dl>
        {sample.state === 'ready' && !figures && (
          <Text size="sm" c="dimmed">
            {t('campaign_tests.sample_people', { count: sample.total_count, n: format.integer(sample.total_count) })}
            {' · '}
            {format.money(sample.cost, test.currency)}
          </Text>
        )}
        {figures && <Result figures={figures} scale={scale} />}
        <Group gap="sm">
          {test.abilities.choose && <Choose test={test} variant={variant} />}
          {variant.campaign_id !== null && mayShow && (
            <Anchor component={Link} to={`/campaign-history/${variant.campaign_id}`} size="sm">
              {t('campaign_tests.sample')}
            </Anchor>
          )}
        </Group>
      </Stack>
    </Paper>
  );
}

/** Figures of a sample: the share of successes with its range as a bar, and what speaks for the variant. */
function Result({ figures, scale }: { figures: Figures; scale: number }) {
  const { t } = useTranslation();
  const format = useFormat();
  const at = (share: number) => `${Math.min(100, (share / scale) * 100)}%`;
  const { rate, low, high, best, loss, successes, recipients } = figures;
  const interval = t('campaign_tests.interval', { low: format.percent(low), high: format.percent(high) });
  return (
    <Stack gap={6}>
      <Group gap="xs" align="baseline">
        <Text fw={650} size="xl">
          {format.percent(rate)}
        </Text>
        <Text size="sm" c="dimmed">
          {t('campaign_tests.rate', { successes: format.integer(successes), recipients: format.integer(recipients) })}
        </Text>
      </Group>
      <div className={classes.track} role="img" aria-label={interval}>
        <span
          className={classes.range}
          style={{ insetInlineStart: at(low), width: `calc(${at(high)} - ${at(low)})` }}
        />
        <span className={classes.point} style={{ insetInlineStart: at(rate) }} />
      </div>
      <Text size="xs" c="dimmed">
        {interval}
      </Text>
      <dl className={classes.facts}>
        <Fact label={t('campaign_tests.best')}>{format.percent(best)}</Fact>
        <Fact label={t('campaign_tests.loss')}>{t('campaign_tests.points', { n: (loss * 100).toFixed(2) })}</Fact>
      </dl>
    </Stack>
  );
}

/** Button that sends the rest with a variant, after a question that says what it may cost. */
function Choose({ test, variant }: { test: TestDetail; variant: Variant }) {
  const { t } = useTranslation();
  const format = useFormat();
  const letter = letterOf(variant.place);
  const hasRest = variant.rest !== null;
  // After a count that was dearer, the new cost is what the person confirms.
  const most = dearer(test.max_rest_cost ?? '0', test.winner === variant.place ? test.rest_cost : null);
  const choose = () =>
    call(chooseVariant, { params: { id: test.id }, body: { variant: variant.place, max_cost: most } }).then(
      () => void toast('success', t('campaign_tests.chosen', { letter })),
      (error: unknown) => void toast('error', sentenceOf(error)),
    );
  return (
    <Button
      size="sm"
      variant="light"
      onClick={() =>
        openDialog({
          title: t(hasRest ? 'campaign_tests.choose_title' : 'campaign_tests.choose_all', { letter }),
          text: hasRest
            ? t('campaign_tests.choose_text', { cost: format.money(most, test.currency) })
            : t('campaign_tests.choose_all_text'),
          confirm: t(hasRest ? 'campaign_tests.choose' : 'campaign_tests.choose_all', { letter }),
          onConfirm: () => choose().finally(() => queryClient.invalidateQueries({ queryKey: ['campaign-tests'] })),
        })
      }
    >
      {t(hasRest ? 'campaign_tests.choose' : 'campaign_tests.choose_all', { letter })}
    </Button>
  );
}

const dearer = (one: string, other: string | null): string =>
  other !== null && toThousandths(other) > toThousandths(one) ? other : one;
