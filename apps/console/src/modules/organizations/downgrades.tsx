import { keyIn } from '@heliograph/contract/kernel/message-keys';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import type { previewReseller } from '@heliograph/contract/organizations/team';
import { Alert, Group, Stack, Text } from '@mantine/core';
import { IconArrowRight, IconUserDown } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

export type Downgrade = ReplyOf<typeof previewReseller>['data'][number];

/** List of the people downgraded by a change, with their new place. It is shown before the change is confirmed. */
export function Downgrades({ people }: { people: readonly Downgrade[] }) {
  const { t } = useTranslation();
  if (people.length === 0)
    return (
      <Text size="sm" c="dimmed" role="status">
        {t('teams.no_downgrades')}
      </Text>
    );
  return (
    <Alert
      color="orange"
      variant="light"
      role="status"
      icon={<IconUserDown size={20} stroke={1.6} />}
      title={t('teams.downgrades', { count: people.length })}
    >
      <Text size="sm" mb="sm">
        {t('teams.downgrades_text')}
      </Text>
      <Stack component="ul" gap="sm" m={0} p={0} mah={280} style={{ listStyle: 'none', overflowY: 'auto' }}>
        {people.map((person) => (
          <li key={person.id}>
            <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
              {person.name}{' '}
              <Text span size="xs" fw={400}>
                {person.email}
              </Text>
            </Text>
            <Group gap={6} component="span">
              <Place role={person.role_name} level={person.scope_level} />
              <IconArrowRight size={14} stroke={1.8} role="img" aria-label={t('teams.then')} />
              <Place role={person.new_role_name} level={person.new_scope_level} />
            </Group>
            <Text size="xs">
              {[
                person.loses > 0 && t('teams.loses', { count: person.loses }),
                person.gains > 0 && t('teams.gains', { count: person.gains }),
              ]
                .filter(Boolean)
                .join(' · ')}
            </Text>
          </li>
        ))}
      </Stack>
    </Alert>
  );
}

function Place({ role, level }: { role: string; level: number }) {
  const { t } = useTranslation();
  return (
    <Text span size="sm">
      {`${t(keyIn('roles', role), { defaultValue: role })} · ${t(keyIn('scope_level', level))}`}
    </Text>
  );
}
