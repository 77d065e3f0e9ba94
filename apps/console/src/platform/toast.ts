import { Button, type ButtonProps, Group } from '@mantine/core';
import i18next from 'i18next';
import { createElement, type FunctionComponent } from 'react';
import { create } from 'zustand';

export type ToastKind = 'success' | 'info' | 'warning' | 'error' | 'default';

/** State of toasts: `needed` after the first one, so that their library is loaded only then. */
export const useToasts = create<{ needed: boolean }>()(() => ({ needed: false }));

const COLORS = { success: 'teal', info: 'blue', warning: 'orange', error: 'red', default: 'gray' } as const;

/** Button in a notice. */
interface ToastAction {
  label: string;
  onClick: () => void;
}

// The polymorphic type of the component does not fit createElement.
const PlainButton = Button as unknown as FunctionComponent<ButtonProps & { onClick: () => void }>;

/** Time that a notice with a button stays, in ms. */
const ACTION_MS = 10_000;
let actions = 0;

/** Shows a short notice for 3000 ms, an error for 2000 ms, and a notice with a button for 10 seconds. */
export async function toast(kind: ToastKind, message: string, action?: ToastAction): Promise<void> {
  useToasts.setState({ needed: true });
  const { notifications } = await import('@mantine/notifications');
  // A notice that is already shown is not shown twice, unless its button acts on something else.
  const id = action ? `action-${++actions}` : message;
  const act = () => {
    notifications.hide(id);
    action?.onClick();
  };
  notifications.show({
    id,
    message: action
      ? createElement(
          Group,
          { justify: 'space-between', wrap: 'nowrap' },
          createElement('span', null, message),
          createElement(PlainButton, { variant: 'default', size: 'compact-sm', onClick: act }, action.label),
        )
      : message,
    color: COLORS[kind],
    autoClose: action ? ACTION_MS : kind === 'error' ? 2000 : 3000,
    closeButtonProps: { 'aria-label': i18next.t('actions.close') },
    withBorder: true,
  });
}
