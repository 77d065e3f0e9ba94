import i18next from 'i18next';
import { create } from 'zustand';

export type ToastKind = 'success' | 'info' | 'warning' | 'error' | 'default';

/** State of toasts: `needed` after the first one, so that their library is loaded only then. */
export const useToasts = create<{ needed: boolean }>()(() => ({ needed: false }));

const COLORS = { success: 'teal', info: 'blue', warning: 'orange', error: 'red', default: 'gray' } as const;

/** Shows a short notice for 3000 ms, an error for 2000 ms. */
export async function toast(kind: ToastKind, message: string): Promise<void> {
  useToasts.setState({ needed: true });
  const { notifications } = await import('@mantine/notifications');
  notifications.show({
    // A notice that is already shown is not shown twice.
    id: message,
    message,
    color: COLORS[kind],
    autoClose: kind === 'error' ? 2000 : 3000,
    closeButtonProps: { 'aria-label': i18next.t('actions.close') },
    withBorder: true,
  });
}
