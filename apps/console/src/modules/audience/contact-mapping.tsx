import { contactField } from '@heliograph/contract/audience/contact-field';
import { previewContacts } from '@heliograph/contract/audience/contact-import';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { Alert, Button, Group, Select, Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createContext, useContext, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { upload } from '../../platform/call.ts';
import { sentenceOf } from '../../platform/problem.ts';
import { useMay } from '../../platform/session.ts';
import { labelOf } from '../../resource/columns.tsx';
import { FileHead, type FilePreviewProps, idOf, partOf } from '../../resource/file-preview.tsx';
import { FirstRows, ReadingSelects } from '../../resource/reading-choice.tsx';
import { NewContactField } from './new-contact-field.tsx';
import { useContactFields } from './value-fields.tsx';

type Preview = ReplyOf<typeof previewContacts>['data'];
type Column = Preview['columns'][number];
type Order = 'day_first' | 'month_first';

/** Meaning of the columns of a file, as the upload takes it. */
export interface Mapping {
  columns: string;
  day_first: 'true' | 'false' | undefined;
}

/** Corporation of the contacts, and where the mapping is kept until the file is sent. */
export const MappingContext = createContext<{ corporationId: number | null; onChange: (mapping: Mapping) => void }>({
  corporationId: null,
  onChange: () => undefined,
});

const NEW = '+';
const FIELD = 'fields.';
const SHOWN_VALUES = 3;

/** First rows of a file of contacts, and the meaning of each column. */
export function ContactMapping({ picked, onChange, onSend, onOther }: FilePreviewProps) {
  const { file, reading } = picked;
  const { corporationId } = useContext(MappingContext);
  const query = useQuery({
    queryKey: ['contact-import-preview', idOf(file), reading, corporationId],
    queryFn: async ({ signal }) => {
      const asked = { corporation_id: corporationId!, ...reading };
      return (await upload(previewContacts, { query: asked, file: await partOf(file), signal })).data;
    },
    enabled: corporationId !== null,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const shown = query.data;
  const fault = query.error ? sentenceOf(query.error) : shown?.fault;
  return (
    <Stack gap="sm">
      <FileHead file={file} fault={fault} reading={query.isFetching} />
      {shown && (
        <>
          <FirstRows readAs={shown.read_as} rows={shown.rows} />
          <ReadingSelects
            readAs={shown.read_as}
            rows={shown.rows}
            reading={reading}
            onChange={(chosen) => onChange({ file, reading: chosen })}
          />
        </>
      )}
      {shown && !fault ? (
        <Columns key={JSON.stringify(shown.columns)} preview={shown} onSend={onSend} onOther={onOther} />
      ) : (
        <Buttons ready={false} onSend={onSend} onOther={onOther} />
      )}
    </Stack>
  );
}

type Actions = Pick<FilePreviewProps, 'onSend' | 'onOther'>;

function Buttons({ ready, onSend, onOther }: Actions & { ready: boolean }) {
  const { t } = useTranslation();
  return (
    <Group>
      <Button disabled={!ready} onClick={onSend}>
        {t('reading.send')}
      </Button>
      <Button variant="default" onClick={onOther}>
        {t('reading.other')}
      </Button>
    </Group>
  );
}

/** Returns the order that the dates of chosen columns show, or null if it is unclear; undefined if none needs one. */
function orderOf(columns: readonly Column[], isDate: (at: number) => boolean): Order | null | undefined {
  const found = columns.flatMap(({ dates }, at) => (isDate(at) && dates !== null && dates !== 'clear' ? [dates] : []));
  if (found.length === 0) return undefined;
  const shown = new Set(found.filter((dates) => dates !== 'unclear'));
  const [only] = shown;
  return shown.size === 1 ? (only as Order) : null;
}

function Columns({ preview, onSend, onOther }: Actions & { preview: Preview }) {
  const { t } = useTranslation();
  const { corporationId, onChange } = useContext(MappingContext);
  const [targets, setTargets] = useState(() => preview.columns.map(({ target }) => target));
  const [adding, setAdding] = useState<number | null>(null);
  const [chosen, setChosen] = useState<Order | null>(null);
  const fields = useContactFields(corporationId);
  const typeOf = new Map(fields.map(({ key, type }) => [`${FIELD}${key}`, type]));
  const shown = orderOf(preview.columns, (at) => typeOf.get(targets[at]!) === 'date');
  const order = chosen ?? shown ?? null;
  const asksOrder = shown !== undefined;
  const day_first = asksOrder && order !== null ? (order === 'day_first' ? 'true' : 'false') : undefined;
  const columns = targets.join(',');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the owner only keeps the mapping for the upload
  useEffect(() => void onChange({ columns, day_first }), [columns, day_first]);
  const hasNumber = targets.includes('number');
  const set = (at: number, to: string) =>
    // Another column cannot have the same meaning.
    setTargets((before) => before.map((each, place) => (place === at ? to : each === to && to !== '' ? '' : each)));
  return (
    <>
      {preview.remembered && (
        <Text size="sm" c="dimmed">
          {t('contact_import.remembered')}
        </Text>
      )}
      <Table verticalSpacing="xs" layout="fixed" aria-label={t('contact_import.meaning')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('contact_import.column')}</Table.Th>
            <Table.Th visibleFrom="sm">{t('contact_import.values')}</Table.Th>
            <Table.Th>{t('contact_import.meaning')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {preview.columns.map((column, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: columns are identified by their place
            <Table.Tr key={at}>
              <Table.Th scope="row" fw={500} style={{ overflowWrap: 'anywhere' }}>
                {column.name}
              </Table.Th>
              <Table.Td visibleFrom="sm">
                <Text size="sm" c="dimmed" truncate>
                  {valuesOf(preview, at)}
                </Text>
              </Table.Td>
              <Table.Td>
                <Stack gap="xs">
                  <TargetSelect
                    name={column.name}
                    value={adding === at ? NEW : targets[at]!}
                    fields={fields}
                    onChange={(to) => {
                      setAdding(to === NEW ? at : null);
                      set(at, to === NEW ? '' : to);
                    }}
                  />
                  {adding === at && corporationId !== null && (
                    <NewContactField
                      corporationId={corporationId}
                      column={column}
                      onAdded={(key) => {
                        setAdding(null);
                        set(at, `${FIELD}${key}`);
                      }}
                    />
                  )}
                </Stack>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {asksOrder && (
        <Select
          label={t('contact_import.order')}
          description={shown === null ? undefined : t('contact_import.order_shown')}
          error={order === null ? t('contact_import.need_order') : undefined}
          allowDeselect={false}
          data={(['day_first', 'month_first'] as const).map((value) => ({
            value,
            label: t(`contact_import.${value}`),
          }))}
          value={order}
          onChange={(to) => setChosen(to as Order)}
        />
      )}
      {!hasNumber && (
        <Alert color="yellow" variant="light">
          {t('contact_import.need_number')}
        </Alert>
      )}
      <Buttons
        ready={hasNumber && adding === null && (!asksOrder || order !== null)}
        onSend={onSend}
        onOther={onOther}
      />
    </>
  );
}

/** Returns the first values of a column. */
function valuesOf({ rows, read_as }: Preview, at: number): string {
  const values = rows.filter(({ line }) => line > read_as.header_row).map(({ cells }) => cells[at]?.trim() ?? '');
  return values.filter(Boolean).slice(0, SHOWN_VALUES).join(' · ') || '–';
}

function TargetSelect(props: {
  name: string;
  value: string;
  fields: readonly { key: string; name: string }[];
  onChange: (to: string) => void;
}) {
  const { t } = useTranslation();
  const mayAdd = useMay(contactField.permissions.create);
  return (
    <Select
      aria-label={`${t('contact_import.meaning')}: ${props.name}`}
      allowDeselect={false}
      searchable
      data={[
        // An empty value is none for the input.
        { value: '-', label: t('contact_import.skip') },
        ...(['number', 'name', 'tags'] as const).map((value) => ({ value, label: labelOf('contacts', value) })),
        ...props.fields.map(({ key, name }) => ({ value: `${FIELD}${key}`, label: name })),
        ...(mayAdd ? [{ value: NEW, label: t('contact_import.new_field') }] : []),
      ]}
      value={props.value || '-'}
      onChange={(to) => props.onChange(to === '-' || to === null ? '' : to)}
    />
  );
}
