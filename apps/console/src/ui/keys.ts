import { useEffect, useRef } from 'react';

/**
 * Listens to keys while the component is shown. `mod+k` means Ctrl or Command with k; any other name is the key as
 * typed. Inside text fields, only keys with `mod` count.
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
