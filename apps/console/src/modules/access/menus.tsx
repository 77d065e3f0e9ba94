import { menu, orderMenus } from '@heliograph/contract/access/menu';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { Button, Group, Paper, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { problemFrom, sentenceOf } from '../../platform/problem.ts';
import { useMay } from '../../platform/session.ts';
import { toast } from '../../platform/toast.ts';
import { ResourceForm, useUnsavedGuard } from '../../resource/form.tsx';
import { LoadError } from '../../resource/load-error.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { TableSkeleton } from '../../ui/table-parts.tsx';
import { MenuFields } from './menu-fields.tsx';
import { placed } from './menu-order.ts';
import { MenuTree } from './menu-tree.tsx';
import classes from './menus.module.css';

export type MenuRow = ReplyOf<typeof menu.get>['data'];

/** Entry being edited, or a new one inside a group. */
type Editing = { row: MenuRow } | { inside: number | null } | null;

const placesOf = (entries: readonly MenuRow[]) => placed(entries).map(({ id, parent_id }) => ({ id, parent_id }));

/** Screen of the main menu as a tree. Entries are moved with the mouse or keys, and the tree is saved as a whole. */
export function Menus() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const mayEdit = useMay(menu.permissions.edit);
  const mayCreate = useMay(menu.permissions.create);
  const [entries, setEntries] = useState<readonly MenuRow[] | null>(null);
  const [editing, setEditing] = useState<Editing>(null);
  const [busy, setBusy] = useState(false);
  const [base, setBase] = useState<readonly MenuRow[] | null>(null);
  const [contested, setContested] = useState(false);
  const query = useQuery({
    queryKey: ['menus', 'list'],
    queryFn: ({ signal }) => call(menu.list, { query: { per_page: 200, sort: 'position' }, signal }),
  });
  const read = query.data?.data;
  const dirty = entries !== null;
  useUnsavedGuard(dirty);
  const shown = entries ?? read;

  // If another person has added or removed entries since, the order moved here is discarded.
  useEffect(() => {
    const known = new Set(read?.map(({ id }) => id));
    setEntries((present) =>
      present && read && (present.length !== read.length || present.some(({ id }) => !known.has(id))) ? null : present,
    );
  }, [read]);

  async function save() {
    if (!entries) return;
    setBusy(true);
    try {
      const body = { entries: placesOf(entries), ...(base && { read: placesOf(base) }) };
      const { message } = await call(orderMenus, { body });
      await client.invalidateQueries({ queryKey: ['menus'] });
      discard();
      void toast('success', message ?? t('menus.ordered'));
    } catch (error) {
      if (problemFrom(error)?.conflict) {
        // The next save is based on the order that another person saved. The user has been informed of it.
        const { data } = await query.refetch();
        setBase(data?.data ?? null);
        setContested(true);
      } else void toast('error', sentenceOf(error));
    } finally {
      setBusy(false);
    }
  }

  function move(next: readonly MenuRow[]) {
    if (entries === null) {
      setBase(read ?? null);
      setContested(false);
    }
    setEntries(next);
  }
  function discard() {
    setEntries(null);
    setContested(false);
  }

  const create = mayCreate && (
    <Button leftSection={<IconPlus size={16} stroke={1.6} />} onClick={() => setEditing({ inside: null })} data-create>
      {t('actions.create')}
    </Button>
  );
  return (
    <>
      <PageHeader title={t('resources.menus.many')} subtitle={t('menus.text')} actions={create} />
      {query.error && !read && <LoadError error={query.error} retry={() => void query.refetch()} />}
      {!shown && !query.error && <TableSkeleton />}
      {shown?.length === 0 && <EmptyState of="menus" title={t('resources.menus.empty')} action={create} />}
      {shown && shown.length > 0 && (
        <MenuTree
          entries={shown}
          movable={mayEdit}
          onMove={move}
          onEdit={(row) => setEditing({ row })}
          onAdd={(inside) => setEditing({ inside })}
        />
      )}
      {dirty && (
        <Paper className={`app-card ${classes.bar}`} shadow="md" p="xs" pl="md">
          <Group justify="space-between">
            <Text size="sm" fw={500} role="status">
              {t(contested ? 'menus.contested' : 'menus.unsaved')}
            </Text>
            <Group gap="xs">
              <Button variant="subtle" size="xs" onClick={discard}>
                {t(contested ? 'conflict.theirs_unshown' : 'menus.discard')}
              </Button>
              <Button size="xs" loading={busy} onClick={() => void save()}>
                {t(contested ? 'conflict.mine_unshown' : 'menus.save_order')}
              </Button>
            </Group>
          </Group>
        </Paper>
      )}
      {editing && (
        <ResourceForm
          resource={menu}
          row={'row' in editing ? editing.row : null}
          preset={'inside' in editing ? { parent_id: editing.inside } : undefined}
          onClose={() => setEditing(null)}
        >
          <MenuFields />
        </ResourceForm>
      )}
    </>
  );
}
