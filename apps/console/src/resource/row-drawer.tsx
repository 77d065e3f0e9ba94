import { Button, Drawer, Group, SimpleGrid, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Fact } from '../ui/fact.tsx';
import type { RowAction } from '../ui/table-parts.tsx';

interface RowDrawerProps {
  title: string;
  /** All columns of the list with the row's values, also those that the list hides. */
  facts: readonly { field: string; heading: string; value: ReactNode }[];
  actions: readonly RowAction[];
  onClose: () => void;
}

/** All fields of a row that has no page of its own, with its actions. */
export function RowDrawer({ title, facts, actions, onClose }: RowDrawerProps) {
  const { t } = useTranslation();
  return (
    <Drawer opened onClose={onClose} title={title} closeButtonProps={{ 'aria-label': t('actions.close') }}>
      <Stack gap="lg">
        <SimpleGrid component="dl" cols={{ base: 1, xs: 2 }} m={0}>
          {facts.map(({ field, heading, value }) => (
            <Fact key={field} label={heading}>
              {value}
            </Fact>
          ))}
        </SimpleGrid>
        {actions.length > 0 && (
          <Group gap="xs">
            {actions.map(({ label, icon, danger, onClick }) => (
              <Button
                key={label}
                variant="default"
                leftSection={icon}
                {...(danger ? { c: 'var(--mantine-color-error)' } : {})}
                onClick={() => {
                  onClose();
                  onClick();
                }}
              >
                {label}
              </Button>
            ))}
          </Group>
        )}
      </Stack>
    </Drawer>
  );
}
