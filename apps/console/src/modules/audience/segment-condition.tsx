import type { SegmentCondition } from '@heliograph/contract/audience/segment-rule';
import { keyIn } from '@heliograph/contract/kernel/message-keys';
import { ActionIcon, NativeSelect } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './segment-editor.module.css';
import { conditionAbout, opsOf, subjectOf } from './segment-parts.ts';
import { ConditionValues } from './segment-values.tsx';
import type { ContactFieldRow } from './value-fields.tsx';

const KINDS = ['tag', 'list', 'consent', 'time', 'event'] as const;

export interface ConditionProps {
  condition: SegmentCondition;
  corporationId: number;
  fields: readonly ContactFieldRow[];
  errorOf: (field: string) => ReactNode;
  onChange: (condition: SegmentCondition) => void;
}

/** One condition: its subject, whether it must be true, its comparison and its values. */
export function ConditionRow(props: ConditionProps & { number: number; onRemove: (() => void) | undefined }) {
  const { t } = useTranslation();
  const { condition, fields, onChange } = props;
  const subject = subjectOf(condition);
  const known =
    subject === 'name' || !subject.startsWith('field:') || fields.some(({ id }) => subject === `field:${id}`);
  const subjects = [
    { value: 'name', label: t('resources.contacts.fields.name') },
    ...fields.map(({ id, name }) => ({ value: `field:${id}`, label: name })),
    ...(known ? [] : [{ value: subject, label: t('segment_words.missing') }]),
    ...KINDS.map((kind) => ({ value: kind, label: t(`segment_kind.${kind}`) })),
  ];
  const ops = opsOf(condition);
  return (
    <fieldset className={classes.condition}>
      <legend className="app-visually-hidden">{t('segments.condition_n', { n: props.number })}</legend>
      <NativeSelect
        size="xs"
        className={classes.narrow ?? ''}
        aria-label={t('segments.negated')}
        data={[
          { value: 'yes', label: t('segments.is') },
          { value: 'no', label: t('segments.is_not') },
        ]}
        value={condition.not ? 'no' : 'yes'}
        onChange={(event) => onChange({ ...condition, not: event.currentTarget.value === 'no' })}
      />
      <NativeSelect
        size="xs"
        aria-label={t('segments.kind')}
        data={subjects}
        value={subject}
        error={props.errorOf('field_id')}
        onChange={(event) => onChange(conditionAbout(event.currentTarget.value, fields))}
      />
      {ops.length > 0 && 'op' in condition && (
        <NativeSelect
          size="xs"
          aria-label={t('segments.operation')}
          data={ops.map((op) => ({ value: op, label: t(keyIn('segment_op', op)) }))}
          value={condition.op}
          onChange={(event) => onChange({ ...condition, op: event.currentTarget.value } as SegmentCondition)}
        />
      )}
      <ConditionValues {...props} />
      {props.onRemove && (
        <ActionIcon
          className={classes.remove ?? ''}
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={t('segments.remove_condition')}
          title={t('segments.remove_condition')}
          onClick={props.onRemove}
        >
          <IconTrash size={16} aria-hidden />
        </ActionIcon>
      )}
    </fieldset>
  );
}
