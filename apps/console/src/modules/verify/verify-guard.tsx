import { GUARD_DAYS, guardReport } from '@heliograph/contract/verify/guard-report';
import { verifyService } from '@heliograph/contract/verify/verify-service';
import { Alert, Button, SegmentedControl, SimpleGrid, Stack, Table, Text } from '@mantine/core';
import { IconListCheck, IconShieldCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../platform/action.ts';
import { call } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { readAgain } from '../../platform/queries.ts';
import { useMay } from '../../platform/session.ts';
import type { RowOf } from '../../resource/columns.tsx';
import { OneRecord } from '../../resource/one-record.tsx';
import { openDialog } from '../../ui/dialogs.ts';
import { KpiTile } from '../../ui/kpi-tile.tsx';
import { Link } from '../../ui/link.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Section } from '../../ui/section.tsx';
import { ReputationList } from './reputation-list.tsx';

type Row = RowOf<typeof verifyService.list>;
type Report = Awaited<ReturnType<typeof readReport>>;

const ICON = { size: 16, stroke: 1.6, 'aria-hidden': true } as const;
const MODE_COLORS = { off: 'gray', shadow: 'yellow', enforce: 'teal' } as const;

const readReport = async (id: number, days: number) =>
  (await call(guardReport, { params: { id }, query: { days } })).data;

/** Page of the guard of a verify service: its mode, and what it has decided. */
export function VerifyGuard() {
  const { t } = useTranslation();
  return (
    <OneRecord name="verify-services" operation={verifyService.get} notFound={t('verify_services.not_there')}>
      {(row) => <Loaded row={row} />}
    </OneRecord>
  );
}

function Loaded({ row }: { row: Row }) {
  const { t } = useTranslation();
  const [days, setDays] = useState(7);
  const mayEdit = useMay(verifyService.permissions.edit) && row.abilities.edit;
  const { data: report } = useQuery({
    queryKey: ['verify-services', 'guard', row.id, days],
    queryFn: () => readReport(row.id, days),
    staleTime: 0,
  });
  return (
    <>
      <PageHeader
        title={<span style={{ overflowWrap: 'anywhere' }}>{row.name}</span>}
        crumbs={[{ label: t('menu.verify-services'), to: '/verify-services' }]}
        actions={
          <>
            {mayEdit && report && <ModeButton row={row} report={report} days={days} />}
            <Button
              variant="default"
              component={Link}
              to="/verifications"
              search={{ service_id: String(row.id) }}
              leftSection={<IconListCheck {...ICON} />}
            >
              {t('menu.verifications')}
            </Button>
          </>
        }
      />
      <Stack gap="md">
        <Alert color={MODE_COLORS[row.guard]} variant="light" icon={<IconShieldCheck size={18} aria-hidden />}>
          {t(`verify_guard.mode_${row.guard}`)}
        </Alert>
        <SegmentedControl
          aria-label={t('verify_guard.period')}
          style={{ alignSelf: 'flex-start' }}
          data={GUARD_DAYS.map((count) => ({ value: String(count), label: t('verify_guard.days', { count }) }))}
          value={String(days)}
          onChange={(value) => setDays(Number(value))}
        />
        {report && <Figures report={report} />}
        {report && <Signals report={report} />}
        {mayEdit && <ReputationList id={row.id} />}
      </Stack>
    </>
  );
}

/** Button that changes between shadow mode and refusing, which asks first with the figures of the report. */
function ModeButton({ row, report, days }: { row: Row; report: Report; days: number }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { busy, run } = useAction();
  const change = (guard: Row['guard']) =>
    run(async () => {
      await call(verifyService.updateOne, { params: { id: row.id }, body: { guard } });
      await readAgain(['verify-services']);
    });
  if (row.guard === 'enforce')
    return (
      <Button variant="default" loading={busy} onClick={() => void change('shadow')}>
        {t('verify_guard.shadow')}
      </Button>
    );
  const ask = () =>
    openDialog({
      title: t('verify_guard.enforce_title'),
      text: t('verify_guard.enforce_text', {
        days,
        starts: format.integer(report.starts),
        refused: format.integer(report.would_refuse.starts),
        wrong: format.integer(report.would_refuse.approved),
      }),
      confirm: t('verify_guard.enforce'),
      onConfirm: () => change('enforce'),
    });
  return (
    <Button loading={busy} onClick={ask}>
      {t('verify_guard.enforce')}
    </Button>
  );
}

function Figures({ report }: { report: Report }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { starts, approved, currency, would_refuse: shadow, refused } = report;
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, lg: 3 }}>
      <KpiTile
        label={t('verify_guard.starts')}
        value={format.integer(starts)}
        sub={starts > 0 ? `${t('verify_guard.conversion')}: ${format.percent(approved / starts)}` : undefined}
      />
      <KpiTile label={t('verify_guard.would_refuse')} value={format.integer(shadow.starts)} />
      <KpiTile
        label={t('verify_guard.wrong')}
        value={format.integer(shadow.approved)}
        sub={t('verify_guard.wrong_hint')}
      />
      <KpiTile label={t('verify_guard.could_save')} value={format.money(shadow.saved, currency)} />
      <KpiTile label={t('verify_guard.refused')} value={format.integer(refused.starts)} />
      <KpiTile label={t('verify_guard.saved')} value={format.money(refused.saved, currency)} />
    </SimpleGrid>
  );
}

function Signals({ report: { signals, currency } }: { report: Report }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <Section title={t('verify_guard.by_signal')}>
      {signals.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('verify_guard.no_signals')}
        </Text>
      ) : (
        <Table.ScrollContainer minWidth={460}>
          <Table aria-label={t('verify_guard.by_signal')}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('verify_guard.signal')}</Table.Th>
                <Table.Th ta="right">{t('verify_guard.starts')}</Table.Th>
                <Table.Th ta="right">{t('verify_guard.wrong')}</Table.Th>
                <Table.Th ta="right">{t('resources.verifications.fields.saved')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {signals.map((each) => (
                <Table.Tr key={each.signal}>
                  <Table.Td>{t(`verify_signal_name.${each.signal}`)}</Table.Td>
                  <Table.Td ta="right">{format.integer(each.starts)}</Table.Td>
                  <Table.Td ta="right">{format.integer(each.approved)}</Table.Td>
                  <Table.Td ta="right">{format.money(each.saved, currency)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </Section>
  );
}
