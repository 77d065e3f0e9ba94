import { segment as segmentText } from '@heliograph/contract/kernel/segments';
import type { HttpMapping, HttpPlaceholder } from '@heliograph/contract/links/http-mapping';
import { concatenationUdh } from '@heliograph/smpp';
import { type Segment, WHOLE } from '../segment.ts';
import { cutInto, type Rewriting } from '../sending/rewriting.ts';
import { PartsMismatch } from '../sending/submit-fields.ts';
import { referenceOf } from './reference.ts';

/** A request of a link over HTTP. */
export interface HttpRequest {
  method: HttpMapping['method'];
  url: string;
  headers: Record<string, string>;
  body: string | undefined;
}

/** Addresses of ours that a carrier calls. */
export interface CallbackAddresses {
  receipts: string;
  replies: string;
}

type Values = Readonly<Record<HttpPlaceholder, string>>;

const PLACEHOLDER = /\{([a-z0-9_]+)\}/g;
const ALONE = /^\{([a-z0-9_]+)\}$/;
/** Placeholders that are numbers in JSON. */
const NUMBERS: ReadonlySet<string> = new Set<HttpPlaceholder>([
  'coding',
  'part',
  'parts',
  'flash',
  'flash_class',
  'validity_minutes',
  'validity_seconds',
]);
/** Digits from which a numeric sender is an international number. */
const LONG_NUMBER = 7;
const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** Steps of a path that lead back. */
const DOTS = /\/(\.|%2e){1,2}(\/|$)/i;

const filled = (template: string, values: Values, write: (text: string) => string = (text) => text): string =>
  template.replace(PLACEHOLDER, (_, name: HttpPlaceholder) => write(values[name] ?? ''));

/** Percent-encodes characters that stand for octets. */
const octets = (text: string): string =>
  Buffer.from(text, 'latin1')
    .toString('hex')
    .replace(/../g, (each) => `%${each}`);

/** Header lines hold no line breaks, whatever a text contains. */
const oneLine = (text: string): string => text.replace(/[^\x20-\x7e\x80-\xff]+/g, ' ');

/** Writer of the requests of one link. */
export class RequestForm {
  readonly #mapping: HttpMapping;
  readonly #user: string;
  readonly #password: string;
  readonly #addresses: CallbackAddresses;
  readonly #body: unknown;
  readonly #rewriting: Rewriting | undefined;

  constructor(mapping: HttpMapping, password: string, addresses: CallbackAddresses, rewriting?: Rewriting) {
    this.#rewriting = rewriting;
    this.#mapping = mapping;
    this.#user = mapping.user;
    this.#password = password;
    this.#addresses = addresses;
    this.#body = mapping.encoding === 'json' && mapping.body.trim() !== '' ? JSON.parse(mapping.body) : undefined;
  }

  /** Answers how many of the first segments one request can carry: all of a list, or equal messages to several numbers. */
  fitting(segments: readonly Segment[]): number {
    const { recipients, recipients_at } = this.#mapping;
    const most = Math.min(recipients, segments.length);
    if (most <= 1 || recipients_at !== '') return most;
    if (this.#rewriting?.hasSenders) return 1;
    const [first] = segments;
    let count = 1;
    while (count < most && isLike(segments[count]!, first!)) count++;
    return count;
  }

  /** Builds the request of some segments at a time in epoch milliseconds. Throws PartsMismatch. */
  of(segments: readonly Segment[], now: number): HttpRequest {
    const { method, encoding, recipients_at } = this.#mapping;
    const each = segments.map((segment) => this.#values(segment, now));
    const values = { ...each[0]!, to: [...new Set(each.map(({ to }) => to))].join(this.#mapping.separator) };
    const headers: Record<string, string> = { accept: 'application/json, */*' };
    for (const line of this.#mapping.headers) {
      const at = line.indexOf(':');
      headers[line.slice(0, at).toLowerCase()] = oneLine(filled(line.slice(at + 1).trim(), values));
    }
    const url = addressOf(filled(this.#mapping.url, values, encodeURIComponent));
    const pairs = this.#pairs(values);
    if (encoding === 'query' && pairs !== '') url.search += url.search === '' ? pairs : `&${pairs}`;
    this.#authorize(url, headers);
    if (encoding === 'query' || method === 'GET') return { method, url: url.href, headers, body: undefined };
    if (encoding === 'form') {
      headers['content-type'] ??= 'application/x-www-form-urlencoded; charset=utf-8';
      return { method, url: url.href, headers, body: pairs };
    }
    headers['content-type'] ??= 'application/json; charset=utf-8';
    const body = recipients_at === '' ? fill(this.#body, values) : fillList(this.#body, recipients_at, each);
    return { method, url: url.href, headers, body: JSON.stringify(body) };
  }

  /** Builds the question for receipts or replies after a cursor. */
  poll(address: string, cursor: string): HttpRequest {
    const url = new URL(
      address
        .replaceAll('{cursor}', encodeURIComponent(cursor))
        .replaceAll('{user}', encodeURIComponent(this.#user))
        .replaceAll('{password}', encodeURIComponent(this.#password)),
    );
    const headers: Record<string, string> = { accept: 'application/json' };
    for (const line of this.#mapping.headers) {
      const at = line.indexOf(':');
      const value = line.slice(at + 1).trim();
      headers[line.slice(0, at).toLowerCase()] = oneLine(
        value.replaceAll('{user}', this.#user).replaceAll('{password}', this.#password),
      );
    }
    this.#authorize(url, headers);
    return { method: 'GET', url: url.href, headers, body: undefined };
  }

  /** Writes the fields as a query; a header of user data as its octets. */
  #pairs(values: Values): string {
    const pairs = this.#mapping.fields.flatMap((line) => {
      const at = line.indexOf('=');
      const template = line.slice(at + 1);
      const value = filled(template, values);
      const name = encodeURIComponent(line.slice(0, at).replace(/\?$/, ''));
      if (value === '' && line[at - 1] === '?') return [];
      return `${name}=${template === '{udh}' ? octets(value) : encodeURIComponent(value)}`;
    });
    return pairs.join('&');
  }

  #authorize(url: URL, headers: Record<string, string>): void {
    const { auth, auth_name } = this.#mapping;
    if (auth === 'basic')
      headers['authorization'] = `Basic ${Buffer.from(`${this.#user}:${this.#password}`).toString('base64')}`;
    else if (auth === 'bearer') headers['authorization'] = `Bearer ${oneLine(this.#password)}`;
    else if (auth === 'header') headers[auth_name.toLowerCase() || 'authorization'] = oneLine(this.#password);
    else if (auth === 'query') url.searchParams.set(auth_name || 'key', this.#password);
  }

  /** Answers a recipient's number as the carrier gets it. */
  numberOf({ message: { msisdn } }: Segment): string {
    return this.#rewriting?.number(msisdn).number ?? msisdn;
  }

  #values(segment: Segment, now: number): Values {
    const { message, part } = segment;
    const { chunk } = message;
    const given = message.text ?? chunk.common_text ?? '';
    if (segmentText(given).parts.length !== message.parts)
      throw new PartsMismatch('the text has other parts than were counted');
    const text = this.#rewriting?.text(given, message.parts) ?? given;
    const { encoding } = segmentText(text);
    const parts = cutInto(text, message.parts);
    const sender = this.#rewriting?.sender(chunk.sender_id, message.msisdn).sender ?? chunk.sender_id;
    const alone = message.parts > 1 && message.reference !== WHOLE;
    const udh = alone && concatenationUdh({ ref: message.reference, total: parts.length, number: part }, false);
    const numeric = /^\+?\d+$/.test(sender);
    const from = numeric ? sender.replace('+', '') : sender;
    const left = chunk.expires_at === null ? undefined : Math.max(0, chunk.expires_at - now);
    return {
      to: this.numberOf(segment),
      from,
      from_e164: numeric && from.length >= LONG_NUMBER ? `+${from}` : from,
      text: alone ? parts[part - 1]! : text,
      reference: referenceOf(message.id, part),
      user: this.#user,
      password: this.#password,
      receipts_url: this.#addresses.receipts,
      replies_url: this.#addresses.replies,
      coding: encoding === 'ucs2' ? '2' : '0',
      type: encoding === 'ucs2' ? 'unicode' : 'text',
      udh: udh ? Buffer.from(udh).toString('latin1') : '',
      udh_hex: udh ? Buffer.from(udh).toString('hex') : '',
      part: String(part),
      parts: String(alone ? parts.length : 1),
      flash: chunk.flash ? '1' : '',
      flash_class: chunk.flash ? '0' : '',
      validity_minutes: left === undefined ? '' : String(Math.max(1, Math.ceil(left / MINUTE))),
      validity_seconds: left === undefined ? '' : String(Math.max(1, Math.ceil(left / SECOND))),
    };
  }
}

/** Reads an address. Throws if a value of `.` or `..` would lead to another path than that of the mapping. */
function addressOf(text: string): URL {
  const [path = ''] = text.replace(/^https?:\/\//i, '').split(/[?#]/);
  if (DOTS.test(path)) throw new Error('a value changes the path of the address');
  return new URL(text);
}

/** Answers whether two segments differ only in their recipient. */
const isLike = (a: Segment, b: Segment): boolean =>
  a.message.chunk === b.message.chunk &&
  a.message.text === b.message.text &&
  a.part === b.part &&
  a.message.reference === b.message.reference;

/** Fills the texts of a JSON document. A property with nothing but an empty placeholder is left out. */
function fill(template: unknown, values: Values): unknown {
  if (typeof template === 'string') {
    const [, name] = ALONE.exec(template) ?? [];
    const value = filled(template, values);
    if (name === undefined) return value;
    return value === '' ? undefined : NUMBERS.has(name) ? Number(value) : value;
  }
  if (Array.isArray(template)) return template.map((each) => fill(each, values));
  if (typeof template !== 'object' || template === null) return template;
  return Object.fromEntries(Object.entries(template).map(([name, value]) => [name, fill(value, values)]));
}

/** Fills a document in which the array at a place gets one element for each message. */
function fillList(template: unknown, place: string, each: readonly Values[]): unknown {
  const steps = place.match(/[\w$-]+/g) ?? [];
  const replace = (at: unknown, depth: number): unknown => {
    if (depth === steps.length) return each.map((values) => fill(Array.isArray(at) ? at[0] : at, values));
    if (Array.isArray(at))
      return at.map((value, index) =>
        String(index) === steps[depth] ? replace(value, depth + 1) : fill(value, each[0]!),
      );
    if (typeof at !== 'object' || at === null) return fill(at, each[0]!);
    return Object.fromEntries(
      Object.entries(at).map(([name, value]) => [
        name,
        name === steps[depth] ? replace(value, depth + 1) : fill(value, each[0]!),
      ]),
    );
  };
  return replace(template, 0);
}
