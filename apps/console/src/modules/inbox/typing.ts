import { conversationColleagues, typeReply } from '@heliograph/contract/inbox/conversation';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { useMay } from '../../platform/session.ts';
import type { Conversation } from './thread.tsx';

/** Pause between two notices that the user writes, in ms. */
const EVERY_MS = 4_000;
/** Time in ms after which a colleague who was heard no more counts as gone. */
const GONE_MS = 7_000;

/** Returns a function that tells colleagues that the user writes a reply. It may be called with each letter. */
export function useTellTyping(conversation: number): () => void {
  const told = useRef(Number.NEGATIVE_INFINITY);
  return useCallback(() => {
    const now = performance.now();
    if (now - told.current < EVERY_MS) return;
    told.current = now;
    // Without this notice the reply is sent all the same.
    call(typeReply, { params: { id: conversation } }).catch(() => undefined);
  }, [conversation]);
}

/** Returns the sentence about the colleague who writes a reply in a conversation now; undefined if nobody does. */
export function useTyping({ id, corporation_id }: Conversation): string | undefined {
  const { t } = useTranslation();
  const mayNames = useMay(conversationColleagues.permission);
  const { data: last } = useQuery<{ user_id: number; at: number } | null>({
    queryKey: ['typing', id],
    queryFn: () => null,
    enabled: false,
  });
  const [, setNow] = useState(0);
  const left = last ? last.at + GONE_MS - Date.now() : 0;
  useEffect(() => {
    if (left <= 0) return;
    const timer = setTimeout(() => setNow(Date.now()), left);
    return () => clearTimeout(timer);
  }, [left]);
  const colleagues = useQuery({
    queryKey: ['inbox', 'colleagues', corporation_id],
    queryFn: ({ signal }) => call(conversationColleagues, { params: { id }, signal }),
    staleTime: 60_000,
    enabled: mayNames && left > 0,
  });
  if (!last || left <= 0) return undefined;
  const name = colleagues.data?.data.find((person) => person.id === last.user_id)?.name;
  return name ? t('inbox.typing', { name }) : t('inbox.typing_colleague');
}
