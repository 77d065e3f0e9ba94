import { create } from 'zustand';

/** State of desktop notifications: switched off, switched on, blocked by the browser, or not available. */
type Standing = 'off' | 'on' | 'blocked' | 'unavailable';

const KEY = 'desktop_notifications';

function standing(): Standing {
  if (!('Notification' in window) || !window.isSecureContext) return 'unavailable';
  if (Notification.permission === 'denied') return 'blocked';
  return Notification.permission === 'granted' && localStorage.getItem(KEY) === 'on' ? 'on' : 'off';
}

/** State in this browser; each computer has its own. */
export const useDesktop = create<{ standing: Standing }>()(() => ({ standing: standing() }));

/** Switches desktop notifications on or off. The browser is asked only here, because a person's click is needed. */
export async function switchDesktop(on: boolean): Promise<void> {
  if (on && standing() !== 'unavailable') await Notification.requestPermission();
  if (on) localStorage.setItem(KEY, 'on');
  else localStorage.removeItem(KEY);
  useDesktop.setState({ standing: standing() });
}

/** Shows a desktop notification if the page is hidden and the person has switched notifications on. */
export function showOnDesktop(title: string, text: string, open?: () => void): void {
  if (useDesktop.getState().standing !== 'on' || document.visibilityState === 'visible') return;
  const shown = new Notification(title, { body: text, tag: text });
  shown.onclick = () => {
    window.focus();
    open?.();
    shown.close();
  };
}
