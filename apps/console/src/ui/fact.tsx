import { Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** Name and its value, inside a `dl`. */
export function Fact(props: { label: ReactNode; children: ReactNode }) {
  return (
    <div>
      <Text component="dt" size="xs" c="dimmed">
        {props.label}
      </Text>
      <Text component="dd" m={0} size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
        {props.children}
      </Text>
    </div>
  );
}
