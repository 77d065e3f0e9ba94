import type { JourneyDefinition, JourneyStep } from '@heliograph/contract/journeys/journey-definition';
import { Group, SegmentedControl, Title } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PictureEditor } from './picture-editor.tsx';
import { StepEditor } from './step-editor.tsx';

interface StepsProps {
  corporationId: number;
  definition: JourneyDefinition;
  onChange: (steps: JourneyStep[]) => void;
}

/** Steps of a journey, edited as a list or as a picture of the same definition. */
export function StepsEditor({ corporationId, definition, onChange }: StepsProps) {
  const { t } = useTranslation();
  const [view, setView] = useState('list');
  return (
    <>
      <Group justify="space-between" gap="xs">
        <Title order={3} size="h5">
          {t('journeys.steps')}
        </Title>
        <SegmentedControl
          size="xs"
          aria-label={t('journeys.view')}
          value={view}
          onChange={setView}
          data={[
            { value: 'list', label: t('journeys.list') },
            { value: 'picture', label: t('journeys.picture') },
          ]}
        />
      </Group>
      {view === 'list' ? (
        <StepEditor corporationId={corporationId} steps={definition.steps} onChange={onChange} />
      ) : (
        <PictureEditor corporationId={corporationId} definition={definition} onChange={onChange} />
      )}
    </>
  );
}
