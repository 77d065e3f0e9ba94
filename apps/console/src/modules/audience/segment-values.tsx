import { CONTACT_CONSENTS } from '@heliograph/contract/audience/contact';
import {
  needsDay,
  needsDays,
  SEGMENT_EVENTS,
  SEGMENT_TIME_OPS,
  SEGMENT_TIMES,
  type SegmentCondition,
} from '@heliograph/contract/audience/segment-rule';
import { numberList } from '@heliograph/contract/contacts/number-list';
import { MultiSelect, NativeSelect, NumberInput, TextInput } from '@mantine/core';
import { type ReactNode, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyPart } from '../../platform/connection.ts';
import { ReferenceSelect } from '../../resource/reference.tsx';
import { CampaignSelect } from './segment-campaign.tsx';
import type { ConditionProps } from './segment-condition.tsx';
import classes from './segment-editor.module.css';

const DateInput = lazyPart(async () => (await import('../../resource/date-input.tsx')).DateInput);

/** Values of one condition. */
export function ConditionValues(props: ConditionProps) {
  const { t } = useTranslation();
  const { condition, errorOf } = props;
  const set = (change: object) => props.onChange({ ...condition, ...change } as SegmentCondition);
  switch (condition.on) {
    case 'text':
      if (condition.op === 'empty') return null;
      return (
        <Words
          label={t('segments.value')}
          value={condition.value}
          error={errorOf('value')}
          onChange={(value) => set({ value })}
        />
      );
    case 'choice': {
      if (condition.op === 'empty') return null;
      const known = props.fields.find(({ id }) => id === condition.field_id)?.choices ?? [];
      return (
        <MultiSelect
          size="xs"
          aria-label={t('segments.choices')}
          placeholder={condition.values.length === 0 ? t('form.choose') : ''}
          data={[...new Set([...known, ...condition.values])]}
          value={condition.values}
          error={errorOf('values')}
          onChange={(values) => set({ values })}
        />
      );
    }
    case 'number':
      if (condition.op === 'empty') return null;
      return (
        <>
          <Figure
            label={t('segments.value')}
            value={condition.value}
            error={errorOf('value')}
            onChange={(value) => set({ value })}
          />
          {condition.op === 'between' && (
            <Figure
              label={t('segments.to')}
              value={condition.to}
              error={errorOf('to')}
              onChange={(to) => set({ to })}
            />
          )}
        </>
      );
    case 'date':
      return (
        <>
          {needsDay(condition.op) && (
            <Day
              label={t('segments.day')}
              value={condition.day}
              error={errorOf('day')}
              onChange={(day) => set({ day })}
            />
          )}
          {condition.op === 'between' && (
            <Day label={t('segments.to')} value={condition.to} error={errorOf('to')} onChange={(to) => set({ to })} />
          )}
          {needsDays(condition.op) && (
            <Days value={condition.days} error={errorOf('days')} onChange={(days) => set({ days })} />
          )}
        </>
      );
    case 'yes_no':
      return null;
    case 'tag':
      return (
        <Words
          label={t('segments.tag')}
          value={condition.tag}
          error={errorOf('tag')}
          onChange={(tag) => set({ tag: tag ?? '' })}
        />
      );
    case 'list':
      return (
        <ReferenceSelect
          size="xs"
          aria-label={t('segments.list')}
          to={numberList}
          within={{ corporation_id: props.corporationId }}
          value={condition.list_id || null}
          error={errorOf('list_id')}
          onChange={(list_id) => set({ list_id: list_id ?? 0 })}
        />
      );
    case 'consent':
      return (
        <MultiSelect
          size="xs"
          aria-label={t('segments.consent')}
          data={CONTACT_CONSENTS.map((state) => ({ value: state, label: t(`contact_consent.${state}`) }))}
          value={[...condition.consents]}
          error={errorOf('consents')}
          onChange={(consents) => set({ consents })}
        />
      );
    case 'time':
      return (
        <>
          <Choice
            label={t('segments.time')}
            data={SEGMENT_TIMES.map((time) => ({ value: time, label: t(`segment_time.${time}`) }))}
            value={condition.time}
            onChange={(time) => set({ time })}
          />
          <Choice
            label={t('segments.operation')}
            data={SEGMENT_TIME_OPS.map((op) => ({ value: op, label: t(`segment_op.${op}`) }))}
            value={condition.op}
            onChange={(op) => set({ op })}
          />
          {condition.op === 'last_days' ? (
            <Days value={condition.days} error={errorOf('days')} onChange={(days) => set({ days })} />
          ) : (
            <Day
              label={t('segments.day')}
              value={condition.day}
              error={errorOf('day')}
              onChange={(day) => set({ day })}
            />
          )}
        </>
      );
    case 'event':
      return (
        <>
          <Choice
            label={t('segments.event')}
            data={SEGMENT_EVENTS.map((event) => ({ value: event, label: t(`segment_event.${event}`) }))}
            value={condition.event}
            onChange={(event) =>
              set({
                event,
                ...(event !== 'clicked' && { link: null }),
                ...(event !== 'converted' && { conversion: null }),
              })
            }
          />
          <CampaignSelect
            corporationId={props.corporationId}
            value={condition.campaign_id}
            error={errorOf('campaign_id')}
            onChange={(campaign_id) => set({ campaign_id, ...(campaign_id === null && { link: null }) })}
          />
          {condition.event === 'clicked' && condition.campaign_id !== null && (
            <Days
              label={t('segments.link')}
              placeholder={t('segments.link_any')}
              min={1}
              max={20}
              value={condition.link}
              error={errorOf('link')}
              onChange={(link) => set({ link })}
            />
          )}
          {condition.event === 'converted' && (
            <Words
              label={t('segments.conversion')}
              placeholder={t('segments.conversion_any')}
              value={condition.conversion}
              error={errorOf('conversion')}
              onChange={(conversion) => set({ conversion })}
            />
          )}
          <Days
            placeholder={t('segments.days_any')}
            min={1}
            value={condition.days}
            error={errorOf('days')}
            onChange={(days) => set({ days })}
          />
        </>
      );
  }
}

interface InputProps<Value> {
  label: string;
  value: Value | null;
  error: ReactNode;
  onChange: (value: Value | null) => void;
}

function Words({ label, placeholder, value, error, onChange }: InputProps<string> & { placeholder?: string }) {
  return (
    <TextInput
      size="xs"
      aria-label={label}
      placeholder={placeholder ?? label}
      value={value ?? ''}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value || null)}
    />
  );
}

function Choice({
  label,
  data,
  value,
  onChange,
}: {
  label: string;
  data: { value: string; label: string }[];
  value: string;
  onChange: (value: string) => void;
}) {
  return (
    <NativeSelect
      size="xs"
      aria-label={label}
      data={data}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

function Figure({ label, value, error, onChange }: InputProps<number>) {
  return (
    <NumberInput
      size="xs"
      hideControls
      aria-label={label}
      placeholder={label}
      value={value ?? ''}
      error={error}
      onChange={(next) => onChange(typeof next === 'number' ? next : null)}
    />
  );
}

/** Number of days, or another small number. */
function Days(
  props: Omit<InputProps<number>, 'label'> & { label?: string; placeholder?: string; min?: number; max?: number },
) {
  const { t } = useTranslation();
  const { label = t('segments.days'), value, error, onChange, min = 0, max = 3_650 } = props;
  return (
    <NumberInput
      size="xs"
      className={classes.narrow ?? ''}
      aria-label={label}
      title={label}
      placeholder={props.placeholder ?? label}
      allowDecimal={false}
      min={min}
      max={max}
      value={value ?? ''}
      error={error}
      onChange={(next) => onChange(typeof next === 'number' ? next : null)}
    />
  );
}

function Day({ label, value, error, onChange }: InputProps<string>) {
  const common = { 'aria-label': label, size: 'xs' as const, error };
  return (
    <Suspense fallback={<TextInput {...common} disabled />}>
      <DateInput {...common} placeholder={label} value={value} onChange={onChange} />
    </Suspense>
  );
}
