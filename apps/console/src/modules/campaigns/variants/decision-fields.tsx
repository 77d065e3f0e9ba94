import { TEST_DECIDES, TEST_FALLBACKS, TEST_METRICS } from '@heliograph/contract/campaigns/campaign-test';
import { detectableDifference } from '@heliograph/contract/campaigns/test-statistics';
import {
  Alert,
  Input,
  NumberInput,
  SegmentedControl,
  Select,
  SimpleGrid,
  Slider,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../platform/format.ts';
import { Section } from '../../../ui/section.tsx';
import type { Composition } from '../composer/use-composition.ts';
import { setUp, USUAL_RATE, useSetUp } from './set-up.ts';

/** Difference that hardly any two texts have, in percentage points. */
const TOO_LARGE = 20;

/** Fields for the size of the sample and for the decision. The sentence says what the sample can find. */
export function DecisionFields(props: { of: Composition; variants: number; faults: Readonly<Record<string, string>> }) {
  const { of, variants, faults } = props;
  const { t } = useTranslation();
  const id = useId();
  const chosen = useSetUp();
  const { metric, share_percent, certainty_percent, decides } = chosen;
  const rate = chosen.expected ?? USUAL_RATE[metric];
  const number = (value: number | string, change: (value: number) => void) => {
    if (typeof value === 'number' && Number.isFinite(value)) change(value);
  };
  return (
    <Section title={t('campaign_tests.decision')}>
      <Stack gap="md">
        <Input.Wrapper
          label={t('campaign_tests.share')}
          description={share_percent < 100 ? t('campaign_tests.share_hint') : undefined}
          labelProps={{ id }}
          maw={520}
        >
          <Slider
            mt="xs"
            mb="lg"
            min={1}
            max={100}
            value={share_percent}
            onChange={(value) => setUp({ share_percent: value })}
            marks={[10, 20, 50, 100].map((value) => ({ value, label: String(value) }))}
            thumbProps={{ 'aria-labelledby': id }}
          />
        </Input.Wrapper>
        <Power of={of} variants={variants} rate={rate} />
        <SimpleGrid cols={{ base: 1, sm: 2 }} maw={720}>
          <Select
            label={t('resources.campaign-tests.fields.metric')}
            allowDeselect={false}
            data={TEST_METRICS.map((value) => ({ value, label: t(`campaign_test_metric.${value}`) }))}
            value={metric}
            onChange={(value) => value && setUp({ metric: value as typeof metric, event_name: null, expected: null })}
          />
          {metric === 'converted' && (
            <TextInput
              label={t('resources.campaign-tests.fields.event_name')}
              description={t('campaign_tests.event_hint')}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              maxLength={40}
              placeholder="purchase"
              value={chosen.event_name ?? ''}
              error={faults['event_name']}
              onChange={(event) => setUp({ event_name: event.currentTarget.value.trim() || null })}
            />
          )}
          <NumberInput
            label={t('campaign_tests.expected')}
            min={0.1}
            max={99.9}
            decimalScale={1}
            value={rate}
            onChange={(value) => number(value, (expected) => setUp({ expected }))}
          />
          <NumberInput
            label={t('campaign_tests.hours')}
            description={t('campaign_tests.hours_hint')}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            min={1}
            max={720}
            allowDecimal={false}
            clampBehavior="strict"
            value={chosen.decide_after_hours}
            onChange={(value) => number(value, (decide_after_hours) => setUp({ decide_after_hours }))}
          />
          <NumberInput
            label={t('campaign_tests.certainty')}
            min={50}
            max={99}
            allowDecimal={false}
            value={certainty_percent}
            onChange={(value) => number(value, (certainty) => setUp({ certainty_percent: certainty }))}
          />
        </SimpleGrid>
        <Input.Wrapper label={t('resources.campaign-tests.fields.decides')}>
          <div>
            <SegmentedControl
              mt={4}
              aria-label={t('resources.campaign-tests.fields.decides')}
              data={TEST_DECIDES.map((value) => ({ value, label: t(`campaign_test_decides.${value}`) }))}
              value={decides}
              onChange={(value) => setUp({ decides: value as typeof decides })}
            />
          </div>
        </Input.Wrapper>
        {decides === 'automatic' && (
          <Select
            maw={350}
            label={t('resources.campaign-tests.fields.fallback')}
            allowDeselect={false}
            data={TEST_FALLBACKS.map((value) => ({ value, label: t(`campaign_test_fallback.${value}`) }))}
            value={chosen.fallback}
            onChange={(value) => value && setUp({ fallback: value as typeof chosen.fallback })}
          />
        )}
      </Stack>
    </Section>
  );
}

/** Sentence that says which difference the sample can find. */
function Power({ of, variants, rate }: { of: Composition; variants: number; rate: number }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { share_percent, certainty_percent } = useSetUp();
  const all = of.estimated.estimate?.total_count;
  if (!all) return null;
  const recipients = Math.floor((all * share_percent) / 100 / variants);
  const found = detectableDifference({ recipients, variants, rate: rate / 100, certainty: certainty_percent / 100 });
  const points = found * 100;
  const difference = points < 10 ? points.toFixed(1) : format.integer(points);
  const weak = points > TOO_LARGE;
  const text = t(weak ? 'campaign_tests.power_weak' : 'campaign_tests.power', {
    n: format.integer(recipients),
    difference,
  });
  return weak ? (
    <Alert color="orange" variant="light" role="status">
      {text}
    </Alert>
  ) : (
    <Text size="sm" role="status">
      {text}
    </Text>
  );
}
