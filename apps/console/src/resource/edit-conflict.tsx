import type { EditConflict as Conflict } from '@heliograph/contract/kernel/errors';
import { referenceOf } from '@heliograph/contract/kernel/fields';
import type { AnyResource } from '@heliograph/contract/kernel/resource';
import { Alert, Radio, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { useFormat } from '../platform/format.ts';
import { same } from '../platform/same.ts';
import { labelOf, showOf, textOf } from './columns.tsx';
import type { Values } from './form-values.ts';

/** Field that two people changed to different values, and the value chosen to keep. */
export interface Contest {
  field: string;
  mine: unknown;
  theirs: unknown;
  /** Null until the person has chosen. */
  choice: 'mine' | 'theirs' | null;
  /** Set if the values are never shown, or too long to be shown side by side. */
  unshown: boolean;
}

/** Returns the fields that were changed both here and by another person since `base` was read. */
export function contestsOf(
  resource: Pick<AnyResource, 'unshown'>,
  conflict: Conflict,
  base: Values,
  changed: Values,
): Contest[] {
  return Object.entries(conflict.fields).flatMap(([field, { theirs }]): Contest[] => {
    const mark = resource.unshown[field];
    const read = mark ?? field;
    if (same(base[read], conflict.current[read])) return [];
    return [{ field, mine: changed[field], theirs, choice: null, unshown: mark !== undefined }];
  });
}

interface EditConflictProps {
  /** Key of the labels: `resources.<name>`. */
  name: string;
  schema: z.ZodObject;
  contests: readonly Contest[];
  choose: (field: string, choice: 'mine' | 'theirs', value: unknown) => void;
  /** Label of a field that belongs to no record. */
  label?: (field: string) => string;
}

/** Notice that another person saved the same record. For each field that both changed, it asks which value to keep. */
export function EditConflict({ name, schema, contests, choose, label }: EditConflictProps) {
  const { t } = useTranslation();
  const textFor = useValueText(schema);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);
  const option = (contest: Contest, whose: 'mine' | 'theirs') =>
    contest.unshown
      ? t(`conflict.${whose}_unshown`)
      : t(`conflict.${whose}`, {
          value: textFor(contest.field, contest[whose]),
          interpolation: { escapeValue: false },
        });
  return (
    <Alert ref={box} tabIndex={-1} color="yellow" role="alert" title={t('conflict.title')}>
      <Stack gap="md">
        <Text size="sm">{t('conflict.text')}</Text>
        {contests.map((contest) => (
          <Radio.Group
            key={contest.field}
            data-contest={contest.choice === null ? 'open' : 'chosen'}
            label={label?.(contest.field) ?? labelOf(name, contest.field)}
            value={contest.choice}
            onChange={(whose) => choose(contest.field, whose as 'mine' | 'theirs', contest[whose as 'mine' | 'theirs'])}
          >
            <Stack gap={6} mt={4}>
              {(['mine', 'theirs'] as const).map((whose) => (
                <Radio
                  key={whose}
                  value={whose}
                  label={option(contest, whose)}
                  styles={{ label: { overflowWrap: 'anywhere' } }}
                />
              ))}
            </Stack>
          </Radio.Group>
        ))}
      </Stack>
    </Alert>
  );
}

/** Maximum characters of a value that is shown beside another. */
const LONG = 300;

/** Returns a function that shows a value as lists do. Records appear by name if the name is already loaded. */
function useValueText(schema: z.ZodObject): (field: string, value: unknown) => string {
  const { t } = useTranslation();
  const format = useFormat();
  const client = useQueryClient();
  const nameOf = (to: string, id: unknown): string => {
    const lists = client.getQueriesData<{ data?: readonly Values[] | Values }>({ queryKey: [to] });
    const rows = lists.flatMap(([, kept]) => kept?.data ?? []);
    const row = rows.find((each) => each['id'] === id);
    return String(row?.['name'] ?? row?.['title'] ?? row?.['sender_id'] ?? `#${id}`);
  };
  return (field, value) => {
    const type = schema.shape[field] as z.ZodType | undefined;
    const to = type && referenceOf(type);
    const one = (each: unknown): string => {
      if (each === null || each === undefined || each === '') return t('conflict.empty');
      if (to) return nameOf(to, each);
      if (typeof each === 'boolean') return t(each ? 'common.yes' : 'common.no');
      if (typeof each === 'object')
        return Object.entries(each)
          .map(([key, inner]) => `${key}: ${one(inner)}`)
          .join(', ');
      return textOf(format, type ? showOf(type) : 'text', each, undefined);
    };
    const text = Array.isArray(value) ? value.map(one).join(', ') || t('conflict.empty') : one(value);
    return text.length > LONG ? `${text.slice(0, LONG)}…` : text;
  };
}
