import { PRINTED_FORMATS } from '@heliograph/contract/kernel/file-format';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { corporation } from '@heliograph/contract/organizations/corporation';
import { dataProcessing, exportDataProcessing } from '@heliograph/contract/privacy/data-processing';
import { Paper, SimpleGrid, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../../platform/session.ts';
import { CursorList } from '../../resource/cursor-list.tsx';
import { noneYet } from '../../resource/none-yet.ts';
import { ReportDownload } from '../../resource/report-download.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Fact } from '../../ui/fact.tsx';

const NAME = 'data-processing';

type Row = ReplyOf<typeof dataProcessing>['data'][number];

/** Facts of a table, in the order in which they are shown. */
const FACTS = ['columns', 'kept', 'purpose', 'subject', 'readers', 'recipients', 'protection'] as const;

/** Screen of the personal data that is kept: why, for how long, and who reads it. */
export function DataProcessing() {
  const { t } = useTranslation();
  const mayDownload = useMay(exportDataProcessing.permission!);
  const [asked, setAsked] = useState<Record<string, unknown> | null>(null);
  return (
    <>
      <CursorList<typeof dataProcessing, Row>
        name={NAME}
        operation={dataProcessing}
        title="kind"
        header={{ subtitle: t('resources.data-processing.empty') }}
        columns={['kind', 'place', ...FACTS]}
        filters={[{ field: 'corporation_id', to: corporation }]}
        empty={<EmptyState of={NAME} learn title={noneYet(NAME)} text={t('resources.data-processing.empty')} />}
        body={(rows) => rows.map((row) => <Processed key={row.id} row={row} />)}
        exportLabel={t('report_format.export')}
        {...(mayDownload ? { onExport: async (wanted: Record<string, unknown>) => setAsked(wanted) } : {})}
      />
      {asked && (
        <ReportDownload
          operation={exportDataProcessing}
          query={asked}
          formats={PRINTED_FORMATS}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  );
}

/** Facts about one table: their texts are too long for cells. */
function Processed({ row }: { row: Row }) {
  const { t } = useTranslation();
  return (
    <Paper withBorder p="md" mb="sm">
      <Stack gap="xs">
        <Text fw={600}>
          {row.kind}{' '}
          <Text span c="dimmed" size="sm">
            {row.place}
          </Text>
        </Text>
        <SimpleGrid component="dl" cols={{ base: 1, sm: 2 }} spacing="xs" m={0}>
          {FACTS.map((field) => (
            <Fact key={field} label={t(`resources.data-processing.fields.${field}`)}>
              {row[field]}
            </Fact>
          ))}
        </SimpleGrid>
      </Stack>
    </Paper>
  );
}
