import { ActionIcon, Button, Group, Menu, Paper, Skeleton, Stack, Text } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';

/** One entry of a row's menu. */
export interface RowAction {
  label: string;
  icon?: ReactNode;
  danger?: boolean;
  onClick: () => void;
}

/** Button of the actions for one row. Its menu is made when it is first opened: a long list has hundreds of them. */
export function RowMenu({ name, actions }: { name: string; actions: readonly RowAction[] }) {
  const { t } = useTranslation();
  const [opened, setOpened] = useState<boolean>();
  if (actions.length === 0) return null;
  const button = (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={t('list.actions_for', { name })}
      aria-haspopup="menu"
      autoFocus={opened !== undefined}
      {...(opened === undefined ? { 'aria-expanded': false, onClick: () => setOpened(true) } : {})}
    >
      <IconDots size={18} />
    </ActionIcon>
  );
  return (
    // A click in the menu is not a click on the row.
    // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: keeps clicks from the row, does nothing itself
    <div onClick={(event) => event.stopPropagation()}>
      {opened === undefined ? (
        button
      ) : (
        <Menu opened={opened} onChange={setOpened}>
          <Menu.Target>{button}</Menu.Target>
          <Menu.Dropdown>
            {actions.map((action) => (
              <Menu.Item
                key={action.label}
                leftSection={action.icon}
                onClick={action.onClick}
                {...(action.danger ? { c: 'var(--mantine-color-error)' } : {})}
              >
                {action.label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </div>
  );
}

/** Placeholder shown while the rows load. */
export function TableSkeleton() {
  const { t } = useTranslation();
  return (
    <Paper className="app-card" p="md" role="status" aria-label={t('common.loading')}>
      <Stack gap="sm">
        {[90, 72, 84, 66, 78, 70].map((width) => (
          <Skeleton key={width} h={20} w={`${width}%`} />
        ))}
      </Stack>
    </Paper>
  );
}

/** Bar of the actions for the selected rows. */
export function SelectionBar(props: { count: number; clear: () => void; children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <Paper className="app-card" shadow="md" p="xs" pl="md" pos="sticky" bottom={12} mt="sm" style={{ zIndex: 2 }}>
      <Group justify="space-between">
        <Text size="sm" fw={500} role="status">
          {t('list.selected', { count: props.count })}
        </Text>
        <Group gap="xs">
          <Button variant="subtle" size="xs" onClick={props.clear}>
            {t('list.clear_selection')}
          </Button>
          {props.children}
        </Group>
      </Group>
    </Paper>
  );
}
