import { createQuote, getQuote, type quoteRow } from '@heliograph/contract/campaigns/quote';
import type { BodyInput } from '@heliograph/contract/kernel/operation';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import { call } from '../../../platform/call.ts';
import { useChannel } from '../../../platform/live.ts';
import { problemFrom } from '../../../platform/problem.ts';
import { useSession } from '../../../platform/session.ts';
import { edit, useDraft } from './draft.ts';

export type Quote = z.output<typeof quoteRow>;
type Reply = { data: Quote };

/**
 * Interval between two reads of a quote that is still being counted, in milliseconds. Live events only make the
 * progress smoother.
 */
const POLL_MS = 700;

/** Quote of the draft, and whether it still matches the draft. */
export interface QuoteOfDraft {
  quote: Quote | undefined;
  /** Set if the draft was changed after it was counted. */
  stale: boolean;
  checking: boolean;
  error: Error | null;
  /** Asks for a new quote. Returns the refusal, or null once the server counts. */
  check(): Promise<Error | null>;
}

/**
 * Counts and prices the draft on demand. Any later edit makes the result invalid until the edit is undone or the draft
 * is checked again.
 */
export function useQuote(content: BodyInput<typeof createQuote>): QuoteOfDraft {
  const client = useQueryClient();
  const asked = useDraft((draft) => draft.quote);
  const userId = useSession((s) => s.profile?.id);
  const now = JSON.stringify(content);
  const key = ['quote', asked?.id];

  const create = useMutation({
    mutationFn: (body: BodyInput<typeof createQuote>) => call(createQuote, { body }),
    onSuccess: (reply, body) => {
      client.setQueryData(['quote', reply.data.id], reply);
      edit({ quote: { id: reply.data.id, of: JSON.stringify(body) } });
    },
  });
  const read = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => call(getQuote, { params: { id: asked?.id ?? 0 }, signal }),
    enabled: asked !== null,
    refetchInterval: (query) => (query.state.data?.data.state === 'counting' ? POLL_MS : false),
  });
  useChannel<Partial<Quote>>(
    userId === undefined ? null : `App.Models.User.${userId}`,
    '.quote.progress',
    (progress) => {
      if (progress.id === undefined) return;
      client.setQueryData<Reply>(['quote', progress.id], (old) => old && { data: furthest(old.data, progress) });
      if (progress.state !== undefined && progress.state !== 'counting')
        void client.invalidateQueries({ queryKey: ['quote', progress.id] });
    },
  );

  const quote = read.data?.data;
  // The server keeps a quote for a limited time. After that, a new one must be requested.
  const gone = problemFrom(read.error)?.code === 'not_found';
  return {
    quote: gone || create.isPending ? undefined : quote,
    stale: asked !== null && asked.of !== now,
    checking: create.isPending || quote?.state === 'counting',
    error: create.error ?? (gone ? null : read.error),
    check: () =>
      create.mutateAsync(content).then(
        () => null,
        (error: Error) => error,
      ),
  };
}

/**
 * Returns the quote with its highest counts. A progress event may arrive after a newer poll, and counts of a quote
 * never shrink.
 */
function furthest(quote: Quote, progress: Partial<Quote>): Quote {
  if (quote.state !== 'counting') return quote;
  return { ...quote, rows_read: Math.max(quote.rows_read, progress.rows_read ?? 0) };
}
