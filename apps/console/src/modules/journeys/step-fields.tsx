import { contactField } from '@heliograph/contract/audience/contact-field';
import { segment } from '@heliograph/contract/audience/segment';
import { type JourneyStep, WAIT_UNITS } from '@heliograph/contract/journeys/journey-definition';
import { Chip, Group, NativeSelect, NumberInput, Stack, Text, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { languageTag } from '../../platform/language.ts';
import { ReferenceSelect } from '../../resource/reference.tsx';
import classes from './journey.module.css';
import { weekdayName } from './journey-voice.ts';
import { MessageFields } from './message-fields.tsx';

interface FieldsProps<Step extends JourneyStep = JourneyStep> {
  step: Step;
  corporationId: number;
  /** Fault of a field of the step. */
  errorOf: (field: string) => ReactNode;
  onChange: (step: JourneyStep) => void;
}
/** Properties of the fields of a kind of step. */
export type Of<Kind extends JourneyStep['do']> = FieldsProps<Extract<JourneyStep, { do: Kind }>>;

const UNITS = Object.keys(WAIT_UNITS) as (keyof typeof WAIT_UNITS)[];
const WEEK = [1, 2, 3, 4, 5, 6, 7];

/** Fields of a step by its kind; the branches are not among them. */
export function StepFields(props: FieldsProps) {
  switch (props.step.do) {
    case 'wait':
      return <WaitFields {...(props as Of<'wait'>)} />;
    case 'until':
      return <UntilFields {...(props as Of<'until'>)} />;
    case 'message':
      return <MessageFields {...(props as Of<'message'>)} />;
    case 'condition':
      return <ConditionFields {...(props as Of<'condition'>)} />;
    case 'set':
      return <SetFields {...(props as Of<'set'>)} />;
    case 'tag':
      return <TagFields {...(props as Of<'tag'>)} />;
    case 'callback':
      return <CallbackFields {...(props as Of<'callback'>)} />;
    default:
      return null;
  }
}

function WaitFields({ step, errorOf, onChange }: Of<'wait'>) {
  const { t } = useTranslation();
  return (
    <div className={classes.fields}>
      <NumberInput
        label={t('journeys.count')}
        min={1}
        allowDecimal={false}
        value={step.count}
        error={errorOf('count')}
        onChange={(count) => onChange({ ...step, count: Number(count) })}
      />
      <NativeSelect
        label={t('journeys.unit')}
        value={step.unit}
        data={UNITS.map((unit) => ({ value: unit, label: t(`journey_unit.${unit}`) }))}
        onChange={(event) => onChange({ ...step, unit: event.currentTarget.value as keyof typeof WAIT_UNITS })}
      />
    </div>
  );
}

function UntilFields({ step, errorOf, onChange }: Of<'until'>) {
  const { t } = useTranslation();
  return (
    <Stack gap="xs">
      <TextInput
        type="time"
        label={t('journeys.at')}
        value={step.at}
        error={errorOf('at')}
        onChange={(event) => onChange({ ...step, at: event.currentTarget.value })}
      />
      <Chip.Group
        multiple
        value={step.weekdays.map(String)}
        onChange={(days) => onChange({ ...step, weekdays: days.map(Number).sort((a, b) => a - b) })}
      >
        <Group gap={6} role="group" aria-label={t('journeys.weekdays')}>
          {WEEK.map((day) => (
            <Chip key={day} size="xs" value={String(day)}>
              {weekdayName(languageTag(), day)}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
    </Stack>
  );
}

const ConditionFields = ({ step, corporationId, errorOf, onChange }: Of<'condition'>) => {
  const { t } = useTranslation();
  return (
    <ReferenceSelect
      to={segment}
      within={{ corporation_id: corporationId }}
      label={t('journeys.segment')}
      value={step.segment_id || null}
      error={errorOf('segment_id')}
      onChange={(id) => onChange({ ...step, segment_id: id ?? 0 })}
    />
  );
};

function SetFields({ step, corporationId, errorOf, onChange }: Of<'set'>) {
  const { t } = useTranslation();
  return (
    <div className={classes.fields}>
      <ReferenceSelect
        to={contactField}
        within={{ corporation_id: corporationId }}
        label={t('journeys.field')}
        value={step.field_id || null}
        error={errorOf('field_id')}
        onChange={(id) => onChange({ ...step, field_id: id ?? 0 })}
      />
      <TextInput
        label={t('journeys.value')}
        maxLength={500}
        value={step.value ?? ''}
        error={errorOf('value')}
        onChange={(event) => onChange({ ...step, value: event.currentTarget.value || null })}
      />
    </div>
  );
}

function TagFields({ step, errorOf, onChange }: Of<'tag'>) {
  const { t } = useTranslation();
  return (
    <div className={classes.fields}>
      <NativeSelect
        label={t('journeys.tag_change')}
        value={step.add ? 'add' : 'remove'}
        data={[
          { value: 'add', label: t('journeys.tag_add') },
          { value: 'remove', label: t('journeys.tag_remove') },
        ]}
        onChange={(event) => onChange({ ...step, add: event.currentTarget.value === 'add' })}
      />
      <TextInput
        label={t('journeys.tag')}
        maxLength={50}
        value={step.tag}
        error={errorOf('tag')}
        onChange={(event) => onChange({ ...step, tag: event.currentTarget.value })}
      />
    </div>
  );
}

function CallbackFields({ step, errorOf, onChange }: Of<'callback'>) {
  const { t } = useTranslation();
  return (
    <TextInput
      label={t('journeys.callback_name')}
      description={t('journeys.callback_hint')}
      maxLength={60}
      value={step.name}
      error={errorOf('name')}
      onChange={(event) => onChange({ ...step, name: event.currentTarget.value })}
    />
  );
}

/** Sentence about a fault of the steps as a whole. */
export const StepsFault = ({ fault }: { fault: ReactNode }) =>
  fault ? (
    <Text size="sm" c="red" role="alert">
      {fault}
    </Text>
  ) : null;
