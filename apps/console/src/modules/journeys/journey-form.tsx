import { journey } from '@heliograph/contract/journeys/journey';
import type { JourneyDefinition } from '@heliograph/contract/journeys/journey-definition';
import { corporation } from '@heliograph/contract/organizations/corporation';
import { NumberInput, Stack, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { fieldsOf } from '../../resource/fields.tsx';
import { useFormState } from '../../resource/form.tsx';
import { StepsFault } from './step-fields.tsx';
import { firstDefinition } from './step-tree.ts';
import { StepsEditor } from './steps-editor.tsx';
import { TriggerFields } from './trigger-fields.tsx';

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
