import { Anchor, Drawer, Group, SimpleGrid, Stack, Table, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Cell, labelOf } from '../../resource/columns.tsx';
import { Fact } from '../../ui/fact.tsx';
import { Link } from '../../ui/link.tsx';
import { Value } from './activity-feed.tsx';
import type { Activity } from './activity-logs.tsx';

/** Details of one entry: the person, the action, and each field before and after. */
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
          {(['area', 'description', 'subject', 'corporation_name'] as const).map((field) => (
            <Fact key={field} label={labelOf('activity-logs', field)}>
              <Cell show="text" value={field === 'description' ? entry.action : entry[field]} />
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
        <Changes entry={entry} />
      </Stack>
    </Drawer>
  );
}

function Changes({ entry: { changes, currency, removed } }: { entry: Activity }) {
  const { t } = useTranslation();
  if (changes.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t(removed ? 'activity.removed' : 'activity.no_fields')}
      </Text>
    );
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
          {changes.map(({ field, label, show, before, after }) => (
            <Table.Tr key={field}>
              <Table.Td>{label}</Table.Td>
              <Table.Td>
                <Value {...{ show, currency }} value={before} />
              </Table.Td>
              <Table.Td>
                <Value {...{ show, currency }} value={after} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
