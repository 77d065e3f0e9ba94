import { journey } from '@heliograph/contract/journeys/journey';
import { corporation } from '@heliograph/contract/organizations/corporation';
import { Badge, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useMay } from '../../platform/session.ts';
import type { RowOf } from '../../resource/columns.tsx';
import { ResourceList } from '../../resource/resource-list.tsx';
import { JourneyForm } from './journey-form.tsx';
import { useJourneyWords } from './journey-voice.ts';
import { firstDefinition } from './step-tree.ts';

export type JourneyRow = RowOf<typeof journey.list>;

const COLORS = { draft: 'gray', running: 'teal', paused: 'yellow', stopped: 'gray' } as const;

/** Badge of the state of a journey. */
export function JourneyState({ state }: Pick<JourneyRow, 'state'>) {
  const { t } = useTranslation();
  return (
    <Badge color={COLORS[state]} variant="light" tt="none">
      {t(`journey_state.${state}`)}
    </Badge>
  );
}

/** Screen of the journeys that the caller sees. */
export function Journeys() {
  const { t } = useTranslation();
  const mayOpen = useMay(journey.permissions.show);
  const { triggerWords } = useJourneyWords();
  return (
    <ResourceList
      resource={journey}
      columns={[
        'name',
        {
          field: 'state',
          cell: (row) => <JourneyState {...row} />,
          csv: (row) => t(`journey_state.${row.state}`),
        },
        {
          field: 'definition',
          title: 'journeys.enter',
          cell: (row) => <Entering text={triggerWords(row.definition.trigger, row.names)} />,
          csv: (row) => triggerWords(row.definition.trigger, row.names),
        },
        'entered',
        'spent',
        'corporation_name',
        { field: 'version', hidden: true },
        { field: 'budget', hidden: true },
        { field: 'created_by_name', hidden: true },
        { field: 'updated_at', hidden: true },
        { field: 'created_at', hidden: true },
      ]}
      filters={[
        { field: 'corporation_id', to: corporation },
        { field: 'state', words: 'journey_state' },
      ]}
      {...(mayOpen && { rowTo: (row: JourneyRow) => `/journeys/${row.id}` })}
      formSize={1040}
      preset={{ definition: firstDefinition() }}
      form={<JourneyForm />}
    />
  );
}

const Entering = ({ text }: { text: string }) => (
  <Text span inherit display="block" maw="34ch" truncate title={text}>
    {text}
  </Text>
);
