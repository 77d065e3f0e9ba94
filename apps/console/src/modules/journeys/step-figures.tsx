import type { journeyFigures } from '@heliograph/contract/journeys/journey';
import type { JourneyNames, JourneyStep } from '@heliograph/contract/journeys/journey-definition';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../platform/format.ts';
import classes from './journey.module.css';
import { useJourneyWords } from './journey-voice.ts';

export type Figures = ReplyOf<typeof journeyFigures>['data'];

interface StepsProps {
  steps: readonly JourneyStep[];
  names: JourneyNames;
  figures: Figures | undefined;
  currency: string;
}

/** Steps as sentences, indented by their branches, with the people and the money of each. */
export function StepFigures(props: StepsProps) {
  const { t } = useTranslation();
  const { steps } = props;
  const { stepWords } = useJourneyWords();
  if (steps.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('journeys.empty_branch')}
      </Text>
    );
  return (
    <ol className={classes.steps}>
      {steps.map((step) => (
        <li key={step.id} className={classes.step}>
          <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
            {stepWords(step, props.names)}
          </Text>
          <FiguresOf step={step} {...props} />
          {step.do === 'condition' && (
            <>
              <Branch {...props} title={t('journeys.yes')} steps={step.yes} />
              <Branch {...props} title={t('journeys.no')} steps={step.no} />
            </>
          )}
          {step.do === 'split' &&
            step.branches.map((branch, nth) => (
              <Branch
                // biome-ignore lint/suspicious/noArrayIndexKey: branches have no identity but their place
                key={nth}
                {...props}
                title={`${t('journeys.branch_n', { n: nth + 1 })}: ${branch.share}%`}
                steps={branch.steps}
              />
            ))}
        </li>
      ))}
    </ol>
  );
}

const Branch = ({ title, ...props }: StepsProps & { title: string }) => (
  <div className={classes.branch}>
    <Text size="sm" fw={600} mb={6}>
      {title}
    </Text>
    <StepFigures {...props} />
  </div>
);

function FiguresOf({ step, figures, currency }: StepsProps & { step: JourneyStep }) {
  const { t } = useTranslation();
  const format = useFormat();
  const own = figures?.steps.find((each) => each.step === step.id);
  if (!own) return null;
  const isMessage = step.do === 'message';
  return (
    <Group component="dl" className={classes.figures ?? ''} m={0} mt={6} gap={0}>
      <Figure label={t('journeys.waiting')}>{format.integer(own.waiting)}</Figure>
      <Figure label={t('journeys.passed')}>{format.integer(own.passed)}</Figure>
      {isMessage && <Figure label={t('journeys.sent')}>{format.integer(own.sent)}</Figure>}
      {isMessage && <Figure label={t('journeys.refused')}>{format.integer(own.refused)}</Figure>}
      {isMessage && <Figure label={t('journeys.spent')}>{format.money(own.spent, currency)}</Figure>}
      {own.estimate !== null && <Figure label={t('journeys.estimate')}>{format.money(own.estimate, currency)}</Figure>}
    </Group>
  );
}

const Figure = (props: { label: string; children: ReactNode }) => (
  <Group gap={4} component="div">
    <Text component="dt" size="xs" c="dimmed">
      {props.label}
    </Text>
    <Text component="dd" m={0} size="xs" fw={600}>
      {props.children}
    </Text>
  </Group>
);
