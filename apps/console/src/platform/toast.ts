import i18next from 'i18next';
import { create } from 'zustand';

export type ToastKind = 'success' | 'info' | 'warning' | 'error' | 'default';

/** True once a toast was asked for, so that the library behind them is loaded only then. */
export const useToasts = create<{ needed: boolean }>()(() => ({ needed: false }));

const COLORS = { success: 'teal', info: 'blue', warning: 'orange', error: 'red', default: 'gray' } as const;

/** Shows a short notice: 3000 ms, errors 2000 ms. */
export async function toast(kind: ToastKind, message: string): Promise<void> {
  useToasts.setState({ needed: true });
  const { notifications } = await import('@mantine/notifications');
  notifications.show({
    // What is said already is not said twice.
    id: message,
    message,
    color: COLORS[kind],
    autoClose: kind === 'error' ? 2000 : 3000,
    closeButtonProps: { 'aria-label': i18next.t('actions.close') },
    withBorder: true,
  });
}
