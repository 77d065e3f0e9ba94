import { Stack, Text, ThemeIcon } from '@mantine/core';
import { IconInbox } from '@tabler/icons-react';
import type { ReactNode } from 'react';

/** Explanation of an empty place: its purpose and the first step. */
export function EmptyState(props: { title: string; text?: string | undefined; icon?: ReactNode; action?: ReactNode }) {
  return (
    <Stack align="center" gap="xs" py={48} px="md" maw={460} mx="auto" ta="center">
      <ThemeIcon size={56} radius="xl" variant="light" aria-hidden>
        {props.icon ?? <IconInbox size={28} stroke={1.5} />}
      </ThemeIcon>
      <Text fw={600} size="lg" mt="xs">
        {props.title}
      </Text>
      {props.text && (
        <Text c="dimmed" size="sm">
          {props.text}
        </Text>
      )}
      {props.action && <div style={{ marginTop: 8 }}>{props.action}</div>}
    </Stack>
  );
}
