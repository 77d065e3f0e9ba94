import type { PermissionMatrix as Matrix, PermissionEntry } from '@heliograph/contract/access/permission';
import { Accordion, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../ui/empty-state.tsx';
import { type Area, type Group as AreaGroup, actionLabel, groupsOf, USUAL } from './matrix-groups.ts';
import classes from './permission-matrix.module.css';

interface MatrixProps {
  matrix: Pick<Matrix, 'permissions' | 'menus'>;
  /** Names of the permissions that are granted, or would be after saving. */
  held: ReadonlySet<string>;
  /** Names granted by the role; they cannot be changed here. */
  inherited?: ReadonlySet<string>;
  editable: boolean;
  onChange: (held: ReadonlySet<string>) => void;
}

const none: ReadonlySet<string> = new Set();

/** Matrix of all permissions by menu, area and action, each to be granted or not. A search opens the menus it finds. */
export function PermissionMatrix(props: MatrixProps) {
  const { t, i18n } = useTranslation();
  const [search, setSearch] = useState('');
  const [open, setOpen] = useState<string[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: labels follow the language
  const groups = useMemo(() => groupsOf(props.matrix, search), [props.matrix, search, i18n.language]);
  return (
    <Stack gap="md">
      <TextInput
        type="search"
        maw={360}
        aria-label={t('rights.search')}
        placeholder={t('rights.search')}
        leftSection={<IconSearch size={16} stroke={1.6} />}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      {groups.length === 0 && <EmptyState of="permissions" title={t('rights.none')} />}
      <Accordion
        multiple
        chevronPosition="left"
        className={`app-card ${classes.groups}`}
        value={search.trim() === '' ? open : groups.map(({ key }) => key)}
        onChange={setOpen}
        transitionDuration={0}
      >
        {groups.map((group) => (
          <MatrixGroup key={group.key} {...props} group={group} />
        ))}
      </Accordion>
    </Stack>
  );
}

/** Checkbox for several permissions: those that the caller may change. */
function AllOf(props: MatrixProps & { permissions: readonly PermissionEntry[]; label: string; spoken?: string }) {
  const { held, inherited = none, editable, onChange, permissions, label, spoken } = props;
  const mine = permissions.filter(({ name, grantable }) => grantable && !inherited.has(name));
  const on = mine.filter(({ name }) => held.has(name)).length;
  const toggle = () => {
    const next = new Set(held);
    for (const { name } of mine) {
      if (on < mine.length) next.add(name);
      else next.delete(name);
    }
    onChange(next);
  };
  return (
    <Checkbox
      size="sm"
      label={label}
      {...(spoken === undefined ? {} : { 'aria-label': spoken })}
      disabled={!editable || mine.length === 0}
      checked={mine.length > 0 && on === mine.length}
      indeterminate={on > 0 && on < mine.length}
      onChange={toggle}
    />
  );
}

function MatrixGroup(props: MatrixProps & { group: AreaGroup }) {
  const { t } = useTranslation();
  const { group, held, inherited = none } = props;
  const all = group.areas.flatMap(({ permissions }) => permissions);
  const count = all.filter(({ name }) => held.has(name) || inherited.has(name)).length;
  return (
    <Accordion.Item value={group.key}>
      <Group wrap="nowrap" gap="md" pr="md">
        <Accordion.Control>
          <Group justify="space-between" wrap="nowrap" gap="xs">
            <Text size="sm" fw={600}>
              {group.label}
            </Text>
            <Text size="xs" {...(count === 0 && { c: 'dimmed' })} className={classes.count!}>
              {t('rights.held_of', { count, all: all.length })}
            </Text>
          </Group>
        </Accordion.Control>
        <AllOf
          {...props}
          permissions={all}
          label={t('rights.all')}
          spoken={t('rights.all_of', { group: group.label })}
        />
      </Group>
      <Accordion.Panel>
        {group.areas.map((area) => (
          <MatrixArea key={area.name} {...props} area={area} />
        ))}
      </Accordion.Panel>
    </Accordion.Item>
  );
}

const rank = ({ action }: PermissionEntry) => {
  const place = (USUAL as readonly string[]).indexOf(action);
  return place < 0 ? USUAL.length : place;
};

function MatrixArea(props: MatrixProps & { area: Area }) {
  const { t } = useTranslation();
  const { area, held, inherited = none, editable, onChange } = props;
  const permissions = [...area.permissions].sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name));
  const toggle = (name: string) => {
    const next = new Set(held);
    if (!next.delete(name)) next.add(name);
    onChange(next);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset's legend takes no place in a grid
    <div className={classes.area} role="group" aria-label={area.label}>
      <AllOf
        {...props}
        permissions={area.permissions}
        label={area.label}
        spoken={t('rights.all_of', { group: area.label })}
      />
      <div className={classes.actions}>
        {permissions.map(({ name, action, grantable }) => {
          const byRole = inherited.has(name);
          const note = byRole ? t('rights.by_role') : grantable ? undefined : t('rights.not_yours');
          return (
            <Checkbox
              key={name}
              size="sm"
              name={name}
              label={actionLabel(action)}
              title={note}
              description={byRole ? note : undefined}
              disabled={!editable || byRole || !grantable}
              checked={byRole || held.has(name)}
              onChange={() => toggle(name)}
            />
          );
        })}
      </div>
    </div>
  );
}
