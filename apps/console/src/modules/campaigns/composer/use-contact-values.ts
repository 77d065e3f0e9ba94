import { contactValues } from '@heliograph/contract/campaigns/contact-values';
import { hasMask } from '@heliograph/contract/kernel/masking';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../../platform/call.ts';

/**
 * Returns the values of a recipient's contact for the contact fields of a text. Undefined while they are not known: then
 * the text shows the names of its fields.
 */
export function useContactValues(
  senderId: number | null,
  number: string | undefined,
  fields: readonly string[],
): Record<string, string> | undefined {
  const known = number !== undefined && !hasMask(number);
  const read = useQuery({
    queryKey: ['composer', 'contact-values', senderId, number],
    queryFn: ({ signal }) =>
      call(contactValues, { body: { sender_id: senderId ?? 0, numbers: [number ?? ''] }, signal }),
    enabled: senderId !== null && known && fields.length > 0,
    staleTime: 60_000,
    retry: false,
  });
  return fields.length === 0 ? undefined : read.data?.data[0];
}
