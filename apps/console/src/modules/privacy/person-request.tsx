import { isMask } from '@heliograph/contract/kernel/masking';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import {
  erasePerson,
  erasureCertificate,
  exportPerson,
  getPersonRequest,
  type PersonKind,
} from '@heliograph/contract/privacy/person-request';
import { Alert, Anchor, Button, Group, Loader, Paper, Stack, Table, Text } from '@mantine/core';
import { IconCertificate, IconDownload, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { addressOf, call } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { openFile } from '../../platform/open-file.ts';
import { sentenceOf } from '../../platform/problem.ts';
import { useMay, useNumbersHidden } from '../../platform/session.ts';
import { ReportDownload } from '../../resource/report-download.tsx';
import { Link } from '../../ui/link.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { AskedErasure, Confirm, Erase } from './erase-person.tsx';
import { PersonState } from './person-state.tsx';

type Request = ReplyOf<typeof getPersonRequest>['data'];

const REFRESH_MS = 2_000;
const ICON = { size: 16, stroke: 1.6, 'aria-hidden': true } as const;

/** Screens that show records of a kind, with the number in the place of `#`. */
const SCREENS: Partial<Record<PersonKind, string>> = {
  messages: '/transactions?number=#',
  waiting: '/transactions?number=#',
  inbox: '/inbox?search=#',
  lists: '/number-lists',
  opt_outs: '/opt-outs?search=#',
  blacklist: '/blacklist-numbers?search=#',
  consents: '/consents?search=#',
  deliveries: '/http-deliveries',
  campaigns: '/campaigns',
  log: '/activity-logs',
};

/** Page of one search for a person: what is kept, by kind, and what can be done with it. */
export function PersonRequestPage() {
  const { t } = useTranslation();
  const id = Number(useParams({ strict: false, select: (params) => (params as { id?: string }).id }));
  const { data, error } = useQuery({
    queryKey: ['privacy', id],
    queryFn: ({ signal }) => call(getPersonRequest, { params: { id }, signal }),
    refetchInterval: ({ state }) =>
      state.data && ['searching', 'erasing'].includes(state.data.data.state) ? REFRESH_MS : false,
  });
  const request = data?.data;
  return (
    <>
      <PageHeader
        title={request ? (request.number ?? t('person.number_gone')) : t('menu.person-request')}
        subtitle={request && (request.corporation_name ?? t('person.everywhere'))}
        crumbs={[{ label: t('menu.privacy'), to: '/privacy' }]}
        actions={request && <Actions request={request} />}
      />
      {error && <Alert color="red">{sentenceOf(error)}</Alert>}
      {request && (
        <Stack gap="lg">
          <AskedErasure request={request} />
          <Found request={request} />
        </Stack>
      )}
    </>
  );
}

/** Buttons for what can be done with the records of a person. */
function Actions({ request }: { request: Request }) {
  const { t } = useTranslation();
  const numbersHidden = useNumbersHidden();
  const mayExport = useMay(exportPerson.permission!) && !numbersHidden;
  const mayErase = useMay(erasePerson.permission!);
  const [asked, setAsked] = useState<'export' | 'erase' | null>(null);
  const { id, state } = request;
  if (state === 'erased')
    return (
      <Button
        variant="default"
        leftSection={<IconCertificate {...ICON} />}
        onClick={() => void openFile(addressOf(erasureCertificate, { params: { id } }), `erasure-${id}.pdf`)}
      >
        {t('person.certificate')}
      </Button>
    );
  if (state === 'asked') return mayErase && <Confirm request={request} />;
  if (state !== 'found' || request.found?.length === 0) return null;
  return (
    <Group gap="xs">
      {mayExport && (
        <Button variant="default" leftSection={<IconDownload {...ICON} />} onClick={() => setAsked('export')}>
          {t('person.export')}
        </Button>
      )}
      {mayErase && (
        <Button
          variant="default"
          c="var(--mantine-color-error)"
          leftSection={<IconTrash {...ICON} />}
          onClick={() => setAsked('erase')}
        >
          {t('person.erase')}
        </Button>
      )}
      {asked === 'export' && (
        <ReportDownload operation={exportPerson} params={{ id }} query={{}} onClose={() => setAsked(null)} />
      )}
      {asked === 'erase' && <Erase request={request} onClose={() => setAsked(null)} />}
    </Group>
  );
}

/** Records of a person by kind. */
function Found({ request }: { request: Request }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { found, state, number, erased } = request;
  const done = new Map(erased.map(({ kind, count }) => [kind, count]));
  const kinds = [...new Map([...(found ?? []), ...erased].map((each) => [each.kind, each])).keys()];
  const foundOf = (kind: PersonKind) => found?.find((each) => each.kind === kind)?.count ?? 0;
  const wasErased = state === 'erasing' || state === 'erased';
  return (
    <Paper className="app-card" p="lg">
      <Group gap="sm" mb={found?.length ? 'md' : 0}>
        <PersonState state={state} />
        {found === null && (
          <>
            <Loader size="xs" />
            <Text size="sm">{t('person.searching')}</Text>
          </>
        )}
        {state === 'erasing' && <Text size="sm">{t('person.erasing')}</Text>}
        {found?.length === 0 && <Text size="sm">{t('person.nothing')}</Text>}
      </Group>
      {kinds.length > 0 && (
        <Table aria-label={t('person.count')}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('person.kind_title')}</Table.Th>
              <Table.Th ta="right">{t('person.count')}</Table.Th>
              {wasErased && <Table.Th ta="right">{t('person.erased')}</Table.Th>}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {kinds.map((kind) => {
              const screen = number === null || isMask(number) ? undefined : SCREENS[kind]?.replace('#', number);
              return (
                <Table.Tr key={kind}>
                  <Table.Td>
                    {screen ? (
                      <Anchor component={Link} to={screen} size="sm">
                        {t(`person.kind.${kind}`)}
                      </Anchor>
                    ) : (
                      t(`person.kind.${kind}`)
                    )}
                  </Table.Td>
                  <Table.Td ta="right">{format.integer(foundOf(kind))}</Table.Td>
                  {wasErased && <Table.Td ta="right">{format.integer(done.get(kind) ?? 0)}</Table.Td>}
                </Table.Tr>
              );
            })}
          </Table.Tbody>
        </Table>
      )}
    </Paper>
  );
}
