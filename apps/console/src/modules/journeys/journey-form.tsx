import { contactField } from '@heliograph/contract/audience/contact-field';
import { segment } from '@heliograph/contract/audience/segment';
import { journey } from '@heliograph/contract/journeys/journey';
import {
  JOURNEY_TRIGGERS,
  type JourneyDefinition,
  type JourneyTrigger,
} from '@heliograph/contract/journeys/journey-definition';
import { corporation } from '@heliograph/contract/organizations/corporation';
import { Checkbox, NativeSelect, NumberInput, Stack, TextInput, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { fieldsOf } from '../../resource/fields.tsx';
import { useFormState } from '../../resource/form.tsx';
import { ReferenceSelect } from '../../resource/reference.tsx';
import classes from './journey.module.css';
import { StepsFault } from './step-fields.tsx';
import { firstDefinition } from './step-tree.ts';
import { StepsEditor } from './steps-editor.tsx';

const Field = fieldsOf(journey.create);

/** Form of a journey: name, budget, the cause of entering, and the steps. */
export function JourneyForm() {
  const { t } = useTranslation();
  const { row, values, set, errors } = useFormState();
  const corporationId = Number(row?.['corporation_id'] ?? values['corporation_id'] ?? 0);
  const definition = (values['definition'] ?? firstDefinition()) as JourneyDefinition;
  const change = (changes: Partial<JourneyDefinition>) => set('definition', { ...definition, ...changes });
  return (
    <>
      <Field.Reference name="corporation_id" to={corporation} />
      <Field.Text name="name" autoFocus />
      <Field.Money name="budget" />
      <Stack gap="sm" data-field="definition">
        <Title order={3} size="h5">
          {t('journeys.enter')}
        </Title>
        <TriggerFields
          trigger={definition.trigger}
          corporationId={corporationId}
          errorOf={(field) => errors[`definition.trigger.${field}`]}
          onChange={(trigger) => change({ trigger })}
        />
        <NumberInput
          label={t('journeys.again')}
          description={t('journeys.again_hint')}
          min={1}
          allowDecimal={false}
          value={definition.again_days ?? ''}
          error={errors['definition.again_days']}
          onChange={(days) => change({ again_days: days === '' ? null : Number(days) })}
        />
        <StepsEditor corporationId={corporationId} definition={definition} onChange={(steps) => change({ steps })} />
        <StepsFault fault={errors['definition.steps'] ?? errors['definition']} />
      </Stack>
    </>
  );
}

const FIRST: { readonly [On in JourneyTrigger['on']]: JourneyTrigger } = {
  segment: { on: 'segment', segment_id: 0 },
  event: { on: 'event' },
  date: { on: 'date', field_id: 0, yearly: true, days: 0, at: '09:00' },
};

function TriggerFields(props: {
  trigger: JourneyTrigger;
  corporationId: number;
  errorOf: (field: string) => ReactNode;
  onChange: (trigger: JourneyTrigger) => void;
}) {
  const { trigger, corporationId, errorOf, onChange } = props;
  const { t } = useTranslation();
  const within = { corporation_id: corporationId };
  return (
    <>
      <NativeSelect
        label={t('journeys.trigger')}
        value={trigger.on}
        data={JOURNEY_TRIGGERS.map((on) => ({ value: on, label: t(`journey_trigger.${on}`) }))}
        onChange={(event) => onChange(FIRST[event.currentTarget.value as JourneyTrigger['on']])}
      />
      {trigger.on === 'segment' && (
        <ReferenceSelect
          to={segment}
          within={within}
          label={t('journeys.segment')}
          value={trigger.segment_id || null}
          error={errorOf('segment_id')}
          onChange={(id) => onChange({ ...trigger, segment_id: id ?? 0 })}
        />
      )}
      {trigger.on === 'date' && (
        <>
          <ReferenceSelect
            to={contactField}
            within={within}
            label={t('journeys.field')}
            value={trigger.field_id || null}
            error={errorOf('field_id')}
            onChange={(id) => onChange({ ...trigger, field_id: id ?? 0 })}
          />
          <div className={classes.fields}>
            <NumberInput
              label={t('journeys.days')}
              description={t('journeys.days_hint')}
              min={-365}
              max={365}
              allowDecimal={false}
              value={trigger.days}
              error={errorOf('days')}
              onChange={(days) => onChange({ ...trigger, days: Number(days) })}
            />
            <TextInput
              type="time"
              label={t('journeys.at')}
              value={trigger.at}
              error={errorOf('at')}
              onChange={(event) => onChange({ ...trigger, at: event.currentTarget.value })}
            />
          </div>
          <Checkbox
            label={t('journeys.yearly')}
            checked={trigger.yearly}
            onChange={(event) => onChange({ ...trigger, yearly: event.currentTarget.checked })}
          />
        </>
      )}
    </>
  );
}
