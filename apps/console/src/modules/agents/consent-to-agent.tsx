import { AGENT_KEY_DAYS, connectAgent } from '@heliograph/contract/api/agent-connection';
import { Alert, Button, Group, List, SegmentedControl, Stack, Switch, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../platform/action.ts';
import { call } from '../../platform/call.ts';
import { useSession } from '../../platform/session.ts';
import { AgentFacts } from './agent-facts.tsx';
import type { AgentClient, AgentRequest } from './connect-agent.tsx';

interface ConsentToAgentProps {
  client: AgentClient;
  request: AgentRequest;
  /** Corporation that pays for what the program sends. */
  payer: string;
  leave: (to: string) => void;
}

/** Form in which a person gives a program rights: reading, and only if they say so, sending. */
export function ConsentToAgent({ client, request, payer, leave }: ConsentToAgentProps) {
  const { t } = useTranslation();
  const person = useSession((s) => s.profile?.name ?? '');
  const [writes, setWrites] = useState(false);
  const [mode, setMode] = useState<'live' | 'test'>('live');
  const { busy, run, failure, fault } = useAction('form');
  const { client_id = '', redirect_uri = '', code_challenge = '', state, resource } = request;

  const connect = () =>
    run(async () => {
      const { data } = await call(connectAgent, {
        body: { client_id, redirect_uri, code_challenge, state, resource, scope: writes ? 'write' : 'read', mode },
      });
      leave(data.redirect);
    });

  return (
    <Stack gap="md">
      <AgentFacts client={client} />
      <Alert color="orange" variant="light" icon={<IconAlertTriangle size={20} stroke={1.6} aria-hidden />}>
        {t('connect_agent.begun_by_you')}
      </Alert>
      <div>
        <Text size="sm" fw={600} mb={4}>
          {t('connect_agent.may')}
        </Text>
        <List size="sm" spacing={2}>
          <List.Item>{t('connect_agent.reads_messages')}</List.Item>
          <List.Item>{t('connect_agent.reads_contacts')}</List.Item>
          <List.Item>{t('connect_agent.reads_account')}</List.Item>
        </List>
      </div>
      <Switch
        checked={writes}
        onChange={(event) => setWrites(event.currentTarget.checked)}
        label={t('connect_agent.writes')}
        description={writes ? t('connect_agent.writes_on', { payer }) : t('connect_agent.writes_off')}
      />
      <div>
        <SegmentedControl
          fullWidth
          size="sm"
          aria-label={t('connect_agent.mode')}
          value={mode}
          onChange={(value) => setMode(value as 'live' | 'test')}
          data={[
            { value: 'live', label: t('api_key_mode.live') },
            { value: 'test', label: t('api_key_mode.test') },
          ]}
        />
        <Text size="xs" c="dimmed" mt={6}>
          {t(`connect_agent.sees.${mode}`)} {writes && t(`connect_agent.sends.${mode}`)}
        </Text>
      </div>
      <Text size="xs" c="dimmed">
        {t('connect_agent.until', { person, count: AGENT_KEY_DAYS })}
      </Text>
      {failure && (
        <Alert color="red" variant="light" role="alert">
          {fault ?? failure}
        </Alert>
      )}
      <Group gap="sm" grow>
        <Button variant="default" onClick={() => leave(client.refusal)} disabled={busy}>
          {t('connect_agent.refuse')}
        </Button>
        <Button onClick={() => void connect()} loading={busy}>
          {t('connect_agent.connect')}
        </Button>
      </Group>
    </Stack>
  );
}
