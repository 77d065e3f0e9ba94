import { innerOf, kindOf } from '@heliograph/contract/kernel/fields';
import { keyIn, type MessageKey } from '@heliograph/contract/kernel/message-keys';
import type { Operation, ReplyOf } from '@heliograph/contract/kernel/operation';
import { Text, Tooltip } from '@mantine/core';
import i18next from 'i18next';
import type { ReactNode } from 'react';
import type { z } from 'zod';
import { type Format, useFormat } from '../platform/format.ts';
import { DotWord, MoneyText, RelativeTime } from './cells.tsx';

export type Key<T> = Extract<keyof T, string>;
/** Rows that a list call returns. */
export type RowOf<O extends Operation> = ReplyOf<O> extends { data: (infer Row)[] } ? Row : never;
/**
 * Column of a list: a field of the row, shown by its kind or by `cell`. Columns with `hidden` are offered in the column
 * chooser. A column that shows more than its field has the text of the key `title` as its heading. Times are relative,
 * unless the column is `exact`. A column with `keep` is never folded below the name where room is short. One with
 * `figure` is aligned at its end, although it has its own `cell`.
 */
export type Column<Row> =
  | Key<Row>
  | {
      field: Key<Row>;
      title?: MessageKey;
      cell?: (row: Row) => ReactNode;
      csv?: (row: Row) => unknown;
      hidden?: boolean;
      width?: number;
      exact?: boolean;
      keep?: boolean;
      figure?: boolean;
    };

type Shape = Readonly<Record<string, z.ZodType>>;
export type Show = 'money' | 'instant' | 'date' | 'integer' | 'yes-no' | 'text';

/** Returns the shape of the rows that a list call returns. */
export function rowShapeOf(operation: Operation): Shape {
  const data = (operation.reply as z.ZodObject).shape.data as unknown as { element: z.ZodObject };
  return data.element.shape as unknown as Shape;
}

/** Returns how a field is shown, based on its schema. */
export function showOf(schema: z.ZodType | undefined): Show {
  if (!schema) return 'text';
  const kind = kindOf(schema);
  if (kind === 'money' || kind === 'instant') return kind;
  const { type, format } = innerOf(schema).def as { type: string; format?: string };
  if (format === 'datetime') return 'instant';
  if (format === 'date') return 'date';
  if (type === 'boolean') return 'yes-no';
  return type === 'number' && kind === undefined ? 'integer' : 'text';
}

/** Returns a field's label: `resources.<name>.fields.<field>`. */
export const labelOf = (name: string, field: string): string => i18next.t(keyIn('resources', name, 'fields', field));

/** Maximum characters of a text that a cell shows in full. */
const LONG = 40;

interface CellProps {
  show: Show;
  value: unknown;
  currency?: unknown;
  /** Name of the field. A record that is on or off has a dot; other facts are plain words. */
  field?: string;
  /** Shows a time in full instead of its distance from now. */
  exact?: boolean;
}

/** Fields that turn a record on or off. */
const SWITCHES = new Set(['enabled', 'active']);

/** Value of a field, shown by its kind. */
export function Cell(props: CellProps) {
  const format = useFormat();
  const { show, value } = props;
  if (value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0))
    return (
      <Text span c="dimmed" inherit aria-hidden="true">
        –
      </Text>
    );
  if (show === 'yes-no') {
    if (SWITCHES.has(props.field ?? ''))
      return <DotWord {...(value ? { color: 'teal' } : {})}>{i18next.t(value ? 'common.on' : 'common.off')}</DotWord>;
    const word = i18next.t(value ? 'common.yes' : 'common.no');
    return value ? (
      word
    ) : (
      <Text span c="dimmed" inherit>
        {word}
      </Text>
    );
  }
  if (show === 'instant' && !props.exact) return <RelativeTime at={String(value)} />;
  if (show === 'instant')
    return (
      <Tooltip label={i18next.t('common.utc', { time: format.instantUtc(String(value)) })}>
        <time dateTime={String(value)}>{format.instant(String(value))}</time>
      </Tooltip>
    );
  if (show === 'money')
    return (
      <MoneyText value={String(value)} {...(typeof props.currency === 'string' ? { currency: props.currency } : {})} />
    );
  const text = textOf(format, show, value, props.currency);
  return text.length > LONG ? (
    <Text span inherit truncate display="block" maw={`${LONG}ch`} title={text}>
      {text}
    </Text>
  ) : (
    text
  );
}

/** Returns a value as text. */
export function textOf(format: Format, show: Show, value: unknown, currency: unknown): string {
  if (show === 'integer') return format.integer(Number(value));
  if (show === 'date') return format.date(String(value));
  if (show === 'money') return format.money(String(value), typeof currency === 'string' ? currency : undefined);
  return String(value);
}
