import { dateToSerial, format, getFormatDateInfo } from 'numfmt';

/** Number formats that a workbook names only by number (ECMA-376 part 1, §18.8.30), Chinese dates included. */
const BUILT_IN: Readonly<Record<number, string>> = {
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  5: '"$"#,##0_);("$"#,##0)',
  6: '"$"#,##0_);("$"#,##0)',
  7: '"$"#,##0.00_);("$"#,##0.00)',
  8: '"$"#,##0.00_);("$"#,##0.00)',
  9: '0%',
  10: '0.00%',
  11: '0.00E+00',
  12: '# ?/?',
  13: '# ??/??',
  15: 'd-mmm-yy',
  16: 'd-mmm',
  17: 'mmm-yy',
  18: 'h:mm AM/PM',
  19: 'h:mm:ss AM/PM',
  20: 'h:mm',
  21: 'h:mm:ss',
  27: 'yyyy"年"m"月"',
  28: 'm"月"d"日"',
  29: 'm"月"d"日"',
  30: 'm-d-yy',
  31: 'yyyy"年"m"月"d"日"',
  32: 'h"时"mm"分"',
  33: 'h"时"mm"分"ss"秒"',
  36: 'yyyy"年"m"月"',
  37: '#,##0_);(#,##0)',
  38: '#,##0_);(#,##0)',
  39: '#,##0.00_);(#,##0.00)',
  40: '#,##0.00_);(#,##0.00)',
  41: '_(* #,##0_);_(* (#,##0);_(* "-"_);_(@_)',
  42: '_("$"* #,##0_);_("$"* (#,##0);_("$"* "-"_);_(@_)',
  43: '_(* #,##0.00_);_(* (#,##0.00);_(* "-"??_);_(@_)',
  44: '_("$"* #,##0.00_);_("$"* (#,##0.00);_("$"* "-"??_);_(@_)',
  45: 'mm:ss',
  46: '[h]:mm:ss',
  47: 'mm:ss.0',
  48: '##0.0E+0',
  49: '@',
  50: 'yyyy"年"m"月"',
  51: 'm"月"d"日"',
  54: 'm"月"d"日"',
  57: 'yyyy"年"m"月"',
  58: 'm"月"d"日"',
};
const [SHORT_DATE, SHORT_DATE_TIME] = [14, 22];

/** Format of a date in digits in each language; the formats 14 and 22 mean the reader's own. */
const SHORT_DATES: Readonly<Record<string, string>> = {
  de: 'dd.mm.yyyy',
  es: 'dd/mm/yyyy',
  fr: 'dd/mm/yyyy',
  it: 'dd/mm/yyyy',
  ja: 'yyyy/mm/dd',
  ko: 'yyyy-mm-dd',
  nl: 'd-m-yyyy',
  pl: 'dd.mm.yyyy',
  pt: 'dd/mm/yyyy',
  ru: 'dd.mm.yyyy',
  tr: 'd.mm.yyyy',
  'zh-CN': 'yyyy/m/d',
  'zh-TW': 'yyyy/m/d',
};

/** Language of a spreadsheet program, by its name for the first style of every cell. */
const LANGUAGES: Readonly<Record<string, string>> = {
  Standard: 'de',
  Normale: 'it',
  Standaard: 'nl',
  Обычный: 'ru',
  Normalny: 'pl',
  Normaali: 'fi',
  常规: 'zh-CN',
  一般: 'zh-TW',
  標準: 'ja',
  표준: 'ko',
};

/** Answers the language of the program that wrote a workbook, by the name of its first style; else English. */
export const languageOfStyle = (name: string): string => LANGUAGES[name] ?? '';

/**
 * Maximum of whole numbers that are written with all digits: longer ones are no phone numbers, and their last digits
 * are lost.
 */
const MAX_WHOLE = 1e15;
/** Days between the first day of the Macintosh's calendar and that of the usual one. */
const DAYS_TO_1904 = 1_462;

/** Text that a cell shows and, if that differs, its exact value: an ISO date, a plain decimal, true or false. */
export interface ShownCell {
  text: string;
  exact?: string;
}

/** Writes the values of a workbook's cells as its sheets show them. */
export class CellFormats {
  /** Patterns of the workbook by number. */
  readonly patterns = new Map<number, string>();
  /** The number of the format that each cell style has. */
  readonly styles: number[] = [];
  language = '';
  date1904 = false;

  /** Writes a number as a cell of this style shows it. Phone numbers are never shortened to an exponent. */
  number(value: number, style: number): ShownCell {
    const id = this.styles[style] ?? 0;
    const pattern = this.patterns.get(id) ?? this.#builtIn(id);
    if (pattern === undefined || pattern === '@' || /^general$/i.test(pattern))
      return { text: general(value, this.language) };
    if (isLongWhole(value) && /E[+-]/i.test(pattern)) return { text: String(value) };
    const { isDate, serial } = this.#dateOf(value, pattern);
    const text = this.#formatted(pattern, serial);
    if (text === undefined) return { text: general(value, this.language) };
    const exact = isDate ? isoOf(serial) : general(value, '');
    return exact === text ? { text } : { text, exact };
  }

  boolean(value: boolean): ShownCell {
    return { text: format('General', value, { locale: this.language }), exact: String(value) };
  }

  /** Writes a date that is stored as a text (ISO 8601). */
  date(value: string, style: number): ShownCell {
    const parts = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d))?)?/
      .exec(value)
      ?.slice(1)
      .map((part) => Number(part ?? 0));
    const serial = parts && dateToSerial(parts);
    if (typeof serial !== 'number') return { text: value };
    return this.number(this.date1904 ? serial - DAYS_TO_1904 : serial, style);
  }

  #builtIn(id: number): string | undefined {
    const date = SHORT_DATES[this.language] ?? 'm/d/yyyy';
    if (id === SHORT_DATE) return date;
    return id === SHORT_DATE_TIME ? `${date} h:mm` : BUILT_IN[id];
  }

  #dateOf(value: number, pattern: string): { isDate: boolean; serial: number } {
    try {
      const { year, month, day, hours, minutes, seconds } = getFormatDateInfo(pattern);
      const isDate = year || month || day;
      if (isDate || hours || minutes || seconds)
        return { isDate, serial: isDate && this.date1904 ? value + DAYS_TO_1904 : value };
    } catch {
      // The pattern is invalid: the value is shown as it is.
    }
    return { isDate: false, serial: value };
  }

  #formatted(pattern: string, value: number): string | undefined {
    try {
      return format(pattern, value, { locale: this.language, dateSpanLarge: false }).trim();
    } catch {
      return undefined;
    }
  }
}

const isLongWhole = (value: number) => Number.isInteger(value) && Math.abs(value) >= 1e6 && Math.abs(value) < MAX_WHOLE;

/** Writes a number without a format: 0.1 + 0.2 is 0.3, and whole numbers keep all their digits. */
function general(value: number, locale: string): string {
  if (!Number.isFinite(value)) return '';
  if (Number.isInteger(value) && Math.abs(value) < MAX_WHOLE) return String(value);
  if (Math.abs(value) >= 1e9 && Math.abs(value) < MAX_WHOLE) return String(Number(value.toPrecision(15)));
  return format('General', value, { locale });
}

/** Writes a day, and its time if it has one, by ISO 8601. */
function isoOf(serial: number): string {
  const seconds = Math.round((serial - Math.floor(serial)) * 86_400);
  return format(seconds === 0 || seconds === 86_400 ? 'yyyy-mm-dd' : 'yyyy-mm-dd"T"hh:mm:ss', serial, {
    dateSpanLarge: false,
  });
}
