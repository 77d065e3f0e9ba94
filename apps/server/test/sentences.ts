import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locale } from '@heliograph/contract/kernel/scope';
import type { TextTree } from '@heliograph/contract/kernel/text-tree';

const folder = join(import.meta.dirname, '../../../packages/contract/messages');

/** Lists the names of a language's message files. */
export const messageFiles = (locale: Locale): string[] => readdirSync(join(folder, locale)).sort();

/** Reads one message file unchanged. */
export const readMessages = (locale: Locale, file: string): TextTree =>
  JSON.parse(readFileSync(join(folder, locale, file), 'utf8')) as TextTree;

/** Lists the sentences of a file by their dotted keys. */
export function flat(tree: TextTree, prefix = ''): [string, string][] {
  return Object.entries(tree).flatMap(([key, value]): [string, string][] =>
    typeof value === 'string' ? [[prefix + key, value]] : flat(value, `${prefix}${key}.`),
  );
}

/** Returns every sentence of a language by its key, without falling back to another language. */
export const sentencesOf = (locale: Locale): Map<string, string> =>
  new Map(messageFiles(locale).flatMap((file) => flat(readMessages(locale, file))));

/** English words that Filipino software keeps, such as Dashboard, Settings, Report and Routing. */
export const FILIPINO_LOANS: ReadonlySet<string> = new Set(
  (
    'top-up provider chargeback voucher customer platform tag journey ' +
    'access account action activity address admin administration alias area balance base billing bind blacklist ' +
    'invoice customer due net postal tax registration withholding contact draft overdue zero-rated exempt reg vatable ' +
    'sales vat vat-exempt non-vat bir permit tin token note access account action activity address admin administration alias area balance base billing bind blacklist ' +
    'blackout body branding built-in bulk call callback campaign carrier change channel circuit class code column ' +
    'columns commitment configuration connection connectivity corporate cost country credit currency dashboard ' +
    'delivery demo department document domain down download email encoding encryption endpoint engineering entry error event ' +
    'export fatal favicon field file filter filters flash format global group guard history host hours http import mcc mnc network ' +
    'inbound inbox key keyword landing language level limit line link list live log login logo mail mask menu ' +
    'message method mode monthly name node number offline one-time online openapi opt-in opt-out page parent ' +
    'password permission plan port post prefix preview price private process profile progress promotional quiet ' +
    'quote rate rates read-only receipt receiver reference refund release report reports request reseller ' +
    'reservation response role route routing row rows sales sample scope secret segment sender separator server ' +
    'service settings sheet sign-in signature smsc standard statement status strong summary super system tab table ' +
    'template templates test text throughput time timeline transactional transceiver transmitter trunk type ' +
    'unlimited user username valid value view warning web weight window worker zone zones'
  ).split(' '),
);
