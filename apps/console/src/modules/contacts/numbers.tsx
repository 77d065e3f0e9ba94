import { exportNumbers } from '@heliograph/contract/contacts/list-job';
import { listNumber, numberList } from '@heliograph/contract/contacts/number-list';
import type { BodyInput } from '@heliograph/contract/kernel/operation';
import { Badge, Button, SimpleGrid } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { useMay } from '../../platform/session.ts';
import { askForFile } from '../../resource/ask-for-file.ts';
import { fieldsOf } from '../../resource/fields.tsx';
import { useListQuery } from '../../resource/list-query.ts';
import { ResourceList } from '../../resource/resource-list.tsx';
import { ImportNumbers } from './import-numbers.tsx';
import { useListWork } from './list-work.tsx';

const Field = fieldsOf(listNumber.create);
const PARAMS = ['param1', 'param2', 'param3', 'param4', 'param5', 'param6', 'param7', 'param8', 'param9'] as const;
const FILTERS = ['opted_out', ...PARAMS] as const;

type Selection = NonNullable<BodyInput<typeof exportNumbers>['selection']>;

/** Screen of one list's numbers, and the import that fills it. */
export function Numbers() {
  const { t } = useTranslation();
  const format = useFormat();
  const id = Number(useParams({ strict: false, select: (params) => (params as { id?: string }).id }));
  const mayShow = useMay(numberList.permissions.show);
  const mayImport = useMay('number-lists-upload');
  const [chosen, setImporting] = useState<boolean | null>(null);
  const list = useQuery({
    queryKey: ['number-lists', 'one', id],
    queryFn: ({ signal }) => call(numberList.get, { params: { id }, signal }),
    enabled: mayShow,
  });
  const known = useMemo(() => ({ number_list_id: id }), [id]);
  const row = list.data?.data;
  // An empty list shows the import immediately. Once opened, it stays until it is closed.
  const [emptyAtFirst, setEmptyAtFirst] = useState<boolean | null>(null);
  if (row && emptyAtFirst === null) setEmptyAtFirst(row.numbers_count === 0);
  const importing = mayImport && (chosen ?? emptyAtFirst ?? false);
  const { search, filters } = useListQuery(FILTERS);
  const { opted_out, ...tags } = filters;
  const shown: Selection = {
    ...tags,
    ...(search ? { search } : {}),
    ...(opted_out === undefined ? {} : { opted_out: opted_out === 'true' }),
  };
  const work = useListWork({ id, corporation_id: row?.corporation_id, shown });
  const mayExport = useMay(exportNumbers.permission ?? '');
  return (
    <ResourceList
      resource={listNumber}
      fixed={known}
      preset={known}
      header={{
        title: row?.name ?? t('resources.numbers.many'),
        subtitle:
          row &&
          `${row.department_name} · ${t('resources.number-lists.count', { count: row.numbers_count, replace: { count: format.integer(row.numbers_count) } })}`,
        crumbs: [{ label: t('menu.number-lists'), to: '/number-lists' }],
        actions: (
          <>
            {work.menu}
            {mayImport && !importing && (
              <Button
                variant="default"
                leftSection={<IconUpload size={16} stroke={1.6} />}
                onClick={() => setImporting(true)}
              >
                {t('import.title')}
              </Button>
            )}
          </>
        ),
      }}
      columns={[
        'number',
        {
          field: 'opted_out',
          cell: (number) =>
            number.opted_out && (
              <Badge color="orange" variant="light" tt="none">
                {t('resources.numbers.fields.opted_out')}
              </Badge>
            ),
        },
        'name',
        ...PARAMS.map((field, i) => ({ field, hidden: i > 3 })),
        { field: 'created_at', hidden: true },
      ]}
      filters={FILTERS}
      bulk={work.bulk}
      {...(mayExport
        ? { onExport: () => askForFile(() => call(exportNumbers, { params: { id }, body: { selection: shown } })) }
        : {})}
      form={
        <>
          <Field.Text name="number" type="tel" autoFocus />
          <Field.Text name="name" />
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            {PARAMS.map((field) => (
              <Field.Text key={field} name={field} />
            ))}
          </SimpleGrid>
        </>
      }
    >
      {work.panel}
      {importing && <ImportNumbers listId={id} onClose={() => setImporting(false)} />}
    </ResourceList>
  );
}
