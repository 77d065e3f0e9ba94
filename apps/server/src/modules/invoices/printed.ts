import { minorDigits } from '@heliograph/contract/invoices/amounts';
import { keyIn, type MessageKey } from '@heliograph/contract/kernel/message-keys';
import { fromThousandths } from '@heliograph/contract/kernel/money';
import { LOCALE_TAGS } from '@heliograph/contract/kernel/scope';
import { translate } from '#platform/text/i18n';
import type { DocumentLine, IssuedDocument } from './document.ts';

/**
 * Sentence of the Philippine tax authority for supplementary documents, such as credit memos, and for sellers without VAT
 * (RR 7-2024). Since the Ease of Paying Taxes Act (RA 11976) an invoice is the evidence of a sale of services, also of
 * one that is paid immediately: a receipt is a cash invoice there. It is English in every language.
 */
const NOT_FOR_INPUT_TAX = 'THIS DOCUMENT IS NOT VALID FOR CLAIM OF INPUT TAX.';

interface Sum {
  name: string;
  amount: string;
  strong?: boolean;
}

/** Texts and figures of a document in its language, as they are printed. */
export function printed(document: IssuedDocument) {
  const { seller, buyer, kind, currency, locale } = document;
  const tag = LOCALE_TAGS[locale];
  const say = (key: MessageKey, params: Record<string, string | number> = {}) => translate(locale, key, params);
  const digits = minorDigits(currency);
  const amounts = new Intl.NumberFormat(tag, { minimumFractionDigits: digits, maximumFractionDigits: 3 });
  const figures = new Intl.NumberFormat(tag, { maximumFractionDigits: 3 });
  const days = new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone: 'UTC' });
  const short = new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeZone: 'UTC' });
  const range = (from: string, to: string) =>
    short.formatRange(new Date(`${from}T00:00:00Z`), new Date(`${to}T00:00:00Z`)).replaceAll('\u2009', ' ');
  const amount = (thousandths: number) =>
    amounts.format(fromThousandths(thousandths) as Intl.StringNumericLiteral).replace('-', '−');
  const figure = (thousandths: number) =>
    figures.format(fromThousandths(thousandths) as Intl.StringNumericLiteral).replace('-', '−');
  const money = (thousandths: number) => `${currency} ${amount(thousandths)}`;
  const day = (date: string) => days.format(new Date(`${date}T00:00:00Z`));
  const philippine = seller.preset === 'philippines';
  const rateOf = (line: Pick<DocumentLine, 'tax_category' | 'tax_rate'>) =>
    line.tax_category === 'standard' ? `${figure(line.tax_rate)}%` : say(keyIn('paper', `short_${line.tax_category}`));
  const named = (key: MessageKey, value: string | null) => (value === null ? [] : [`${say(key)}: ${value}`]);
  const sellerTax: MessageKey = !philippine
    ? 'paper.tax_number'
    : seller.tax_registered
      ? 'paper.ph_tin_vat'
      : 'paper.ph_tin_non_vat';
  return {
    title: say(philippine ? keyIn('paper', `ph_title_${kind}`) : keyIn('paper', `title_${kind}`)),
    billTo: say(kind === 'receipt' ? 'paper.received_from' : 'paper.bill_to'),
    sellerLines: [
      ...addressOf(seller),
      ...named(sellerTax, seller.tax_number),
      ...named('paper.registration', seller.registration_number),
      ...[[seller.phone, seller.email].filter(Boolean).join(' · ')].filter(Boolean),
    ],
    buyerLines: [
      ...addressOf(buyer),
      ...named(philippine ? 'paper.ph_tin' : 'paper.tax_number', buyer.tax_number),
      ...named('paper.registration', buyer.registration_number),
      ...named('paper.contact', buyer.contact_name),
    ],
    facts: [
      [say('paper.issue_date'), day(document.issue_date)],
      ...(document.due_date ? [[say('paper.due_date'), day(document.due_date)]] : []),
      ...(document.period_from && document.period_to
        ? [[say('paper.period'), range(document.period_from, document.period_to)]]
        : []),
      ...[document.reference ?? buyer.reference].filter(Boolean).map((text) => [say('paper.reference'), text!]),
    ] as [string, string][],
    about: document.credited
      ? say('paper.credits', {
          number: document.credited.number,
          date: day(document.credited.issue_date),
          reason: document.reason ?? '',
        })
      : null,
    columns: {
      description: say('paper.description'),
      quantity: say('paper.quantity'),
      price: say('paper.price'),
      tax: say('paper.tax'),
      amount: say('paper.amount', { currency }),
    },
    line: (line: DocumentLine) => ({
      quantity: figure(line.quantity),
      price: amount(line.unit_price),
      tax: rateOf(line),
      amount: amount(line.amount),
    }),
    sums: sumsOf(document, { say, money, figure, philippine }),
    closing: closing(document, { say, money, day, philippine }),
    page: (page: number, pages: number) => say('statement.page', { page, pages }),
  };
}

interface Words {
  say(key: MessageKey, params?: Record<string, string | number>): string;
  money(thousandths: number): string;
  philippine: boolean;
}

const addressOf = (party: { address: string; postal_code: string | null; city: string; country: string }): string[] => [
  ...party.address.split('\n'),
  `${[party.postal_code, party.city].filter(Boolean).join(' ')}, ${party.country}`,
];

/** Sums below the lines: without tax, the tax of each rate, what is payable, and what is withheld of it. */
function sumsOf(
  { taxes, net, rounding, payable, withholding, kind }: IssuedDocument,
  { say, money, figure, philippine }: Words & { figure(thousandths: number): string },
): Sum[] {
  const sums: Sum[] = philippine
    ? taxes.map(({ tax_category, taxable }) => ({
        name: say(keyIn('paper', `ph_${tax_category}`)),
        amount: money(taxable),
      }))
    : [{ name: say('paper.net'), amount: money(net) }];
  for (const { tax_category, tax_rate, taxable, tax } of taxes)
    if (tax_category === 'standard')
      sums.push({
        name: say('paper.tax_of', { rate: figure(tax_rate), amount: money(taxable) }),
        amount: money(tax),
      });
    else if (!philippine)
      sums.push({ name: say(keyIn('paper', `tax_${tax_category}`), { amount: money(taxable) }), amount: money(0) });
  if (rounding !== 0) sums.push({ name: say('paper.rounding'), amount: money(rounding) });
  sums.push({ name: say(keyIn('paper', `total_${kind}`)), amount: money(payable), strong: true });
  if (withholding > 0 && kind === 'invoice')
    sums.push(
      { name: say('paper.withheld'), amount: money(-withholding) },
      { name: say('paper.to_pay'), amount: money(payable - withholding) },
    );
  return sums;
}

/** Texts at the end: how to pay, reasons, and wordings that the law asks for. */
function closing(
  document: IssuedDocument,
  { say, day, philippine }: Words & { day(date: string): string },
): { text: string; bold?: boolean }[] {
  const { seller, buyer, kind, taxes } = document;
  const bank = [seller.bank_name, seller.bank_account, seller.bank_code].filter(Boolean).join(' · ');
  const has = (category: string) => taxes.some(({ tax_category }) => tax_category === category);
  const reason = buyer.exempt_reason ?? seller.exempt_reason;
  const texts: (string | false | null | undefined)[] = [
    kind === 'invoice' && document.due_date && say('paper.pay_by', { date: day(document.due_date) }),
    kind === 'invoice' && bank !== '' && say('paper.pay_to', { bank, number: document.number }),
    say(document.prices_include_tax ? 'paper.prices_include' : 'paper.prices_exclude'),
    has('exempt') && say('paper.exempt_because', { reason: reason ?? '–' }),
    has('outside') && (seller.exempt_reason ?? say('paper.outside_because')),
    document.note,
    seller.note,
    philippine && seller.permit_number && say('paper.ph_permit', { permit: seller.permit_number }),
  ];
  const notValid = philippine && (kind === 'credit_note' || !seller.tax_registered);
  return [
    ...texts.filter((text): text is string => !!text).map((text) => ({ text })),
    ...(notValid ? [{ text: NOT_FOR_INPUT_TAX, bold: true }] : []),
  ];
}
