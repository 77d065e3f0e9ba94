import { create } from 'zustand';

/** Whether notifications of the computer can be shown: asked for, allowed, refused by the browser, or not there at all. */
type Standing = 'off' | 'on' | 'blocked' | 'unavailable';

const KEY = 'desktop_notifications';

function standing(): Standing {
  if (!('Notification' in window) || !window.isSecureContext) return 'unavailable';
  if (Notification.permission === 'denied') return 'blocked';
  return Notification.permission === 'granted' && localStorage.getItem(KEY) === 'on' ? 'on' : 'off';
}

/** Kept in this browser: what one computer may show is no matter of another. */
export const useDesktop = create<{ standing: Standing }>()(() => ({ standing: standing() }));

/** Switches them; the browser is asked here alone, since a person's click stands behind it. */
export async function switchDesktop(on: boolean): Promise<void> {
  if (on && standing() !== 'unavailable') await Notification.requestPermission();
  if (on) localStorage.setItem(KEY, 'on');
  else localStorage.removeItem(KEY);
  useDesktop.setState({ standing: standing() });
}

/** Shows a notification of the computer where the page is not looked at and the person asked for them. */
export function showOnDesktop(title: string, text: string, open?: () => void): void {
  if (useDesktop.getState().standing !== 'on' || document.visibilityState === 'visible') return;
  const shown = new Notification(title, { body: text, tag: text });
  shown.onclick = () => {
    window.focus();
    open?.();
    shown.close();
  };
}
