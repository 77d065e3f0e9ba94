import { Anchor, Drawer, Group, SimpleGrid, Stack, Table, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Cell, labelOf } from '../../resource/columns.tsx';
import { Fact } from '../../ui/fact.tsx';
import { Link } from '../../ui/link.tsx';
import type { Activity } from './activity-logs.tsx';

/** One entry: who, what, and each field before and after. */
export function ActivityDrawer(props: { entry: Activity; who: string; onClose: () => void }) {
  const { t } = useTranslation();
  const { entry, who } = props;
  const { subject_type, subject_id, causer_id } = entry;
  return (
    <Drawer
      opened
      onClose={props.onClose}
      title={<Text fw={600}>{t('activity.entry', { id: entry.id })}</Text>}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <Stack gap="lg">
        <SimpleGrid component="dl" cols={2} m={0} spacing="sm">
          <Fact label={labelOf('activity-logs', 'created_at')}>
            <Cell show="instant" value={entry.created_at} />
          </Fact>
          <Fact label={labelOf('activity-logs', 'causer_name')}>{who}</Fact>
          {(
            [
              'name',
              'description',
              'subject_type',
              'subject_id',
              'causer_type',
              'causer_id',
              'corporation_name',
            ] as const
          ).map((field) => (
            <Fact key={field} label={labelOf('activity-logs', field)}>
              <Cell show="text" value={entry[field]} />
            </Fact>
          ))}
        </SimpleGrid>
        <Group gap="md">
          {subject_id !== null && (
            <Anchor
              component={Link}
              to="/activity-logs"
              search={{ subject_type, subject_id: String(subject_id) }}
              size="sm"
              onClick={props.onClose}
            >
              {t('activity.only_subject')}
            </Anchor>
          )}
          {causer_id !== null && (
            <Anchor
              component={Link}
              to="/activity-logs"
              search={{ causer_id: String(causer_id) }}
              size="sm"
              onClick={props.onClose}
            >
              {t('activity.only_causer')}
            </Anchor>
          )}
        </Group>
        <Changes {...entry.properties} about={subject_type} />
      </Stack>
    </Drawer>
  );
}

function Changes({ before, after, about }: Activity['properties'] & { about: string }) {
  const { t, i18n } = useTranslation();
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  if (fields.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('activity.no_fields')}
      </Text>
    );
  const nameOf = (field: string) => (i18n.exists(`resources.${about}.fields.${field}`) ? labelOf(about, field) : field);
  return (
    <Table.ScrollContainer minWidth={320} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('activity.field')}</Table.Th>
            <Table.Th>{t('activity.before')}</Table.Th>
            <Table.Th>{t('activity.after')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {fields.map((field) => (
            <Table.Tr key={field}>
              <Table.Td>{nameOf(field)}</Table.Td>
              <Table.Td>
                <Value value={before?.[field]} />
              </Table.Td>
              <Table.Td>
                <Value value={after?.[field]} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function Value({ value }: { value: unknown }) {
  if (typeof value === 'boolean') return <Cell show="yes-no" value={value} />;
  if (value === null || value === undefined || value === '') return <Cell show="text" value={null} />;
  return (
    <Text span size="sm" style={{ overflowWrap: 'anywhere' }}>
      {typeof value === 'object' ? JSON.stringify(value) : String(value)}
    </Text>
  );
}
