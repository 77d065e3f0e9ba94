import { CARRIER_COLUMNS, type CarrierColumn } from '@heliograph/contract/carrier-costs/carrier-rate';
import type { FileColumn } from '@heliograph/contract/kernel/find-columns';
import { ForeignColumns } from '#platform/table/foreign-columns';

/** Names that carriers give to the columns of their files, by field. */
const NAMES: Readonly<Record<CarrierColumn, string>> = {
  prefix: `prefix, prefixes, dial code, dial codes, dialcode, dialing code, dial prefix, destination code, destination prefix, code,
    codes, breakout, breakouts, number prefix, route code, e164, e.164, ndc, 前缀, 前綴, 号段, prefijo, prefixo, préfixe,
    vorwahl, rufnummernbereich, prefisso, préfixes, префикс, код, prepiks`,
  country_code: `country code, country dial code, cc, international code, 国家代码, 國碼, código de país, indicatif, код страны`,
  area_code: `area code, area codes, city code, national code, national destination code, код города`,
  mccmnc: `mccmnc, mcc mnc, mcc/mnc, mcc-mnc, mcc + mnc, mccmncs, plmn, plmn id, network code, imsi, imsi prefix, hni, operator code`,
  mcc: `mcc, mobile country code`,
  mnc: `mnc, mnc code, mobile network code, mncs`,
  price: `new price, new rate, price, rate, cost, price per sms, price per message, price per part, price per segment, rate per sms,
    cost per sms, cost per part, sms price, sms rate, sms cost, unit price, unit cost, tariff, charge, amount, mt price, mt rate,
    mt cost, net price, buy price, buy rate, 价格, 單價, 单价, 價格, 费率, 費率, precio, tarifa, preço, prix,
    tarif, preis, цена, тариф, presyo, preis pro sms, preis je sms, einzelpreis, prix unitaire, prix par sms, nouveau prix, neuer preis,
    precio por sms, nuevo precio, preço por sms, prezzo, prezzo unitario, current price, current rate`,
  currency: `currency, currency code, ccy, curr, 币种, 幣別, moneda, moeda, devise, währung, валюта`,
  class: `class, message class, traffic type, message type, product, route type, type`,
  sender_kind: `sender kind, sender type, sender id type, oa type, originator type, sender, sender id`,
  starts_on: `starts on, start date, start, effective date, effective from, effective, effective on, valid from, valid from date,
    from date, from, date from, activation date, change date, 生效日期, 生效, fecha de inicio, fecha efectiva, vigencia desde, data de início, data de vigência,
    gültig ab, date d'effet, date d'application, valable à partir du, à partir du, data inizio, decorrenza, дата начала, petsa ng bisa`,
  ends_on: `ends on, end date, end, effective till, effective until, effective to, valid to, valid until, valid till, expiry, expiry date,
    expires, expiration date, to date, until, date to, 失效日期, 截止日期, fecha de fin, vigencia hasta, gültig bis, date de fin,
    valable jusqu'au, jusqu'au, data fine, data de fim, дата окончания`,
};

/** Columns of carriers' price lists. */
export const RATE_COLUMNS = new ForeignColumns(CARRIER_COLUMNS, NAMES);

/** Returns the code of the currency in the heading of a price, such as "Price (EUR)"; undefined without one. */
export function currencyOfHeading(name: string): string | undefined {
  if (/€/.test(name)) return 'EUR';
  const code = /(?:[([]|\bin\s+|\s)\s*([A-Z]{3})\b/.exec(name)?.[1];
  return code !== undefined && !['SMS', 'MCC', 'MNC', 'PER', 'NEW', 'NET', 'BUY'].includes(code) ? code : undefined;
}

/** Finds the fields of a file's columns. `complete` is false without a price, or without a prefix or network. */
export function findCarrierColumns(
  cells: readonly string[],
  assigned: ReadonlyMap<string, CarrierColumn | null>,
): { columns: FileColumn[]; complete: boolean } {
  const { columns, fields } = RATE_COLUMNS.find(cells, assigned);
  const named = (['prefix', 'country_code', 'mccmnc', 'mcc'] as const).some((field) => fields.has(field));
  return { columns, complete: named && fields.has('price') };
}
