import { LINK_CHANNEL, LINK_EVENT, type link } from '@heliograph/contract/links/link';
import { useEffect, useRef } from 'react';
import type { z } from 'zod';
import { useChannel } from '../../platform/live.ts';
import { readAgain } from '../../platform/queries.ts';

export type LinkRow = z.output<(typeof link)['row']>;

/** Time within which events of several senders cause only one read, in milliseconds. */
const TOGETHER_MS = 400;

/** Reads the links again when an event about them arrives. If `id` is given, only events of that link count. */
export function useLinkFeed(id?: number): void {
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(waiting.current), []);
  useChannel<{ ids: number[] }>(LINK_CHANNEL, `.${LINK_EVENT}`, ({ ids }) => {
    if (waiting.current !== undefined || (id !== undefined && !ids.includes(id))) return;
    waiting.current = setTimeout(() => {
      waiting.current = undefined;
      void readAgain(['links']);
    }, TOGETHER_MS);
  });
}
