import { closestCenter, DndContext, type DragEndEvent } from '@dnd-kit/core';
import { SortableContext, useSortable, verticalListSortingStrategy } from '@dnd-kit/sortable';
import { CSS } from '@dnd-kit/utilities';
import { menu } from '@heliograph/contract/access/menu';
import { ActionIcon, Badge, Code, Paper, Text } from '@mantine/core';
import {
  IconArrowBarToLeft,
  IconArrowBarToRight,
  IconArrowDown,
  IconArrowUp,
  IconEdit,
  IconFolder,
  IconGripVertical,
  IconPlus,
  IconTrash,
} from '@tabler/icons-react';
import { type KeyboardEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SILENT_DRAG, useDragSensors } from '../../platform/drag.ts';
import { menuLabel } from '../../platform/menu-label.ts';
import { useMay } from '../../platform/session.ts';
import { deleteRecords } from '../../resource/delete.ts';
import { type RowAction, RowMenu } from '../../ui/table-parts.tsx';
import { drop, type Placed, placed, type Step, step } from './menu-order.ts';
import classes from './menus.module.css';
import type { MenuRow } from './menus.tsx';

const INDENT = 28;
const ICON = { size: 16, stroke: 1.6 } as const;
const KEYS: Readonly<Record<string, Step>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowRight: 'inside',
  ArrowLeft: 'outside',
};

interface MenuTreeProps {
  entries: readonly MenuRow[];
  movable: boolean;
  onMove: (entries: readonly MenuRow[]) => void;
  onEdit: (row: MenuRow) => void;
  onAdd: (inside: number) => void;
}

/**
 * List of the entries, one below another. Each is moved by its handle: with the mouse, a finger, or Alt and the arrow
 * keys.
 */
export function MenuTree(props: MenuTreeProps) {
  const { t } = useTranslation();
  const { entries, onMove } = props;
  const [said, setSaid] = useState('');
  const rows = placed(entries);
  const sensors = useDragSensors();

  function take(next: readonly MenuRow[], id: number) {
    if (next === entries) return;
    onMove(next);
    const moved = next.find((each) => each.id === id)!;
    const siblings = next.filter(({ parent_id }) => parent_id === moved.parent_id);
    const group = next.find((each) => each.id === moved.parent_id);
    setSaid(
      t('menus.moved', {
        name: menuLabel(moved),
        place: siblings.findIndex((each) => each.id === id) + 1,
        group: group ? menuLabel(group) : t('menus.top'),
      }),
    );
  }

  function dropped({ active, over, delta }: DragEndEvent) {
    const row = rows.find(({ id }) => id === active.id);
    if (!row || !over) return;
    const depth = row.depth + Math.round(delta.x / INDENT);
    take(drop(entries, row.id, Number(over.id), Math.max(0, depth)), row.id);
  }

  return (
    <>
      <DndContext sensors={sensors} accessibility={SILENT_DRAG} collisionDetection={closestCenter} onDragEnd={dropped}>
        <SortableContext items={rows.map(({ id }) => id)} strategy={verticalListSortingStrategy}>
          <Paper className="app-card" component="ul" p={0} m={0} style={{ listStyle: 'none', overflow: 'hidden' }}>
            {rows.map((row) => (
              <Row key={row.id} {...props} row={row} onStep={(way) => take(step(entries, row.id, way), row.id)} />
            ))}
          </Paper>
        </SortableContext>
      </DndContext>
      <span className="app-visually-hidden" role="status">
        {said}
      </span>
    </>
  );
}

function Row(props: MenuTreeProps & { row: Placed<MenuRow>; onStep: (way: Step) => void }) {
  const { t } = useTranslation();
  const { row, movable } = props;
  const label = menuLabel(row);
  const { listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({
    id: row.id,
    disabled: !movable,
  });
  const actions = useActions(props);
  const move = (event: KeyboardEvent) => {
    const way = KEYS[event.key];
    if (!event.altKey || !way) return;
    event.preventDefault();
    props.onStep(way);
  };
  return (
    <li
      ref={setNodeRef}
      className={classes.row}
      data-dragging={isDragging || undefined}
      style={{
        transform: CSS.Translate.toString(transform),
        transition,
        paddingInlineStart: 4 + row.depth * INDENT,
      }}
    >
      {movable && (
        <ActionIcon
          ref={setActivatorNodeRef}
          className={classes.handle!}
          variant="subtle"
          color="gray"
          {...listeners}
          aria-label={t('menus.handle', { name: label })}
          aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown Alt+ArrowLeft Alt+ArrowRight"
          onKeyDown={move}
        >
          <IconGripVertical {...ICON} />
        </ActionIcon>
      )}
      <div className={classes.name}>
        <Text span size="sm" fw={row.url === '' ? 600 : 450}>
          {label}
        </Text>{' '}
        {row.url === '' ? (
          <Text span size="xs" c="dimmed">
            <IconFolder size={13} stroke={1.6} aria-hidden style={{ verticalAlign: -2 }} /> {t('menus.group')}
          </Text>
        ) : (
          <Code>{row.url}</Code>
        )}
      </div>
      {row.built_in && (
        <Badge size="sm" variant="light" color="gray" visibleFrom="sm">
          {t('resources.menus.fields.built_in')}
        </Badge>
      )}
      <RowMenu name={label} actions={actions} />
    </li>
  );
}

function useActions(props: MenuTreeProps & { row: Placed<MenuRow>; onStep: (way: Step) => void }): RowAction[] {
  const { t } = useTranslation();
  const { row, entries, movable, onStep } = props;
  const mayCreate = useMay(menu.permissions.create);
  const mayDelete = useMay(menu.permissions.delete);
  const steps: [Step, RowAction][] = [
    ['up', { label: t('menus.up'), icon: <IconArrowUp {...ICON} />, onClick: () => onStep('up') }],
    ['down', { label: t('menus.down'), icon: <IconArrowDown {...ICON} />, onClick: () => onStep('down') }],
    ['inside', { label: t('menus.inside'), icon: <IconArrowBarToRight {...ICON} />, onClick: () => onStep('inside') }],
    [
      'outside',
      { label: t('menus.outside'), icon: <IconArrowBarToLeft {...ICON} />, onClick: () => onStep('outside') },
    ],
  ];
  return [
    ...(movable ? [{ label: t('actions.edit'), icon: <IconEdit {...ICON} />, onClick: () => props.onEdit(row) }] : []),
    ...(mayCreate && row.url === '' && row.depth < 2
      ? [{ label: t('menus.add_here'), icon: <IconPlus {...ICON} />, onClick: () => props.onAdd(row.id) }]
      : []),
    // A step that changes nothing is not offered.
    ...(movable ? steps.filter(([way]) => step(entries, row.id, way) !== entries).map(([, action]) => action) : []),
    ...(mayDelete
      ? [
          {
            label: t('actions.delete'),
            icon: <IconTrash {...ICON} />,
            danger: true,
            onClick: () => deleteRecords(menu, [row]),
          },
        ]
      : []),
  ];
}
