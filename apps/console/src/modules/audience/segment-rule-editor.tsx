import {
  conditionsOf,
  SEGMENT_LIMITS,
  SEGMENT_MATCHES,
  type SegmentGroup,
  type SegmentMatch,
  type SegmentRule,
  segmentRule,
} from '@heliograph/contract/audience/segment-rule';
import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { createContext, useContext } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormState } from '../../resource/form.tsx';
import { ConditionRow } from './segment-condition.tsx';
import classes from './segment-editor.module.css';
import { firstCondition, firstGroup, firstRule, withPart } from './segment-parts.ts';
import { SegmentResult } from './segment-result.tsx';
import { type ContactFieldRow, useContactFields } from './value-fields.tsx';

type Part = Pick<SegmentGroup, 'match' | 'rules'>;

interface Editing {
  corporationId: number;
  fields: readonly ContactFieldRow[];
  /** True while the rule may get more conditions. */
  more: boolean;
}

const EditingContext = createContext<Editing>({ corporationId: 0, fields: [], more: true });

/** Editor of a rule as groups and conditions, with what it finds below. */
export function RuleEditor() {
  const { t } = useTranslation();
  const { row, values, set, errors } = useFormState();
  const corporationId = Number(row?.['corporation_id'] ?? values['corporation_id'] ?? 0);
  const fields = useContactFields(corporationId);
  const rule = (values['rule'] ?? firstRule()) as SegmentRule;
  const more = conditionsOf(rule).length < SEGMENT_LIMITS.conditions;
  return (
    <Stack gap="sm" data-field="rule">
      <EditingContext value={{ corporationId, fields, more }}>
        <GroupEditor part={rule} path="rule" depth={1} onChange={(part) => set('rule', { ...rule, ...part })} />
      </EditingContext>
      {/* An incomplete rule says so below; its faults are at the conditions. */}
      {errors['rule'] && segmentRule.safeParse(rule).success && (
        <Text size="sm" c="red" role="alert">
          {errors['rule']}
        </Text>
      )}
      <Text size="xs" c="dimmed">
        {t('segments.hint')}
      </Text>
      {corporationId > 0 && <SegmentResult corporationId={corporationId} rule={rule} />}
    </Stack>
  );
}

interface GroupProps {
  part: Part;
  path: string;
  depth: number;
  onChange: (part: Part) => void;
  onRemove?: () => void;
}

/** Group of conditions and of other groups. */
function GroupEditor({ part, path, depth, onChange, onRemove }: GroupProps) {
  const { t } = useTranslation();
  const { errors } = useFormState();
  const { corporationId, fields, more } = useContext(EditingContext);
  const change = (rules: Part['rules']) => onChange({ match: part.match, rules });
  const only = part.rules.length === 1;
  return (
    <fieldset className={classes.group}>
      <legend className="app-visually-hidden">{t('segments.group')}</legend>
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <NativeSelect
          aria-label={t('segments.group')}
          size="xs"
          value={part.match}
          data={SEGMENT_MATCHES.map((match) => ({ value: match, label: t(`segment_match.${match}`) }))}
          onChange={(event) => onChange({ ...part, match: event.currentTarget.value as SegmentMatch })}
        />
        {onRemove && (
          <Button
            size="compact-sm"
            variant="subtle"
            color="gray"
            leftSection={<IconTrash size={14} aria-hidden />}
            onClick={onRemove}
          >
            {t('segments.remove_group')}
          </Button>
        )}
      </Group>
      {part.rules.map((each, at) => {
        const own = `${path}.rules.${at}`;
        const remove = () => change(withPart(part.rules, at, null));
        return each.on === 'group' ? (
          <GroupEditor
            // biome-ignore lint/suspicious/noArrayIndexKey: parts have no identity but their place
            key={at}
            part={each}
            path={own}
            depth={depth + 1}
            onChange={(next) => change(withPart(part.rules, at, { ...next, on: 'group' }))}
            {...(!only && { onRemove: remove })}
          />
        ) : (
          <ConditionRow
            // biome-ignore lint/suspicious/noArrayIndexKey: parts have no identity but their place
            key={at}
            condition={each}
            number={at + 1}
            corporationId={corporationId}
            fields={fields}
            errorOf={(field) => errors[`${own}.${field}`]}
            onChange={(next) => change(withPart(part.rules, at, next))}
            onRemove={only ? undefined : remove}
          />
        );
      })}
      <Group gap="xs">
        <Button
          size="compact-sm"
          variant="light"
          disabled={!more}
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => change([...part.rules, firstCondition()])}
        >
          {t('segments.add_condition')}
        </Button>
        {depth < SEGMENT_LIMITS.depth && (
          <Button
            size="compact-sm"
            variant="subtle"
            disabled={!more}
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => change([...part.rules, firstGroup()])}
          >
            {t('segments.add_group')}
          </Button>
        )}
      </Group>
    </fieldset>
  );
}
