import { agentClient } from '@heliograph/contract/api/agent-connection';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { Alert, Anchor, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { problemFrom, sentenceOf } from '../../platform/problem.ts';
import { useSession } from '../../platform/session.ts';
import { Link } from '../../ui/link.tsx';
import { PublicPage } from '../identity/index.ts';
import { AgentFacts } from './agent-facts.tsx';
import { ConsentToAgent } from './consent-to-agent.tsx';

export type AgentClient = ReplyOf<typeof agentClient>['data'];
/** Request of a program, as it stands in the address. */
export type AgentRequest = Readonly<Record<string, string | undefined>>;

const ASKED = ['response_type', 'state', 'code_challenge', 'code_challenge_method', 'resource'] as const;

/** Leaves for an address of a program, which the server has checked. */
type Leave = (to: string) => void;

/**
 * Screen on which a person lets a program connect itself, or refuses. A program that asks wrongly, or for a person who
 * may not decide, is sent back with its error only when the person says so.
 */
export function ConnectAgent() {
  const { t } = useTranslation();
  const request = useSearch({ strict: false }) as AgentRequest;
  const [left, setLeft] = useState<string | null>(null);
  const { client_id = '', redirect_uri = '' } = request;
  const isWhole = client_id !== '' && redirect_uri !== '';
  const { data, error, refetch } = useQuery({
    queryKey: ['agent-client', request],
    enabled: isWhole,
    retry: false,
    queryFn: ({ signal }) =>
      call(agentClient, {
        query: { client_id, redirect_uri, ...Object.fromEntries(ASKED.map((name) => [name, request[name]])) },
        signal,
      }),
  });
  const leave: Leave = (to) => {
    setLeft(to);
    location.assign(to);
  };
  if (!isWhole || error)
    return <Unknown error={isWhole ? error : null} retry={error && isTransient(error) ? () => void refetch() : null} />;
  if (!data)
    return (
      <PublicPage title={t('menu.connect-agent')}>
        <Skeleton h={240} role="status" aria-label={t('common.loading')} />
      </PublicPage>
    );
  if (left !== null) return <Left client={data.data} to={left} />;
  return <Decision client={data.data} request={request} leave={leave} />;
}

const isTransient = (error: unknown) => {
  const problem = problemFrom(error);
  return problem === undefined || problem.status >= 500 || problem.code === 'agent_client_unreachable';
};

function Unknown({ error, retry }: { error: Error | null; retry: (() => void) | null }) {
  const { t } = useTranslation();
  return (
    <PublicPage title={t('connect_agent.wrong_title')}>
      <Alert color="red" variant="light" role="alert">
        {error ? sentenceOf(error) : t('errors.agent_client_unknown')}
      </Alert>
      <Group gap="sm">
        {retry && <Button onClick={retry}>{t('actions.retry')}</Button>}
        <Button variant="default" component={Link} to="/">
          {t('pages.home')}
        </Button>
      </Group>
    </PublicPage>
  );
}

interface DecisionProps {
  client: AgentClient;
  request: AgentRequest;
  leave: Leave;
}

function Decision({ client, request, leave }: DecisionProps) {
  const { t } = useTranslation();
  const permissions = useSession((s) => s.permissions);
  const corporation = useSession((s) => s.profile?.corporation_name ?? null);
  const mayConnect = permissions.some(({ name }) => name === 'api-keys-create');
  const obstacle =
    client.fault !== null
      ? t('connect_agent.faulty', { error: client.fault })
      : corporation === null
        ? t('connect_agent.no_corporation')
        : mayConnect
          ? null
          : t('connect_agent.no_permission');
  if (obstacle === null)
    return (
      <PublicPage title={t('connect_agent.title', { name: client.name })} text={t('connect_agent.subtitle')}>
        <ConsentToAgent client={client} request={request} payer={corporation ?? ''} leave={leave} />
      </PublicPage>
    );
  return (
    <PublicPage title={t('connect_agent.wrong_title')}>
      <Alert color="red" variant="light" role="alert">
        {obstacle}
      </Alert>
      <AgentFacts client={client} />
      <Button variant="default" onClick={() => leave(client.refusal)}>
        {t('connect_agent.back', { host: client.host })}
      </Button>
    </PublicPage>
  );
}

/** Notice after the decision. An app takes over while this page stays. */
function Left({ client, to }: { client: AgentClient; to: string }) {
  const { t } = useTranslation();
  return (
    <PublicPage title={t('connect_agent.left_title', { name: client.name })}>
      <Stack gap="sm">
        <Text size="sm" role="status">
          {t('connect_agent.left_text')}
        </Text>
        <Anchor href={to} size="sm">
          {t('connect_agent.left_again', { name: client.name })}
        </Anchor>
      </Stack>
    </PublicPage>
  );
}
