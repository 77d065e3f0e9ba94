import {
  filledIn,
  type ParameterPlaceholder,
  type ParameterValues,
  parameterOctets,
  parameterText,
  parseParameter,
  placeholdersOf,
  type VendorParameter,
} from '@heliograph/contract/links/vendor-parameters';
import type { MessageFields, RawTlv, Tlvs } from '@heliograph/smpp';
import type { ChunkContext, Segment } from '../segment.ts';
import type { Link } from './link.ts';

/** Placeholders that differ between messages of a chunk. */
const OF_MESSAGE: ReadonlySet<string> = new Set<ParameterPlaceholder>(['to', 'message_id', 'part']);
/** Maximum vendor TLVs of one PDU, and octets of each, that are kept. */
const MOST_KEPT = 20;
const MOST_OCTETS = 255;
const NO_MESSAGE = { to: '', message_id: '', part: '' };

/** Error for a value that its type cannot hold; the message must not leave without it. */
export class ParameterMismatch extends Error {
  override name = 'parameter_mismatch';
}

/** Parameters of a chunk: those that all its messages share, ready to send, and those that are made for each. */
interface OfChunk {
  shared: Partial<MessageFields>;
  tlvs: RawTlv[];
  own: { parameter: VendorParameter; value: string }[];
}

/** Vendor parameters of one link, compiled once for its settings. */
export class VendorParameters {
  readonly #known: readonly VendorParameter[];
  readonly #byTag: ReadonlyMap<number, VendorParameter>;
  readonly #chunks = new WeakMap<ChunkContext, OfChunk>();

  private constructor(known: readonly VendorParameter[]) {
    this.#known = known;
    this.#byTag = new Map(known.flatMap((each) => (typeof each.target === 'number' ? [[each.target, each]] : [])));
  }

  /** Compiles the parameters of a link; undefined if it has none. */
  static of({ parameters = [] }: Pick<Partial<Link>, 'parameters'>): VendorParameters | undefined {
    const known = parameters.map(parseParameter).filter((each) => each !== undefined);
    return known.length > 0 ? new VendorParameters(known) : undefined;
  }

  /** Whether the values differ between messages of a chunk, so that each needs a PDU of its own. */
  differIn(chunk: ChunkContext): boolean {
    return this.#ofChunk(chunk).own.length > 0;
  }

  /** Adds the parameters of a segment to its fields. Throws ParameterMismatch. */
  addTo(fields: MessageFields, { message, part }: Segment): MessageFields {
    const { shared, tlvs, own } = this.#ofChunk(message.chunk);
    const all = [...tlvs];
    const fixed = { ...shared };
    for (const { parameter, value } of own) {
      const ofMessage = { to: message.msisdn, message_id: String(message.id), part: String(part) };
      put(parameter, filledIn(value, { ...fieldsOf(message.chunk), ...ofMessage }), fixed, all);
    }
    return { ...fields, ...fixed, ...(all.length > 0 && { tlvs: { ...fields.tlvs, unknown: all } }) };
  }

  #ofChunk(chunk: ChunkContext): OfChunk {
    let found = this.#chunks.get(chunk);
    if (!found) {
      found = { shared: {}, tlvs: [], own: [] };
      for (const parameter of this.#known) {
        const value = chunk.parameters?.[parameter.name] ?? parameter.value;
        if (value === '') continue;
        if (placeholdersOf(value).some((name) => OF_MESSAGE.has(name))) found.own.push({ parameter, value });
        else put(parameter, filledIn(value, { ...fieldsOf(chunk), ...NO_MESSAGE }), found.shared, found.tlvs);
      }
      this.#chunks.set(chunk, found);
    }
    return found;
  }

  /**
   * Reads the vendor TLVs of a receipt or a message from a phone by their names; null for none. With `all`, those that
   * the link does not name are there, too, by their tag and in hexadecimal.
   */
  read(tlvs: Tlvs | undefined, all: boolean): ParameterValues | null {
    return readVendorTlvs(tlvs, this.#byTag, all);
  }
}

const NONE: ReadonlyMap<number, VendorParameter> = new Map();

/** Reads the vendor TLVs of a PDU; `byTag` has the names and types. */
export function readVendorTlvs(
  tlvs: Tlvs | undefined,
  byTag: ReadonlyMap<number, VendorParameter> = NONE,
  all = true,
): ParameterValues | null {
  if (!tlvs?.unknown) return null;
  const values: ParameterValues = {};
  for (const { tag, value } of tlvs.unknown.slice(0, MOST_KEPT)) {
    const octets = value.subarray(0, MOST_OCTETS);
    const parameter = byTag.get(tag);
    const text = parameter && parameterText(parameter.type, octets);
    if (text !== undefined) values[parameter!.name] = text;
    else if (all) values[`0x${tag.toString(16).padStart(4, '0')}`] = parameterText('hex', octets)!;
  }
  return Object.keys(values).length > 0 ? values : null;
}

const fieldsOf = (chunk: ChunkContext) => ({
  from: chunk.sender_id,
  class: chunk.class,
  campaign_id: String(chunk.campaign_id ?? ''),
  corporation_id: String(chunk.corporation_id),
});

function put({ name, target, type }: VendorParameter, value: string, fields: Partial<MessageFields>, tlvs: RawTlv[]) {
  const octets = parameterOctets(type, value);
  if (!octets) throw new ParameterMismatch(`the parameter ${name} cannot hold its value`);
  if (typeof target === 'number') tlvs.push({ tag: target, value: octets });
  else if (target === 'service_type') fields.service_type = value;
  else fields[target] = octets[0]!;
}
