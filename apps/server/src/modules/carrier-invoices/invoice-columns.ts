import { INVOICE_COLUMNS, type InvoiceColumn } from '@heliograph/contract/carrier-invoices/carrier-invoice';
import type { FileColumn } from '@heliograph/contract/kernel/find-columns';
import { ForeignColumns } from '#platform/table/foreign-columns';

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

/** Columns of carriers' invoices and lists of messages. */
export const INVOICED = new ForeignColumns(INVOICE_COLUMNS, NAMES);

/** Finds the fields of a file's columns. A file needs message ids, or days with parts or amounts. */
export function findInvoiceColumns(
  cells: readonly string[],
  assigned: ReadonlyMap<string, InvoiceColumn | null>,
): { columns: FileColumn[]; complete: boolean } {
  const { columns, fields } = INVOICED.find(cells, assigned);
  const complete = fields.has('message_id') || (fields.has('day') && (fields.has('parts') || fields.has('amount')));
  return { columns, complete };
}
