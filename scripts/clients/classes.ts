import { apiModel, type ModelCall, type RecordType, type Type } from './api-model.ts';

// The public API as generators of languages with classes see it: no other names of types, no types that nothing needs.

/** Type of a value. `values` are the texts that the API knows today; it may add others. */
export type Shape = { nullable: boolean } & (
  | { kind: 'string'; values: readonly string[] }
  | { kind: 'integer' | 'number' | 'boolean' | 'any' }
  | { kind: 'list' | 'map'; of: Shape }
  | { kind: 'record'; name: string }
);

/** Field of a class, or parameter of a query. */
export interface ClassField {
  name: string;
  shape: Shape;
  required: boolean;
  description: string | undefined;
}

/** Class of values. `sent` means that it is a part of a request. */
export interface ApiClass {
  name: string;
  fields: ClassField[];
  sent: boolean;
}

/** One call. Its `body` is the name of a class, `empty` for an object without fields, or null. */
export interface ClassCall extends Omit<ModelCall, 'inQuery' | 'reply'> {
  inQuery: readonly ClassField[];
  /** Class of the answer, or of the items of a page of a list, or the bytes of a file, or events. */
  answer: { record: string } | { page: string } | 'file' | 'stream';
}

/** Names that people write, in place of those of their places. */
const NAMES: Readonly<Record<string, string>> = {
  SendBatchRequestRecipientsItem: 'SendBatchRecipient',
  SendBatchRequestRecipientsItemParams: 'SendBatchParams',
};
const PAGE = 'data,next_cursor,has_more';
const EVENT = 'type,timestamp,data,id';
const namesOf = ({ fields }: RecordType) => fields.map(({ name }) => name).join();

/** Returns names of constants and texts of a field, or a list, with several known values. */
export function constantsOf({ name, shape }: ClassField): { name: string; value: string }[] {
  const each = shape.kind === 'list' ? shape.of : shape;
  if (each.kind !== 'string' || each.values.length < 2) return [];
  return each.values.map((value) => ({ name: `${name}_${value}`.replaceAll(/[^A-Za-z0-9]+/g, '_'), value }));
}

/** Returns the words of a name such as `client_ref` as `clientRef`. */
export const camel = (name: string) => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
export const pascal = (name: string) => camel(`_${name}`);

/** Returns all classes and calls. */
export function apiClasses(): { classes: ApiClass[]; calls: ClassCall[] } {
  const { records, calls } = apiModel();
  const byName = new Map(records.map((record) => [record.name, record]));
  const real = (name: string): RecordType => {
    const record = byName.get(name)!;
    return record.alias?.kind === 'record' ? real(record.alias.name) : record;
  };
  // A name such as ListContactsReplyDataItem gives way to one that a person would choose.
  const better = new Map<string, string>();
  for (const { name, alias } of records) {
    if (alias?.kind !== 'record' || /Item|CallbackData$/.test(name)) continue;
    const own = real(name).name;
    if (own.includes('Item') && !better.has(own)) better.set(own, name);
  }
  const nameOf = (name: string) => NAMES[name] ?? better.get(name) ?? name.replace('ReplyDataItem', 'Item');

  function shapeOf(type: Type): Shape {
    switch (type.kind) {
      case 'plain':
        if (type.name === 'null') return { kind: 'any', nullable: true };
        return type.name === 'string'
          ? { kind: 'string', values: [], nullable: false }
          : { kind: type.name, nullable: type.name === 'any' };
      case 'one-of':
        if (type.values.every((value) => typeof value === 'string'))
          return { kind: 'string', values: type.values as string[], nullable: false };
        return { kind: typeof type.values[0] === 'boolean' ? 'boolean' : 'integer', nullable: false };
      case 'list':
      case 'map':
        return { kind: type.kind, of: shapeOf(type.of), nullable: false };
      case 'union': {
        const others = type.of.filter((each) => !(each.kind === 'plain' && each.name === 'null'));
        if (others.every((each) => each.kind === 'record' && namesOf(real(each.name)) === EVENT))
          return { kind: 'record', name: 'Event', nullable: others.length < type.of.length };
        return others.length === 1
          ? { ...shapeOf(others[0]!), nullable: others.length < type.of.length }
          : { kind: 'any', nullable: true };
      }
      case 'record': {
        const { name, fields } = real(type.name);
        // An object whose fields the contract does not name.
        if (fields.length === 0) return { kind: 'map', of: { kind: 'any', nullable: true }, nullable: false };
        return { kind: 'record', name: nameOf(name), nullable: false };
      }
    }
  }

  const made = new Map<string, ApiClass>();
  function need(record: RecordType, sent: boolean, name = nameOf(record.name)): string {
    const known = made.get(name);
    if (known && (known.sent || !sent)) return name;
    const fields = record.fields.map(({ type, ...field }) => ({ ...field, shape: shapeOf(type) }));
    if (known) known.sent = sent;
    else made.set(name, { name, fields, sent });
    for (const { type } of record.fields) needOf(type, sent);
    return name;
  }
  function needOf(type: Type, sent: boolean): void {
    if (type.kind === 'list' || type.kind === 'map') needOf(type.of, sent);
    // One of several kinds of records, such as conditions of segments, is a map.
    if (type.kind === 'union' && shapeOf(type).kind === 'record' && !isEvents(type))
      for (const each of type.of) needOf(each, sent);
    if (type.kind === 'record' && real(type.name).fields.length > 0) need(real(type.name), sent);
  }
  const isEvents = (type: Type) => {
    const shape = shapeOf(type);
    return shape.kind === 'record' && shape.name === 'Event';
  };

  function answerOf(name: string): ClassCall['answer'] {
    const record = real(name);
    if (namesOf(record) !== PAGE) return { record: need(record, false) };
    const { type } = record.fields[0]!;
    needOf(type, false);
    const item = shapeOf((type as { of: Type }).of) as { name: string };
    return { page: item.name };
  }

  need(real('Problem'), false);
  const classCalls = calls.map(({ inQuery, reply, body, ...call }): ClassCall => {
    const record = body ? real(body) : null;
    return {
      ...call,
      inQuery: inQuery.map(({ type, ...each }) => ({ ...each, shape: shapeOf(type) })),
      body: record && (record.fields.length === 0 ? 'empty' : need(record, true)),
      answer: typeof reply === 'string' ? reply : answerOf(reply.record),
    };
  });
  for (const { name } of records) if (name.endsWith('CallbackData')) need(real(name), false, name);
  return { classes: [...made.values()], calls: classCalls };
}
