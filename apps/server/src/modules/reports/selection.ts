import { plainDigits } from '@heliograph/contract/kernel/number-rules';
import { isAdministration } from '@heliograph/contract/kernel/scope';
import type { MessageState } from '@heliograph/contract/kernel/states';
import { corporationsOf } from '#platform/access/scope-clause';
import type { Caller } from '#platform/context';
import { fieldError } from '#platform/errors';
import { momentsOf, type Period } from '#platform/records/period';

/** Filters that a person chose in the report of transactions. */
export interface Filters extends Period {
  corporation_id?: number | undefined;
  campaign_id?: number | undefined;
  link_id?: number | undefined;
  sender_id?: string | undefined;
  number?: string | undefined;
  state?: MessageState | undefined;
}

/**
 * Messages that a report selects. Ids begin with the UTC day of their chunk, so a period is a range of ids and of daily
 * partitions. `start` and `end` cut its edges exactly at the days of the time zone.
 */
export interface Selection {
  /** Range of message ids: `first` is the smallest that may be included, `past` the smallest above the range. */
  first: number;
  past: number;
  start: string;
  end: string;
  /** Corporations to search, each by its own index; null if the caller sees all of them and chose none. */
  corporations: readonly number[] | null;
  campaign_id: number | undefined;
  link_id: number | undefined;
  sender_id: string | undefined;
  /** Prefix of the numbers, digits only; undefined for any. */
  prefix: string | undefined;
  state: MessageState | undefined;
  /** True if the caller may read texts. */
  content_visible: boolean;
}

const DAY_MS = 86_400_000;
const MESSAGES_A_DAY = 2 ** 38;

/** Converts a person's filters into a selection of messages. Throws `validation_failed` on `number` and `link_id`. */
export function selectionOf(filters: Filters, caller: Caller, zone: string): Selection {
  const { start, end } = momentsOf(filters, zone);
  const { corporation_id, campaign_id, link_id, sender_id, state } = filters;
  // A sender may not know which carrier a message left by.
  if (link_id !== undefined && !isAdministration(caller.scope_level))
    throw fieldError('link_id', 'administration_only');
  return {
    first: Math.floor(Date.parse(start) / DAY_MS) * MESSAGES_A_DAY,
    past: (Math.floor((Date.parse(end) - 1) / DAY_MS) + 1) * MESSAGES_A_DAY,
    start,
    end,
    corporations: chosenCorporations(caller, corporation_id),
    campaign_id,
    link_id,
    sender_id: sender_id || undefined,
    prefix: prefixOf(filters.number ?? ''),
    state,
    content_visible: caller.content_visible,
  };
}

function chosenCorporations(caller: Caller, chosen: number | undefined): readonly number[] | null {
  const own = corporationsOf(caller);
  if (chosen === undefined) return own;
  return own === null ? [chosen] : own.filter((id) => id === chosen);
}

function prefixOf(number: string): string | undefined {
  if (number.trim() === '') return undefined;
  const digits = plainDigits(number);
  if (digits === undefined || digits.length > 15) throw fieldError('number', 'number');
  return digits || undefined;
}
