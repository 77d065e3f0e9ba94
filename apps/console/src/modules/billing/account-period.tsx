import { accountStatementTotals, exportAccountStatement } from '@heliograph/contract/billing/account-statement';
import { PRINTED_FORMATS } from '@heliograph/contract/kernel/file-format';
import { Button, Group, SegmentedControl, SimpleGrid, Skeleton, Stack } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { useFormat, useZone } from '../../platform/format.ts';
import { useMay } from '../../platform/session.ts';
import { moved, movedMonths, periodFault, todayIn } from '../../resource/period.ts';
import { PeriodInput } from '../../resource/period-input.tsx';
import { ReportDownload } from '../../resource/report-download.tsx';
import { Fact } from '../../ui/fact.tsx';
import classes from './account-lines.module.css';

const KINDS = ['all', 'this_month', 'last_month', 'custom'] as const;
type Kind = (typeof KINDS)[number];
const SUMS = ['opening', 'added', 'spent', 'closing'] as const;

/** First and last day of a statement, both included. */
export interface StatementPeriod {
  from: string;
  to: string;
}

function periodOf(kind: Kind, today: string): StatementPeriod | null {
  const first = `${today.slice(0, 8)}01`;
  if (kind === 'this_month') return { from: first, to: today };
  if (kind === 'last_month') return { from: movedMonths(first, -1), to: moved(first, -1) };
  return null;
}

/** Choice of a statement's period, the sums of its lines, and their export. */
export function AccountPeriod(props: {
  accountId: number;
  period: StatementPeriod | null;
  onChange: (period: StatementPeriod | null) => void;
}) {
  const { t } = useTranslation();
  const { accountId, period, onChange } = props;
  const today = todayIn(useZone());
  const mayExport = useMay('credit-changes-download');
  const [kind, setKind] = useState<Kind>('all');
  const [exporting, setExporting] = useState(false);
  const [custom, setCustom] = useState<readonly [string | null, string | null]>([null, null]);
  const fault = custom[0] && custom[1] ? periodFault(custom[0], custom[1], today) : undefined;
  return (
    <Stack gap="md" mb="md">
      <Group gap="sm" align="flex-end">
        <SegmentedControl
          aria-label={t('report.period')}
          classNames={{ label: classes.choice! }}
          data={KINDS.map((each) => ({ value: each, label: t(`account_period.${each}`) }))}
          value={kind}
          onChange={(chosen) => {
            setKind(chosen as Kind);
            if (chosen !== 'custom') onChange(periodOf(chosen as Kind, today));
          }}
        />
        {kind === 'custom' && (
          <PeriodInput
            today={today}
            fault={fault}
            value={[...custom]}
            onChange={([from, to]) => {
              setCustom([from, to]);
              if (!periodFault(from, to, today)) onChange({ from, to });
            }}
          />
        )}
        {mayExport && period && (
          <Button
            ml="auto"
            variant="default"
            leftSection={<IconDownload size={16} stroke={1.6} aria-hidden />}
            onClick={() => setExporting(true)}
          >
            {t('report_format.export')}
          </Button>
        )}
      </Group>
      {period && <Totals accountId={accountId} period={period} />}
      {exporting && period && (
        <ReportDownload
          operation={exportAccountStatement}
          params={{ id: accountId }}
          query={{ ...period }}
          formats={PRINTED_FORMATS}
          onClose={() => setExporting(false)}
        />
      )}
    </Stack>
  );
}

function Totals({ accountId, period }: { accountId: number; period: StatementPeriod }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { data } = useQuery({
    queryKey: ['credit-changes', 'statement-totals', accountId, period],
    queryFn: ({ signal }) => call(accountStatementTotals, { params: { id: accountId }, query: period, signal }),
  });
  if (!data) return <Skeleton h={48} />;
  return (
    <SimpleGrid component="dl" cols={{ base: 2, sm: 4 }} m={0} spacing="md">
      {SUMS.map((sum) => (
        <Fact key={sum} label={t(`account_period.${sum}`)}>
          {format.money(data.data[sum], data.data.currency)}
        </Fact>
      ))}
    </SimpleGrid>
  );
}
