import {
  type contactImport,
  getContactImport,
  listRefusedContacts,
  mendContacts,
  undoContactImport,
} from '@heliograph/contract/audience/contact-import';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { Button, Group, Stack, Table, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { call } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { sentenceOf } from '../../platform/problem.ts';
import { toast } from '../../platform/toast.ts';
import { labelOf } from '../../resource/columns.tsx';
import { openDialog } from '../../ui/dialogs.ts';

type Import = z.output<typeof contactImport>;
type Rows = ReplyOf<typeof listRefusedContacts>;
type Row = Rows['data'][number];
type Fault = Row['faults'][number];
type Edits = Readonly<Record<number, Readonly<Record<string, string>>>>;

const POLL_MS = 1_000;

/** Refused rows of an import that has ended, to be mended, and the way back. */
export function ContactMending({ importId }: { importId: number }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const format = useFormat();
  const query = useQuery({
    queryKey: ['contact-imports', importId],
    queryFn: async ({ signal }) => (await call(getContactImport, { params: { id: importId }, signal })).data,
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.undo === 'undoing' ? POLL_MS : false),
  });
  const row = query.data;
  if (!row) return null;
  const changed = () => {
    void client.invalidateQueries({ queryKey: ['contact-imports'] });
    void client.invalidateQueries({ queryKey: ['contacts'] });
  };
  return (
    <Stack mt="md">
      {row.rows_to_mend > 0 && <Grid row={row} onMended={changed} />}
      {row.undo === 'undoing' && <Text size="sm">{t('contact_import.undoing')}</Text>}
      {row.undo === 'undone' && (
        <Text size="sm" role="status">
          {t('contact_import.undone', {
            undone: format.integer(row.rows_undone),
            kept: format.integer(row.rows_kept),
          })}
        </Text>
      )}
      {row.undo_until !== null && (
        <Group>
          <Button variant="default" onClick={() => undo(t, row.id, changed)}>
            {t('contact_import.undo')}
          </Button>
        </Group>
      )}
    </Stack>
  );
}

function undo(t: ReturnType<typeof useTranslation>['t'], id: Import['id'], done: () => void): void {
  openDialog({
    title: t('contact_import.undo_title'),
    text: t('contact_import.undo_text'),
    confirm: t('contact_import.undo'),
    danger: true,
    onConfirm: async () => {
      try {
        await call(undoContactImport, { params: { id } });
      } catch (error) {
        void toast('error', sentenceOf(error));
      }
      done();
    },
  });
}

/** Grid of refused rows, in which a person corrects the marked cells. */
function Grid({ row, onMended }: { row: Import; onMended: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [after, setAfter] = useState(0);
  const [edits, setEdits] = useState<Edits>({});
  /** Faults that the last attempt has found, by line. */
  const [again, setAgain] = useState<ReadonlyMap<number, Row>>(new Map());
  const [saving, setSaving] = useState(false);
  const query = useQuery({
    queryKey: ['contact-imports', row.id, 'rows', after],
    queryFn: ({ signal }) => call(listRefusedContacts, { params: { id: row.id }, query: { after }, signal }),
    staleTime: 0,
  });
  const rows = (query.data?.data ?? []).map((each) => again.get(each.line) ?? each);
  const columns = query.data?.columns ?? [];
  const next = query.data?.next ?? null;
  const set = (line: number, target: string, text: string) =>
    setEdits((before) => ({ ...before, [line]: { ...before[line], [target]: text } }));
  const suggested = rows.flatMap(({ line, faults }) =>
    faults.flatMap(({ field, fault, suggestion }) => (suggestion === null ? [] : [{ line, field, fault, suggestion }])),
  );
  const applyAll = (chosen: typeof suggested) => {
    for (const { line, field, suggestion } of chosen) set(line, field, suggestion);
  };
  const sameAs = ({ field, fault }: Fault) => suggested.filter((each) => each.field === field && each.fault === fault);
  async function send() {
    const mended = rows.filter(({ line }) => edits[line]);
    setSaving(true);
    try {
      const { data } = await call(mendContacts, {
        params: { id: row.id },
        body: { rows: mended.map(({ line }) => ({ line, cells: edits[line]! })) },
      });
      setAgain(new Map([...again, ...data.refused.map((each) => [each.line, each] as const)]));
      void toast(
        data.refused.length > 0 ? 'info' : 'success',
        t('contact_import.mended', { count: data.imported, replace: { count: format.integer(data.imported) } }),
      );
      onMended();
    } catch (error) {
      void toast('error', sentenceOf(error));
    } finally {
      setSaving(false);
    }
  }
  return (
    <Stack gap="xs" component="section" aria-label={t('contact_import.mend')}>
      <Text fw={600}>{t('contact_import.mend')}</Text>
      <Text size="sm" c="dimmed">
        {`${t('contact_import.to_mend', { count: row.rows_to_mend, replace: { count: format.integer(row.rows_to_mend) } })}. ${t('contact_import.mend_hint')}`}
      </Text>
      <Table.ScrollContainer minWidth={Math.min(1_400, 90 + columns.length * 170)}>
        <Table verticalSpacing="xs" aria-label={t('contact_import.mend')}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th w={64}>{t('contact_import.row')}</Table.Th>
              {columns.map(({ target, name }) => (
                <Table.Th key={target}>{name ?? labelOf('contacts', target)}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((each) => (
              <GridRow
                key={each.line}
                row={each}
                columns={columns}
                edited={edits[each.line] ?? {}}
                onEdit={set}
                alike={(fault) => sameAs(fault).length}
                onUseAlike={(fault) => applyAll(sameAs(fault))}
              />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <Group>
        <Button loading={saving} disabled={!rows.some(({ line }) => edits[line])} onClick={() => void send()}>
          {t('contact_import.mend_submit')}
        </Button>
        {suggested.length > 1 && (
          <Button variant="default" onClick={() => applyAll(suggested)}>
            {t('contact_import.use_all')}
          </Button>
        )}
        {next !== null && (
          <Button variant="subtle" onClick={() => setAfter(next)}>
            {t('contact_import.more')}
          </Button>
        )}
      </Group>
    </Stack>
  );
}

function GridRow(props: {
  row: Row;
  columns: Rows['columns'];
  edited: Readonly<Record<string, string>>;
  onEdit: (line: number, target: string, text: string) => void;
  /** Number of rows with a suggestion for the same fault of the same column. */
  alike: (fault: Fault) => number;
  onUseAlike: (fault: Fault) => void;
}) {
  const { t } = useTranslation();
  const { row, columns, edited, onEdit, alike, onUseAlike } = props;
  return (
    <Table.Tr>
      <Table.Th scope="row" fw={400} c="dimmed" style={{ verticalAlign: 'top' }}>
        {row.line}
      </Table.Th>
      {columns.map(({ target, name }) => {
        const fault = row.faults.find(({ field }) => field === target);
        const text = edited[target] ?? row.cells[target] ?? '';
        const isMended = fault !== undefined && text !== row.cells[target];
        return (
          <Table.Td key={target} style={{ verticalAlign: 'top' }}>
            <TextInput
              size="xs"
              aria-label={`${t('contact_import.row')} ${row.line}, ${name ?? labelOf('contacts', target)}`}
              value={text}
              error={isMended ? undefined : fault?.reason}
              onChange={(event) => onEdit(row.line, target, event.currentTarget.value)}
            />
            {fault?.suggestion != null && !isMended && (
              <Group gap={4} mt={4}>
                <Button size="compact-xs" variant="light" onClick={() => onEdit(row.line, target, fault.suggestion!)}>
                  {t('contact_import.use', { value: fault.suggestion })}
                </Button>
                {alike(fault) > 1 && (
                  <Button size="compact-xs" variant="subtle" onClick={() => onUseAlike(fault)}>
                    {t('contact_import.use_same')}
                  </Button>
                )}
              </Group>
            )}
          </Table.Td>
        );
      })}
    </Table.Tr>
  );
}
