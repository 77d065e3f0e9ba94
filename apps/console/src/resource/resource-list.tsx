import { keyIn } from '@heliograph/contract/kernel/message-keys';
import type { AnyResource } from '@heliograph/contract/kernel/resource';
import { Box, Button } from '@mantine/core';
import { IconEdit, IconPlus, IconTrash } from '@tabler/icons-react';
import { useNavigate, useRouterState } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { useMay } from '../platform/session.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import type { RowAction } from '../ui/table-parts.tsx';
import type { Column, Key } from './columns.tsx';
import { deleteRecords } from './delete.ts';
import { ResourceForm } from './form.tsx';
import type { Values } from './form-values.ts';
import { noneYet } from './none-yet.ts';
import { PageList, type PageListProps } from './page-list.tsx';
import type { Filter } from './toolbar.tsx';

type Row<R extends AnyResource> = z.output<R['row']> & { id: number; abilities: { edit: boolean; delete: boolean } };

interface ResourceListProps<R extends AnyResource>
  extends Pick<
    PageListProps<R['list'], Row<R>>,
    'fixed' | 'rowTo' | 'onRowClick' | 'onExport' | 'refreshEvery' | 'children'
  > {
  resource: R;
  columns: readonly Column<Row<R>>[];
  filters?: readonly Filter<Key<z.input<R['filters']>>>[];
  header?: PageListProps<R['list'], Row<R>>['header'];
  /**
   * Fields of the form that creates and edits. Without it, the list is read-only, unless the resource has groups of
   * fields: then the form is a page.
   */
  form?: ReactNode;
  /** Sentence below the explanation of an empty list. */
  emptyFact?: ReactNode;
  /** False if the screen has its own way to create a record. */
  creates?: boolean;
  /** Values of a new record that the screen already knows. */
  preset?: Values;
  /** Width of the form in pixels. */
  formSize?: number;
  /** Receives the record that a form has saved, including values that only that response contains, and whether it is new. */
  onSaved?: (row: Values, isNew: boolean) => void;
  rowActions?: (row: Row<R>) => readonly RowAction[];
  /** Returns a sentence on what is lost with the rows, which is shown before they are deleted. */
  deleteNote?: (rows: readonly { id: number }[]) => Promise<string>;
  /** Additional actions for the selected rows. */
  bulk?: ((rows: readonly Row<R>[], clear: () => void) => ReactNode) | undefined;
}

const ICON = { size: 16, stroke: 1.6 } as const;

/** List of one resource. The caller can create, edit and delete records if permitted. */
export function ResourceList<R extends AnyResource>(props: ResourceListProps<R>) {
  const { t } = useTranslation();
  const {
    resource,
    form,
    emptyFact,
    creates,
    formSize,
    preset,
    onSaved,
    rowActions,
    deleteNote,
    bulk,
    header,
    onRowClick,
    ...list
  } = props;
  const [editing, setEditing] = useState<Values | 'new' | null>(null);
  const navigate = useNavigate();
  const paged = Object.keys(resource.groups).length > 0;
  const hasForm = paged || form !== undefined;
  const mayCreate = useMay(resource.permissions.create) && hasForm && creates !== false;
  const mayEdit = useMay(resource.permissions.edit) && hasForm;
  const edit = (row: Row<R> | 'new') => {
    if (!paged) return setEditing(row);
    const to = row === 'new' ? `/${resource.name}/new` : `/${resource.name}/${row.id}/edit`;
    return void navigate({ to, ...(row !== 'new' && { state: { row } }) });
  };
  const mayDelete = useMay(resource.permissions.delete);
  const remove = async (rows: readonly { id: number }[], clear?: () => void) =>
    deleteRecords(resource, rows, clear, await deleteNote?.(rows).catch(() => undefined));
  const asked = useRouterState({ select: ({ location }) => location.state.create });
  useEffect(() => {
    if (asked !== undefined && !paged && mayCreate) setEditing('new');
  }, [asked, paged, mayCreate]);
  // The sentence stands below the title; on a phone, only where the list is empty.
  const about = t(keyIn('resources', resource.name, 'empty'));
  const create = (label: string) =>
    mayCreate && (
      <Button leftSection={<IconPlus {...ICON} />} onClick={() => edit('new')} data-create>
        {label}
      </Button>
    );
  const actions = (row: Row<R>): RowAction[] => [
    ...(rowActions?.(row) ?? []),
    ...(mayEdit && row.abilities.edit
      ? [{ label: t('actions.edit'), icon: <IconEdit {...ICON} />, onClick: () => edit(row) }]
      : []),
    ...(mayDelete && row.abilities.delete
      ? [
          {
            label: t('actions.delete'),
            icon: <IconTrash {...ICON} />,
            danger: true,
            onClick: () => void remove([row]),
          },
        ]
      : []),
  ];
  return (
    <>
      <PageList<R['list'], Row<R>>
        name={resource.name}
        operation={resource.list}
        title={resource.title as Key<Row<R>>}
        {...list}
        filters={(props.filters ?? []) as readonly Filter[]}
        header={{
          subtitle: (
            <Box component="span" visibleFrom="sm">
              {about}
            </Box>
          ),
          ...header,
          actions: (
            <>
              {header?.actions}
              {create(t('actions.create'))}
            </>
          ),
        }}
        empty={
          <EmptyState
            of={resource.name}
            title={noneYet(resource.name)}
            learn
            text={
              <>
                {header?.subtitle ? (
                  about
                ) : (
                  <Box component="span" hiddenFrom="sm">
                    {about}{' '}
                  </Box>
                )}
                {emptyFact}
              </>
            }
            action={create(t(keyIn('resources', resource.name, 'first')))}
          />
        }
        rowActions={actions}
        onRowClick={onRowClick ?? ((row) => (mayEdit && row.abilities.edit ? edit(row) : false))}
        bulkActions={
          mayDelete || bulk
            ? (rows, clear) => (
                <>
                  {bulk?.(rows, clear)}
                  {mayDelete && <DeleteMany {...{ rows, clear, remove }} />}
                </>
              )
            : undefined
        }
      />
      {editing !== null && (
        <ResourceForm
          resource={resource}
          row={editing === 'new' ? null : editing}
          preset={preset}
          size={formSize}
          {...(onSaved && { onSaved: (row: Values) => onSaved(row, editing === 'new') })}
          onClose={() => setEditing(null)}
        >
          {form}
        </ResourceForm>
      )}
    </>
  );
}

function DeleteMany(props: {
  rows: readonly { id: number; etag?: string | undefined; abilities: { delete: boolean } }[];
  clear: () => void;
  remove: (rows: readonly { id: number }[], clear: () => void) => Promise<void>;
}) {
  const { t } = useTranslation();
  const rows = props.rows.filter(({ abilities }) => abilities.delete);
  return (
    <Button size="xs" color="red.8" disabled={rows.length === 0} onClick={() => void props.remove(rows, props.clear)}>
      {t('delete.many', { count: rows.length })}
    </Button>
  );
}
