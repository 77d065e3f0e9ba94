import { conversationPerson } from '@heliograph/contract/inbox/conversation';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../platform/call.ts';

/** Reads what is known about the person of a conversation. */
export const usePerson = (id: number) =>
  useQuery({
    queryKey: ['inbox', 'person', id],
    queryFn: ({ signal }) => call(conversationPerson, { params: { id }, signal }),
    staleTime: 30_000,
  }).data?.data;
