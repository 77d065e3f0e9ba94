import { z } from 'zod';

// Parameters that a carrier asks for besides those of SMPP. A link defines them by lines `name=TAG:type` or
// `name=TAG:type:value`; campaigns, sender IDs and messages give values by the name.

/** Types of a value. A number is an integer of as many octets; `hex` is octets in hexadecimal. */
export const PARAMETER_TYPES = ['int1', 'int2', 'int4', 'hex', 'cstring', 'text'] as const;
export type ParameterType = (typeof PARAMETER_TYPES)[number];

/** Fixed fields of submit_sm that a parameter may set, with their only type. */
export const PARAMETER_FIELDS = { service_type: 'cstring', protocol_id: 'int1', priority_flag: 'int1' } as const;
export type ParameterField = keyof typeof PARAMETER_FIELDS;

/** Fields of a message that a value may contain, as `{to}`. The last three differ between messages of a campaign. */
export const PARAMETER_PLACEHOLDERS = [
  'from',
  'class',
  'campaign_id',
  'corporation_id',
  'to',
  'message_id',
  'part',
] as const;
export type ParameterPlaceholder = (typeof PARAMETER_PLACEHOLDERS)[number];

/** A parameter as a link defines it. */
export interface VendorParameter {
  name: string;
  /** Tag of a TLV, or a fixed field. */
  target: number | ParameterField;
  type: ParameterType;
  /** Value if nothing else gives one; empty for none. */
  value: string;
}

const NAME = /^[a-z][a-z0-9_]{0,39}$/;
/** Maximum octets of a value. */
const MOST_OCTETS = 255;
/** Maximum octets of service_type without its NUL (SMPP 3.4 §5.2.11). */
const SERVICE_TYPE_OCTETS = 5;
/** Tags that the platform writes itself: subunit, reference, sar, receipt and payload. */
const OWN_TAGS: ReadonlySet<number> = new Set([0x0005, 0x001e, 0x0204, 0x020c, 0x020e, 0x020f, 0x0424, 0x0427]);
const LARGEST = { int1: 0xff, int2: 0xffff, int4: 0xffff_ffff } as const;
const PLACEHOLDER = /\{(\w*)\}/g;
const LINE = /^([a-z][a-z0-9_]{0,39})=(0x[0-9a-f]{1,4}|[a-z_]+):([a-z0-9]+)(?::(.*))?$/i;

/** Returns the names of the placeholders of a value. */
export const placeholdersOf = (value: string): string[] => [...value.matchAll(PLACEHOLDER)].map(([, name]) => name!);

/** Replaces the placeholders of a value. */
export const filledIn = (value: string, fields: Readonly<Record<ParameterPlaceholder, string>>): string =>
  value.replace(PLACEHOLDER, (_, name: ParameterPlaceholder) => fields[name]);

/** Returns the octets of a value without placeholders; undefined if its type cannot hold it. */
export function parameterOctets(type: ParameterType, value: string): Uint8Array | undefined {
  switch (type) {
    case 'int1':
    case 'int2':
    case 'int4': {
      const number = /^(\d{1,10}|0x[0-9a-f]{1,8})$/i.test(value) ? Number(value) : Number.NaN;
      if (!(number <= LARGEST[type])) return undefined;
      const octets = new Uint8Array(4);
      new DataView(octets.buffer).setUint32(0, number);
      return octets.slice(4 - Number(type.at(-1)));
    }
    case 'hex':
      if (!/^([0-9a-f]{2})*$/i.test(value) || value.length > 2 * MOST_OCTETS) return undefined;
      return Uint8Array.from(value.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
    case 'cstring':
      if (!/^[\x20-\x7e]*$/.test(value) || value.length >= MOST_OCTETS) return undefined;
      return new TextEncoder().encode(`${value}\0`);
    case 'text': {
      const octets = new TextEncoder().encode(value);
      return octets.length <= MOST_OCTETS && value.isWellFormed() ? octets : undefined;
    }
  }
}

/** Returns the text of octets that came in a TLV; undefined if they are no value of the type. */
export function parameterText(type: ParameterType, octets: Uint8Array): string | undefined {
  const hex = Array.from(octets, (octet) => octet.toString(16).padStart(2, '0')).join('');
  switch (type) {
    case 'int1':
    case 'int2':
    case 'int4':
      return octets.length === Number(type.at(-1)) ? String(Number.parseInt(hex, 16)) : undefined;
    case 'hex':
      return hex;
    default: {
      const end = type === 'cstring' ? octets.indexOf(0) : -1;
      const text = new TextDecoder().decode(end < 0 ? octets : octets.subarray(0, end));
      return text.replaceAll('\0', '\ufffd');
    }
  }
}

/** Returns whether a value, with its placeholders, may be one of a type. Numbers stand for what is not known yet. */
export function isParameterValue({ type, target }: Pick<VendorParameter, 'type' | 'target'>, value: string): boolean {
  const names = placeholdersOf(value);
  if (!names.every((name) => (PARAMETER_PLACEHOLDERS as readonly string[]).includes(name))) return false;
  // A digit stands for each placeholder, whose text is only known when the message leaves.
  const sample = value.replace(PLACEHOLDER, type === 'hex' ? '00' : '1');
  if (target === 'service_type' && sample.length > SERVICE_TYPE_OCTETS) return false;
  return parameterOctets(type, sample) !== undefined;
}

/** Reads a line of a link; undefined if it is none. */
export function parseParameter(line: string): VendorParameter | undefined {
  const [, name, place = '', type, value = ''] = LINE.exec(line.trim()) ?? [];
  if (!name || !(PARAMETER_TYPES as readonly string[]).includes(type!)) return undefined;
  const tag = place.startsWith('0x') ? Number(place) : undefined;
  if (tag === 0 || (tag !== undefined && OWN_TAGS.has(tag))) return undefined;
  if (tag === undefined && PARAMETER_FIELDS[place as ParameterField] !== type) return undefined;
  const parameter = { name, target: tag ?? (place as ParameterField), type: type as ParameterType, value };
  return value === '' || isParameterValue(parameter, value) ? parameter : undefined;
}

/** Line of a link that defines a parameter. */
const definition = z
  .string()
  .trim()
  .max(400)
  .refine((line) => parseParameter(line) !== undefined, { error: 'vendor_parameter' });

/** Parameters that a link knows, each name once. */
export const vendorParameters = z
  .array(definition)
  .max(30)
  .refine((lines) => new Set(lines.map((line) => line.split('=')[0])).size === lines.length, {
    error: 'vendor_parameter_twice',
  });

/** Values by name, as programs give them. */
export const parameterValues = z
  .record(z.string().regex(NAME, { error: 'parameter_name' }), z.string().max(MOST_OCTETS * 2))
  .refine((values) => Object.keys(values).length <= 20, { error: 'too_many_parameters' });
export type ParameterValues = z.output<typeof parameterValues>;

const valueLine = z
  .string()
  .trim()
  .max(MOST_OCTETS * 2)
  .regex(/^[a-z][a-z0-9_]{0,39}=.+$/, { error: 'parameter_value' });

/** Values as lines `name=value`, as people enter them. */
export const parameterLines = z.array(valueLine).max(20);

/** Returns the values of lines `name=value`; a later line replaces an earlier one of its name. */
export const valuesOfLines = (lines: readonly string[]): ParameterValues =>
  Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf('=');
      return [line.slice(0, at), line.slice(at + 1)];
    }),
  );

/**
 * Returns why a value cannot be given: no link knows its name, or a link that knows it cannot send the value.
 * `undefined` if it can.
 */
export function parameterFault(
  known: readonly VendorParameter[],
  name: string,
  value: string,
): 'parameter_unknown' | 'parameter_value_bad' | undefined {
  const named = known.filter((each) => each.name === name);
  if (named.length === 0) return 'parameter_unknown';
  return named.every((each) => isParameterValue(each, value)) ? undefined : 'parameter_value_bad';
}
