import { keyIn } from '@heliograph/contract/kernel/message-keys';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { applicationLogs, exportApplicationLogs } from '@heliograph/contract/reports/application-log';
import { Anchor, Badge, Code, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../../platform/session.ts';
import type { Column } from '../../resource/columns.tsx';
import { CursorList } from '../../resource/cursor-list.tsx';
import { InZone } from '../../resource/in-zone.tsx';
import { ReportDownload } from '../../resource/report-download.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Link } from '../../ui/link.tsx';
import { LogFigures } from './log-figures.tsx';

type Entry = ReplyOf<typeof applicationLogs>['data'][number];

const COLORS = { info: 'gray', warn: 'orange', error: 'red', fatal: 'red' } as const;

const COLUMNS: readonly Column<Entry>[] = [
  { field: 'logged_at', exact: true, keep: true },
  { field: 'level', cell: (row) => <Level level={row.level} /> },
  { field: 'source', cell: (row) => <Source source={row.source} /> },
  'message',
  {
    field: 'request_id',
    cell: (row) =>
      row.request_id && (
        <Anchor
          component={Link}
          inherit
          to="/application-logs"
          search={{ request_id: row.request_id }}
          onClick={(event) => event.stopPropagation()}
        >
          {row.request_id}
        </Anchor>
      ),
    csv: (row) => row.request_id,
  },
  { field: 'id', hidden: true },
];

function Level({ level }: { level: Entry['level'] }) {
  const { t } = useTranslation();
  return (
    <Badge variant="light" size="sm" color={COLORS[level]} style={{ minWidth: 'max-content' }}>
      {t(`log_level.${level}`)}
    </Badge>
  );
}

function Source({ source }: { source: string }) {
  const { t } = useTranslation();
  return t(keyIn('log_source', source));
}

function Details({ entry }: { entry: Entry }) {
  const { t } = useTranslation();
  return (
    <Stack gap="xs" p="sm">
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {entry.message}
      </Text>
      {Object.keys(entry.details).length > 0 && (
        <Code block tabIndex={0} style={{ maxHeight: 320, overflow: 'auto', whiteSpace: 'pre-wrap' }}>
          {JSON.stringify(entry.details, null, 2).replaceAll('\\n', '\n')}
        </Code>
      )}
      {entry.request_id && (
        <Anchor component={Link} to="/application-logs" search={{ request_id: entry.request_id }} size="sm">
          {t('logs.same_request')}
        </Anchor>
      )}
    </Stack>
  );
}

/** Screen of the log entries of the processes, newest first. */
export function ApplicationLogs() {
  const { t } = useTranslation();
  const mayExport = useMay('application-logs-download');
  const [asked, setAsked] = useState<Record<string, unknown> | null>(null);
  return (
    <>
      <CursorList<typeof applicationLogs, Entry>
        name="application-logs"
        operation={applicationLogs}
        title="message"
        header={{
          subtitle: (
            <>
              {t('logs.subtitle')}
              <InZone />
            </>
          ),
        }}
        columns={COLUMNS}
        filters={[
          { field: 'level', words: 'log_level' },
          { field: 'source', words: 'log_source' },
          'request_id',
          'from',
          'to',
          'since',
          'until',
        ]}
        expand={(row) => <Details entry={row} />}
        refreshEvery={15_000}
        empty={
          <EmptyState of="application-logs" learn title={t('logs.none')} text={t('resources.application-logs.empty')} />
        }
        exportLabel={t('report_format.export')}
        {...(mayExport ? { onExport: async (wanted: Record<string, unknown>) => setAsked(wanted) } : {})}
      >
        <LogFigures />
      </CursorList>
      {asked && <ReportDownload operation={exportApplicationLogs} query={asked} onClose={() => setAsked(null)} />}
    </>
  );
}
