import { Group, Paper, Stack, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';

interface SectionProps {
  title: ReactNode;
  /** Controls at the end of the heading's line. */
  actions?: ReactNode;
  children: ReactNode;
}

/** Part of a screen, shown as a card with its heading. */
export function Section(props: SectionProps) {
  const id = useId();
  return (
    <Paper className="app-card" component="section" p={{ base: 16, xs: 20 }} miw={0} aria-labelledby={id}>
      <Stack gap="md">
        <Group justify="space-between" gap="xs">
          <Title order={2} size="h4" id={id}>
            {props.title}
          </Title>
          {props.actions}
        </Group>
        {props.children}
      </Stack>
    </Paper>
  );
}
