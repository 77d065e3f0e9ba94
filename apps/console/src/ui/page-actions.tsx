import { Box, Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { type RowAction, RowMenu } from './table-parts.tsx';

/**
 * Actions of a record's page. The main one is a button everywhere. On a phone the others are in a menu; elsewhere they
 * are buttons, except those that destroy something.
 */
export function PageActions(props: { name: string; actions: readonly RowAction[]; children?: ReactNode }) {
  const { name, actions } = props;
  return (
    <>
      {actions
        .filter(({ danger }) => !danger)
        .map(({ label, icon, onClick }) => (
          <Button key={label} variant="default" leftSection={icon} onClick={onClick} visibleFrom="sm">
            {label}
          </Button>
        ))}
      {props.children}
      <Box hiddenFrom="sm">
        <RowMenu name={name} actions={actions} />
      </Box>
      <Box visibleFrom="sm">
        <RowMenu name={name} actions={actions.filter(({ danger }) => danger)} />
      </Box>
    </>
  );
}
