import { EVENT_TYPES } from '@heliograph/contract/kernel/events';
import { Checkbox, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { labelOf } from '../../resource/columns.tsx';
import { useFormState } from '../../resource/form.tsx';

/** Field for the types of events that a record sends; none means all. */
export function EventTypes({ resource }: { resource: 'callbacks' | 'audit-streams' }) {
  const { t } = useTranslation();
  const { values, row, set } = useFormState();
  return (
    <Checkbox.Group
      label={labelOf(resource, 'types')}
      description={t(`resources.${resource}.hints.types`)}
      value={((values['types'] ?? row?.['types']) as string[] | null | undefined) ?? []}
      onChange={(types) => set('types', types)}
    >
      <Stack gap={6} mt={6}>
        {EVENT_TYPES.map((type) => (
          <Checkbox key={type} value={type} label={t(`event_type.${type}`)} />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}
