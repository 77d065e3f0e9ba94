import { plainDigits } from '@heliograph/contract/kernel/number-rules';
import { isAdministration } from '@heliograph/contract/kernel/scope';
import type { MessageState } from '@heliograph/contract/kernel/states';
import { type NumberRanges, readNumberRanges } from '#modules/networks';
import { corporationsOf } from '#platform/access/scope-clause';
import type { Caller } from '#platform/context';
import { type Queryable, rowsOf } from '#platform/database/queryable';
import { fieldError } from '#platform/errors';
import { momentsOf, type Period } from '#platform/records/period';

/** Filters that a person chose in the report of transactions. */
export interface Filters extends Period {
  corporation_id?: number | undefined;
  campaign_id?: number | undefined;
  link_id?: number | undefined;
  network_id?: number | undefined;
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
  /** Network of the numbers, by lookup or prefix at the time of each message; undefined for any. */
  network: { id: number; ranges: readonly NumberRanges[] } | undefined;
  state: MessageState | undefined;
  /** True if the caller may read texts. */
  content_visible: boolean;
  /** False if numbers are masked for the caller, who then finds only whole ones. */
  numbers_visible: boolean;
}

const DAY_MS = 86_400_000;
const MESSAGES_A_DAY = 2 ** 38;

/** Throws `validation_failed` on filters that a person may not use, or that cannot be read. */
export function requireFilters({ link_id, network_id, number }: Filters, caller: Caller): void {
  // A sender may not know which carrier a message left by; the names of networks are the platform's.
  for (const [field, id] of Object.entries({ link_id, network_id }))
    if (id !== undefined && !isAdministration(caller.scope_level)) throw fieldError(field, 'administration_only');
  prefixOf(number ?? '');
}

/** Converts a person's filters into a selection of messages. Throws as `requireFilters` does. */
export async function selectionOf(filters: Filters, caller: Caller, zone: string, db: Queryable): Promise<Selection> {
  requireFilters(filters, caller);
  const { start, end } = momentsOf(filters, zone);
  const { corporation_id, campaign_id, link_id, network_id, sender_id, state } = filters;
  return {
    ...selectionBetween(caller, start, end),
    corporations: chosenCorporations(caller, corporation_id),
    campaign_id,
    link_id,
    sender_id: sender_id || undefined,
    prefix: prefixOf(filters.number ?? ''),
    network:
      network_id === undefined
        ? undefined
        : {
            id: network_id,
            ranges: await readNumberRanges((text, values) => rowsOf(db, text, values), network_id, start, end),
          },
    state,
  };
}

/** Returns the selection of all messages that a caller sees between two moments, RFC 3339. */
export function selectionBetween(caller: Caller, start: string, end: string): Selection {
  return {
    first: Math.floor(Date.parse(start) / DAY_MS) * MESSAGES_A_DAY,
    past: (Math.floor((Date.parse(end) - 1) / DAY_MS) + 1) * MESSAGES_A_DAY,
    start,
    end,
    corporations: corporationsOf(caller),
    campaign_id: undefined,
    link_id: undefined,
    sender_id: undefined,
    prefix: undefined,
    network: undefined,
    state: undefined,
    content_visible: caller.content_visible,
    numbers_visible: caller.numbers_visible,
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
