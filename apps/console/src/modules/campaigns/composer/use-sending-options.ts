import { sendingOptions } from '@heliograph/contract/campaigns/sending-options';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../../platform/call.ts';

/** One array for each render, so that what follows from it is not computed again. */
const NO_FIELDS: readonly { key: string; name: string }[] = [];

/** Returns what the chosen sender ID allows and adds. Without a sender ID, returns what the contract allows. */
export function useSendingOptions(senderId: number | null) {
  const read = useQuery({
    queryKey: ['composer', 'options', senderId],
    queryFn: ({ signal }) => call(sendingOptions, { query: { sender_id: senderId ?? 0 }, signal }),
    enabled: senderId !== null,
    staleTime: 60_000,
    retry: false,
  });
  const options = read.data?.data;
  return {
    validity: options?.sms_validity ?? 12,
    flash: options?.flash_allowed ?? true,
    parameters: options?.parameters_allowed ?? false,
    lookups: options?.lookups ?? false,
    textModel: options?.text_model ?? false,
    contactFields: options?.contact_fields ?? NO_FIELDS,
    /** Contact field that is the language; null if the corporation marked none, undefined until the options are loaded. */
    language: options?.language,
    ending: options?.ending ?? '',
    templatesOnly: options?.templates_only ?? false,
    /** Undefined until a sender is chosen. */
    timezone: options?.timezone,
    blackout: options?.blackout ?? null,
    shortLinkBase: options?.short_link_base ?? window.location.origin,
    /** Undefined until the options are loaded. */
    phone: options?.phone,
  };
}

export type SendingOptions = ReturnType<typeof useSendingOptions>;
