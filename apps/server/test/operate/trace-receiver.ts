import { createServer } from 'node:http';
import { listenOn } from '../own-port.ts';
import type { Scope } from '../template-database.ts';

/** A span as received, with the attributes of its sender. */
export interface ReceivedSpan {
  service: string;
  trace_id: string;
  span_id: string;
  parent_id: string;
  name: string;
  kind: number;
  attributes: Record<string, string | number | boolean>;
  failed: boolean;
}

type Field = bigint | Buffer;

/**
 * Returns the fields of a protobuf message by their numbers: varints and fixed numbers as bigint, all others as octets.
 */
function fieldsOf(octets: Buffer): Map<number, Field[]> {
  const fields = new Map<number, Field[]>();
  let at = 0;
  const varint = () => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const octet = octets[at++];
      if (octet === undefined) throw new Error('a protobuf message ends early');
      value |= BigInt(octet & 127) << shift;
      if (octet < 128) return value;
    }
  };
  while (at < octets.length) {
    const tag = Number(varint());
    const [number, type] = [tag >> 3, tag & 7];
    let value: Field;
    if (type === 0) value = varint();
    else if (type === 1) {
      value = octets.readBigUInt64LE(at);
      at += 8;
    } else if (type === 5) {
      value = BigInt(octets.readUInt32LE(at));
      at += 4;
    } else if (type === 2) {
      const length = Number(varint());
      value = octets.subarray(at, at + length);
      at += length;
    } else throw new Error(`protobuf type ${type} is none that OTLP uses here`);
    fields.set(number, [...(fields.get(number) ?? []), value]);
  }
  return fields;
}

const messages = (octets: Buffer, number: number) => (fieldsOf(octets).get(number) ?? []) as Buffer[];
const text = (octets: Field | undefined) => (octets === undefined ? '' : octets.toString());

/** Attributes: KeyValue { key = 1; AnyValue value = 2 { string = 1, bool = 2, int = 3, double = 4 } }. */
function attributesOf(pairs: Buffer[]): ReceivedSpan['attributes'] {
  return Object.fromEntries(
    pairs.map((pair) => {
      const fields = fieldsOf(pair);
      const value = fieldsOf(fields.get(2)![0] as Buffer);
      const [kind, [of]] = [...value][0] as [number, [Field]];
      const shown = kind === 1 ? text(of) : kind === 2 ? of === 1n : Number(of);
      return [text(fields.get(1)![0]), shown];
    }),
  );
}

/** ExportTraceServiceRequest of OTLP, as opentelemetry/proto/trace/v1 numbers its fields. */
export function spansOf(request: Buffer): ReceivedSpan[] {
  return messages(request, 1).flatMap((resourceSpans) => {
    const [resource] = messages(resourceSpans, 1);
    const service = String(attributesOf(resource ? messages(resource, 1) : [])['service.name']);
    return messages(resourceSpans, 2)
      .flatMap((scopeSpans) => messages(scopeSpans, 2))
      .map((span) => {
        const fields = fieldsOf(span);
        const hex = (number: number) =>
          ((fields.get(number)?.[0] as Buffer | undefined) ?? Buffer.alloc(0)).toString('hex');
        const status = fields.get(15)?.[0] as Buffer | undefined;
        return {
          service,
          trace_id: hex(1),
          span_id: hex(2),
          parent_id: hex(4),
          name: text(fields.get(5)?.[0]),
          kind: Number(fields.get(6)?.[0] ?? 0n),
          attributes: attributesOf((fields.get(9) ?? []) as Buffer[]),
          failed: status !== undefined && fieldsOf(status).get(3)?.[0] === 2n,
        };
      });
  });
}

/** Starts a collector, which accepts requests to /v1/traces and decodes them. */
export async function startTraceReceiver(t: Scope): Promise<{
  url: string;
  spans: ReceivedSpan[];
  /** Octets of every request, to search for forbidden content. */
  raw: Buffer[];
  headers: Record<string, unknown>[];
}> {
  const spans: ReceivedSpan[] = [];
  const raw: Buffer[] = [];
  const headers: Record<string, unknown>[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      if (request.url === '/v1/traces' && request.headers['content-type'] === 'application/x-protobuf') {
        headers.push(request.headers);
        raw.push(body);
        spans.push(...spansOf(body));
      }
      response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
    });
  });
  return { url: `http://127.0.0.1:${await listenOn(server, t)}`, spans, raw, headers };
}
