import { INVOICE_COLUMNS, type InvoiceColumn } from '@heliograph/contract/carrier-invoices/carrier-invoice';
import { plainName } from '@heliograph/contract/kernel/column-names';
import type { FileColumn } from '@heliograph/contract/kernel/find-columns';

/** Names that carriers give to the columns of invoices and lists of messages, by field; the clearest first. */
const NAMES: Readonly<Record<InvoiceColumn, string>> = {
  message_id: `message id, messageid, msg id, msgid, sms id, smsc id, smsc message id, smscid, dlr id, uuid, guid, reference, ref, id,
    消息编号, 訊息編號, id mensaje`,
  day: `date, day, submit date, submitted at, submit time, sent at, send date, sent date, date time, datetime, timestamp, time,
    created at, event date, usage date, traffic date, 日期, 时间, 時間, fecha, data, datum, дата`,
  network: `network, network name, operator, operator name, mno, mno name, carrier, carrier name, destination network, route,
    destination, 运营商, 網絡, 电信商, operador, opérateur, netz, оператор`,
  mccmnc: `mccmnc, mcc mnc, mcc/mnc, mcc-mnc, plmn, network code, operator code, imsi prefix, hni`,
  mcc: `mcc, mobile country code`,
  mnc: `mnc, mobile network code`,
  parts: `parts, segments, sms parts, message parts, sms count, sms, total sms, number of sms, messages, total messages, count, quantity,
    qty, volume, units, submitted, billable, 条数, 數量, 数量, cantidad, quantité, anzahl, количество`,
  price: `unit price, price per sms, price per part, rate, unit cost, price, unit rate, tariff, 单价, 單價, precio unitario, prix unitaire`,
  amount: `amount, total, total amount, total cost, total price, cost, charge, charged, sum, net amount, subtotal, value, 金额, 金額,
    importe, montant, betrag, сумма`,
  currency: `currency, currency code, ccy, 币种, 幣別, moneda, devise, währung, валюта`,
  state: `status, state, dlr, dlr status, delivery status, final status, message status, result, 状态, 狀態, estado, statut, статус`,
};

const KNOWN: ReadonlyMap<string, { field: InvoiceColumn; place: number }> = new Map(
  INVOICE_COLUMNS.flatMap((field) =>
    [field, ...NAMES[field].split(/[,\n]/)].map((name, place) => [plainName(name), { field, place }] as const),
  ).filter(([name]) => name !== ''),
);

/** Units and currencies in a heading, such as "(EUR)". */
const UNIT = /[([].*?[)\]]|\b(?:in\s+)?[A-Z]{3}\s*$/g;

/** Reads assigned columns, such as `Ref = message_id, Total = amount`, by plain name. Null if they cannot be read. */
export function assignedColumns(text: string): Map<string, InvoiceColumn | null> | null {
  const found = new Map<string, InvoiceColumn | null>();
  for (const pair of text.split(/[,;\n]/).filter((each) => each.trim() !== '')) {
    const at = pair.lastIndexOf('=');
    const name = plainName(pair.slice(0, at));
    const field = pair
      .slice(at + 1)
      .trim()
      .toLowerCase()
      .replaceAll(/[\s/-]+/g, '_');
    const known = INVOICE_COLUMNS.find((column) => column === field) ?? (field === 'none' ? null : undefined);
    if (at < 0 || name === '' || known === undefined) return null;
    found.set(name, known);
  }
  return found;
}

/**
 * Finds the fields of a file's columns: as assigned, else by the names that carriers use. Of several columns for a field
 * the one with the clearest name counts. A file needs message ids, or days with parts or amounts.
 */
export function findInvoiceColumns(
  cells: readonly string[],
  assigned: ReadonlyMap<string, InvoiceColumn | null>,
): { columns: FileColumn[]; complete: boolean } {
  const best = new Map<InvoiceColumn, { at: number; place: number }>();
  for (const [at, cell] of cells.entries()) {
    const chosen = assigned.get(plainName(cell));
    if (chosen === null) continue;
    const known = chosen
      ? { field: chosen, place: -1 }
      : (KNOWN.get(plainName(cell)) ?? KNOWN.get(plainName(cell.replace(UNIT, ' '))));
    if (known && (best.get(known.field)?.place ?? Number.POSITIVE_INFINITY) > known.place)
      best.set(known.field, { at, place: known.place });
  }
  const fields = new Map([...best].map(([field, { at }]) => [at, field]));
  const columns = cells.map((cell, at) => ({
    name: cell.trim().slice(0, 100) || String(at + 1),
    field: fields.get(at) ?? null,
  }));
  const complete = best.has('message_id') || (best.has('day') && (best.has('parts') || best.has('amount')));
  return { columns, complete };
}
