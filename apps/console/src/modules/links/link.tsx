import { LINK_COUNTERS, link } from '@heliograph/contract/links/link';
import { senderRegistration } from '@heliograph/contract/senders/sender-registration';
import { Alert, Anchor, Button, Group, SimpleGrid, Stack, Table, Text } from '@mantine/core';
import { IconEdit, IconPlugConnectedX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { useMay } from '../../platform/session.ts';
import { Cell } from '../../resource/columns.tsx';
import { OneRecord } from '../../resource/one-record.tsx';
import { Fact } from '../../ui/fact.tsx';
import { Link } from '../../ui/link.tsx';
import { PageActions } from '../../ui/page-actions.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Section } from '../../ui/section.tsx';
import { DecisionList } from '../carrier-quality/index.ts';
import { BindTest } from './bind-test.tsx';
import { CallbackAddresses } from './callback-addresses.tsx';
import { linkActions } from './link-actions.tsx';
import { type LinkRow, useLinkFeed } from './link-feed.ts';
import { LinkHistory } from './link-history.tsx';
import { LinkLimits } from './link-limits.tsx';
import { LinkSettings } from './link-settings.tsx';
import { faultWords, LinkState } from './link-state.tsx';
import { LinkTruth } from './link-truth.tsx';

const REFRESH_MS = 5_000;

/** Page of one link: its state, its traffic, its errors, and its settings. */
export function LinkPage() {
  const { t } = useTranslation();
  return (
    <OneRecord name="links" operation={link.get} notFound={t('link.not_there')} refreshEvery={REFRESH_MS}>
      {(row) => <Loaded row={row} />}
    </OneRecord>
  );
}

function Loaded({ row }: { row: LinkRow }) {
  const { t } = useTranslation();
  useLinkFeed(row.id);
  const navigate = useNavigate();
  const [testing, setTesting] = useState(false);
  const mayEdit = useMay(link.permissions.edit) && row.abilities.edit;
  const mayQuality = useMay('carrier-quality-index');
  const mayRegister = useMay(senderRegistration.permissions.index);
  const unheld = row.state === 'down' && row.holder === null;
  return (
    <>
      <PageHeader
        title={
          <Group component="span" gap={12}>
            <span style={{ overflowWrap: 'anywhere' }}>{row.name}</span>
            <LinkState state={row.state} size="md" />
          </Group>
        }
        subtitle={t(`link_state_hint.${unheld ? 'down_unheld' : row.state}`)}
        crumbs={[{ label: t('menu.links'), to: '/links' }]}
        actions={
          <PageActions name={row.name} actions={linkActions(row, () => setTesting(true))}>
            {mayEdit && (
              <Button
                leftSection={<IconEdit size={16} stroke={1.6} aria-hidden />}
                onClick={() => void navigate({ to: `/links/${row.id}/edit` })}
              >
                {t('actions.edit')}
              </Button>
            )}
          </PageActions>
        }
      />
      <Stack gap="md">
        {row.state === 'down' && <Down row={row} />}
        {row.live?.refusal && row.state !== 'disabled' && row.state !== 'down' && (
          <Alert color="red" variant="light" title={t('link.refused')}>
            {faultWords(row.live.refusal.code)}
          </Alert>
        )}
        <LinkHistory row={row} />
        <LinkLimits id={row.id} />
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          <Now row={row} />
          <Counters row={row} />
        </SimpleGrid>
        <Faults row={row} />
        <LinkTruth row={row} />
        {mayQuality && (
          <Section title={t('carrier_quality.decisions')}>
            <DecisionList link_id={row.id} />
          </Section>
        )}
        {mayRegister && <Registrations row={row} />}
        {row.protocol === 'http' && mayEdit && <CallbackAddresses row={row} />}
        <LinkSettings row={row} />
      </Stack>
      {testing && <BindTest row={row} onClose={() => setTesting(false)} />}
    </>
  );
}

/** Reason why a link is down, with the seconds until its next try. */
function Down({ row }: { row: LinkRow }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  const reason = row.live?.refusal ?? row.live?.faults[0];
  const next = row.holder === null ? null : row.live?.next_try_at;
  const seconds = next ? Math.max(0, Math.ceil((Date.parse(next) - now) / 1_000)) : null;
  return (
    <Alert
      color="red.9"
      variant="filled"
      icon={<IconPlugConnectedX size={20} aria-hidden />}
      title={row.state_since ? t('link.down_since', { time: format.instant(row.state_since) }) : t('link_state.down')}
    >
      {row.live?.refusal && `${t('link.refused')}. `}
      {reason && row.holder !== null && `${faultWords(reason.code)} `}
      {row.holder === null && t('link_state_hint.down_unheld')}
      {seconds !== null && (
        <span style={{ whiteSpace: 'nowrap' }} aria-live="off">
          {seconds === 0 ? t('link.trying') : t('link.next_try', { count: seconds })}
        </span>
      )}
    </Alert>
  );
}

const Facts = ({ children }: { children: ReactNode }) => (
  <SimpleGrid component="dl" cols={{ base: 1, xs: 2 }} m={0} spacing="md">
    {children}
  </SimpleGrid>
);

function Now({ row }: { row: LinkRow }) {
  const { t } = useTranslation();
  const format = useFormat();
  const live = row.holder ? row.live : null;
  const learning = live?.learning;
  return (
    <Section title={t('link.now')}>
      <Facts>
        <Fact label={t('link.sessions')}>{live ? t('link.sessions_of', live.sessions) : '–'}</Fact>
        <Fact label={t('link.in_flight')}>{live ? format.integer(live.in_flight) : '–'}</Fact>
        <Fact label={t('resources.links.fields.state_since')}>
          <Cell show="instant" value={row.state_since} />
        </Fact>
        <Fact label={t('resources.links.fields.holder')}>{row.holder ?? t('link.nobody')}</Fact>
      </Facts>
      {row.id_rule === 'learn' && (row.learned_id_rule || learning) && (
        <Text size="sm">
          {row.learned_id_rule
            ? t('link.learned', { n: row.learned_receipts ?? 0, rule: t(`link_id_rule.${row.learned_id_rule}`) })
            : t('link.learning', { ...learning })}
        </Text>
      )}
    </Section>
  );
}

function Counters({ row }: { row: LinkRow }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { live } = row;
  return (
    <Section title={t('link.counters')}>
      {live ? (
        <Table withRowBorders={false} verticalSpacing={4} horizontalSpacing={0}>
          <Table.Thead>
            <Table.Tr>
              <Table.Td />
              <Table.Th ta="right">{t('link.minute')}</Table.Th>
              <Table.Th ta="right">{t('link.total', { time: format.instant(live.counting_since) })}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {LINK_COUNTERS.map((counter) => (
              <Table.Tr key={counter}>
                <Table.Th scope="row" fw={400}>
                  {t(`link_counter.${counter}`)}
                </Table.Th>
                <Table.Td ta="right">{format.integer(live.minute[counter])}</Table.Td>
                <Table.Td ta="right">{format.integer(live.total[counter])}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      ) : (
        <Text size="sm" c="dimmed">
          {t('common.no_data')}
        </Text>
      )}
    </Section>
  );
}

function Faults({ row }: { row: LinkRow }) {
  const { t } = useTranslation();
  const faults = row.live?.faults ?? [];
  return (
    <Section title={t('link.faults')}>
      {faults.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('link.no_faults')}
        </Text>
      ) : (
        <Stack gap="sm">
          {faults.map(({ at, code, count }) => (
            <div key={code}>
              <Text size="sm">{faultWords(code)}</Text>
              <Text size="xs" c="dimmed">
                <Cell show="instant" value={at} />
                {count > 1 && ` · ${t('link.times', { n: count })}`} · {code}
              </Text>
            </div>
          ))}
        </Stack>
      )}
    </Section>
  );
}

/** Number of sender IDs that are registered with the link's carrier, and the way to their list. */
function Registrations({ row }: { row: LinkRow }) {
  const { t } = useTranslation();
  const format = useFormat();
  const filter = { link_id: row.id, state: 'registered' } as const;
  const found = useQuery({
    queryKey: [senderRegistration.name, 'at', row.id],
    queryFn: ({ signal }) => call(senderRegistration.list, { query: { ...filter, page: 1, per_page: 10 }, signal }),
  });
  return (
    <Section
      title={t('link.registrations')}
      actions={
        <Anchor
          component={Link}
          to="/sender-registrations"
          search={{ link_id: String(row.id), state: 'registered' }}
          size="sm"
        >
          {t('sender.registration.all')}
        </Anchor>
      }
    >
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        <b>{found.data ? format.integer(found.data.meta.total) : '–'}</b>
        {(found.data?.data ?? []).map(({ sender_id_name }) => ` · ${sender_id_name}`)}
      </Text>
      {!row.asks_registration && (
        <Text size="sm" c="dimmed">
          {t('sender.registration.not_asked')}
        </Text>
      )}
    </Section>
  );
}
