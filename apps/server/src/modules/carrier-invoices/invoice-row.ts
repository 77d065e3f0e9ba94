import type { InvoiceColumn } from '@heliograph/contract/carrier-invoices/carrier-invoice';
import { readCost, readDay } from '#modules/carrier-costs';
import { type IdRule, keyByRule } from '#modules/delivery';
import type { NetworkTable } from '#modules/networks';
import type { RowFault } from '#platform/tasks/bulk-upload';

/** State of a message as far as both sides can know it. */
export type FinalState = 'delivered' | 'undelivered';

/** Row of a carrier's file. */
export interface InvoiceRow {
  /** Carrier's id in the form of its answers; null in a file of sums. */
  carrier_id: string | null;
  day: string | null;
  /** Name of the network, as it is known here, else as the carrier wrote it; empty without one. */
  network: string;
  parts: number;
  /** Millionths; null if the file has no amounts. */
  amount: number | null;
  state: FinalState | null;
}

/** Reading of one file. */
export interface InvoiceReading {
  from: string;
  to: string;
  currency: string;
  id_form: IdRule;
  networks: NetworkTable;
  /** Names of networks by their plain name; null for a name that several networks have. */
  names: ReadonlyMap<string, string | null>;
  by_message: boolean;
}

type Cell = (column: string) => string;

const fault = (field: InvoiceColumn, value: string, name: string): RowFault => ({
  field,
  value,
  fault: `validation.${name}` as RowFault['fault'],
});

const DELIVERED = /^(deliv|dlvrd|success|sent to handset|ok$|已送达|已送達|送达|entregad|zugestellt|доставлен)/i;
const UNDELIVERED =
  /^(un-?deliv|not deliv|fail|reject|expire|delet|error|unknown sub|absent|未|no entregad|недоставлен|не доставлен)/i;

/** Reads a state; null for one that is not final, or that is not known. */
export function readState(text: string): FinalState | null {
  const word = text.trim();
  if (UNDELIVERED.test(word)) return 'undelivered';
  return DELIVERED.test(word) ? 'delivered' : null;
}

/** Reads an amount in millionths; a credit is negative. */
export function readAmount(text: string): number | undefined {
  const trimmed = text.trim();
  const credit = /^\((.*)\)$/.exec(trimmed)?.[1] ?? /^[-−](.*)$/.exec(trimmed)?.[1];
  const amount = readCost(credit ?? trimmed);
  return credit !== undefined && amount ? -amount : amount;
}

/** Reads a row. `cell` answers the shown text of a column, `exact` dates and amounts of a workbook without their format. */
export function parseInvoiceRow(cell: Cell, exact: Cell, reading: InvoiceReading): InvoiceRow | RowFault {
  const id = cell('message_id').trim();
  if (reading.by_message && id === '') return fault('message_id', id, 'required');
  const dayText = exact('day').trim();
  const day = dayText === '' ? null : readDay(dayText);
  if (day === undefined) return fault('day', dayText, 'date');
  if (day === null && (dayText !== '' || !reading.by_message))
    return fault('day', dayText, dayText === '' ? 'required' : 'day_ambiguous');
  if (day !== null && (day < reading.from || day > reading.to)) return fault('day', day, 'invoice_day');
  const partsText = exact('parts')
    .trim()
    .replaceAll(/[\s',]/g, '');
  const parts = partsText === '' ? (reading.by_message ? 1 : 0) : Number(partsText);
  if (!/^\d*(\.0*)?$/.test(partsText) || !Number.isSafeInteger(parts))
    return fault('parts', partsText, 'invoice_parts');
  const currency = cell('currency').trim().toUpperCase();
  if (currency !== '' && currency !== reading.currency) return fault('currency', currency, 'invoice_currency');
  const money = amountOf(exact, parts);
  if (typeof money === 'object' && money !== null) return money;
  return {
    carrier_id: reading.by_message ? keyByRule(id, reading.id_form) : null,
    day,
    network: networkIn(cell, reading),
    parts,
    amount: money,
    state: readState(cell('state')),
  };
}

function amountOf(exact: Cell, parts: number): number | null | RowFault {
  for (const field of ['amount', 'price'] as const) {
    const text = exact(field).trim();
    if (text === '') continue;
    const amount = readAmount(text);
    const sum = amount === undefined ? undefined : field === 'price' ? amount * parts : amount;
    return sum === undefined || !Number.isSafeInteger(sum) ? fault(field, text, 'cost_format') : sum;
  }
  return null;
}

/** Names the network of a row: by its codes, else by its name. */
function networkIn(cell: Cell, { networks, names }: InvoiceReading): string {
  const both = /^(\d{3})\D?(\d{2,3})$/.exec(cell('mccmnc').trim());
  const mcc = both?.[1] ?? cell('mcc').trim();
  const mnc = both?.[2] ?? cell('mnc').trim();
  if (mcc !== '' && mnc !== '') return nameOfNetwork(networks.byCode(mcc, mnc)) || `${mcc}-${mnc}`;
  const written = cell('network').trim().slice(0, 100);
  return names.get(written.toLowerCase()) ?? written;
}

/** Returns the name by which a network is compared, with its country: Globe (PH). */
export const nameOfNetwork = (network: { name: string; country: string } | null | undefined): string =>
  network ? `${network.name} (${network.country})` : '';

/** Returns the names that networks may be written with, in small letters. */
export function namesOfNetworks(networks: NetworkTable): Map<string, string | null> {
  const names = new Map<string, string | null>();
  for (const network of networks.networks) {
    const name = nameOfNetwork(network);
    names.set(name.toLowerCase(), name);
    const alone = network.name.toLowerCase();
    names.set(alone, names.has(alone) && names.get(alone) !== name ? null : name);
  }
  return names;
}
