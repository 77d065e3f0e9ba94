import { Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Fact } from '../../ui/fact.tsx';
import type { AgentClient } from './connect-agent.tsx';

/** Name of a program and the place it sends people back to, with what each of them proves. */
export function AgentFacts({ client }: { client: AgentClient }) {
  const { t } = useTranslation();
  return (
    <Stack component="dl" gap="sm" m={0}>
      <Fact label={t('connect_agent.program')}>
        {client.name}
        <Note>
          {client.known_by === null
            ? t('connect_agent.name_unproven')
            : t('connect_agent.name_known', { host: client.known_by })}
        </Note>
      </Fact>
      <Fact label={t('connect_agent.sends_back')}>
        {client.host}
        <Note>{t(`connect_agent.place.${client.place}`)}</Note>
      </Fact>
    </Stack>
  );
}

const Note = ({ children }: { children: string }) => (
  <Text component="span" display="block" size="xs" c="dimmed" fw={400}>
    {children}
  </Text>
);
