import { keyIn } from '@heliograph/contract/kernel/message-keys';
import type { Operation, ReplyOf } from '@heliograph/contract/kernel/operation';
import { Select, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { type ComponentProps, type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { request } from '../platform/call.ts';
import { useZone } from '../platform/format.ts';
import { useMay } from '../platform/session.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import type { RowOf } from './columns.tsx';
import { CursorList } from './cursor-list.tsx';
import { FiguresAsOf } from './figures-as-of.tsx';
import { InZone } from './in-zone.tsx';
import { useListQuery } from './list-query.ts';
import { moved, type PeriodFault, periodFault, todayIn } from './period.ts';
import { PeriodInput } from './period-input.tsx';
import { ReportDownload } from './report-download.tsx';
import classes from './report-frame.module.css';
import { filterName } from './toolbar.tsx';

/** Days before today with which a report begins that has no period in its address. */
const USUAL_DAYS = 30;

/** Returns the parameters of the address, and the period among them. */
export function useReportPeriod() {
  const search = useSearch({ strict: false }) as Record<string, string | undefined>;
  const today = todayIn(useZone());
  const from = search['from'] ?? moved(today, -USUAL_DAYS);
  const to = search['to'] ?? today;
  return { search, today, from, to, fault: periodFault(from, to, today) };
}

interface ChoiceProps<Value extends string> extends Pick<ComponentProps<typeof Select>, 'label'> {
  values: readonly Value[];
  labelOf: (value: Value) => string;
  value: Value;
  onChange: (value: Value) => void;
}

/** Select of one of a report's kinds; one is always chosen. */
export function Choice<Value extends string>({ values, labelOf, value, onChange, label }: ChoiceProps<Value>) {
  return (
    <Select
      label={label}
      allowDeselect={false}
      data={values.map((each) => ({ value: each, label: labelOf(each) }))}
      value={value}
      onChange={(next) => onChange(next as Value)}
    />
  );
}

/** Input of a report's period, which is kept in the address. */
export function ReportPeriod({ from, to, today, fault }: Omit<ReturnType<typeof useReportPeriod>, 'search'>) {
  const query = useListQuery(NO_NAMES);
  return (
    <PeriodInput
      {...{ today, fault }}
      value={[from, to]}
      onChange={([start, end]) => query.set({ from: start, to: end })}
      onClear={() => query.set({ from: undefined, to: undefined })}
    />
  );
}

type ListProps<O extends Operation, Row extends { id: number }> = ComponentProps<typeof CursorList<O, Row>>;

interface ReportFrameProps<O extends Operation, Row extends { id: number }>
  extends Pick<ListProps<O, Row>, 'columns' | 'title' | 'filters' | 'rowActions' | 'onRowClick'> {
  /** Path of the screen, and name of its list. People with the permission `<name>-download` may export. */
  name: 'margins' | 'resale-margins' | 'summary-reports';
  operation: O;
  /** Call that writes the rows to a file. */
  exported: Operation;
  withCosts?: boolean;
  subtitle: string;
  /** Set if days are those of the platform, not of the person's screen. */
  platformDays?: boolean;
  actions?: ReactNode;
  /** Inputs of what the report shows, above it. */
  choices: (sums: ReplyOf<O> | undefined) => ReactNode;
  fault: PeriodFault | 'report_year' | undefined;
  /** Parameters that the choices decide. */
  fixed: Record<string, unknown>;
  /** Sums of the selection, above its rows. */
  totals: (sums: ReplyOf<O>) => ReactNode;
  /** Text for a report without rows. */
  emptyText: string;
}

/** Report: its choices, the sums of the whole selection, the rows with filters, and their file. */
export function ReportFrame<O extends Operation, Row extends { id: number } = RowOf<O> & { id: number }>(
  props: ReportFrameProps<O, Row>,
) {
  const { name, operation, exported, fault, fixed, filters = [] } = props;
  const { t } = useTranslation();
  const mayExport = useMay(`${name}-download`);
  const [asked, setAsked] = useState<Record<string, unknown> | null>(null);
  const names = filters.map(filterName).join();
  const query = useListQuery(useMemo(() => names.split(','), [names]));
  const sums = useQuery({
    queryKey: [name, 'sums', fixed, query.filters],
    queryFn: ({ signal }) =>
      request(operation, { query: { ...fixed, ...query.filters, limit: 1 }, signal }) as Promise<ReplyOf<O>>,
    enabled: !fault,
  });
  return (
    <>
      <PageHeader
        title={t(keyIn('menu', name))}
        subtitle={
          <>
            {props.subtitle}
            {!props.platformDays && <InZone />}
            <FiguresAsOf of={operation} />
          </>
        }
        actions={props.actions}
      />
      <div className={classes['choices']}>{props.choices(sums.data)}</div>
      {fault ? (
        <div className="app-card">
          <EmptyState title={t('report.no_period')} text={t(`validation.${fault}`)} />
        </div>
      ) : (
        <Stack gap="lg">
          {sums.data && props.totals(sums.data)}
          <div>
            <CursorList<O, Row>
              {...{ name, operation, fixed, filters }}
              title={props.title}
              header={null}
              columns={props.columns}
              rowActions={props.rowActions}
              onRowClick={props.onRowClick}
              empty={<EmptyState of={name} learn title={t('common.no_data')} text={props.emptyText} />}
              exportLabel={t('report_format.export')}
              {...(mayExport ? { onExport: async (wanted: Record<string, unknown>) => setAsked(wanted) } : {})}
            />
          </div>
        </Stack>
      )}
      {asked && (
        <ReportDownload
          {...(props.withCosts ? { withCosts: true } : {})}
          operation={exported}
          query={asked}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  );
}

const NO_NAMES: readonly string[] = [];
