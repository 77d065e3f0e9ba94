import { useEffect, useRef } from 'react';

/**
 * Listens to keys while the component is shown: `mod+k` with Ctrl or Command, else the key as typed, which is ignored
 * inside text fields.
 */
export function useKeys(keys: Readonly<Record<string, () => void>>): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const listener = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      const typing = target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
      const mod = event.ctrlKey || event.metaKey;
      if (event.altKey || event.defaultPrevented || (typing && !mod)) return;
      const handler = latest.current[`${mod ? 'mod+' : ''}${event.key.toLowerCase()}`];
      if (!handler) return;
      event.preventDefault();
      handler();
    };
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, []);
}
