import type { NumberRules } from '@heliograph/contract/kernel/number-rules';
import { Button, Group, MultiSelect, SegmentedControl, Stack, Text } from '@mantine/core';
import { IconUserMinus } from '@tabler/icons-react';
import { useDeferredValue, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../platform/format.ts';
import { type Draft, edit } from './draft.ts';
import { FileDrop } from './file-drop.tsx';
import { NationalNote } from './national-note.tsx';
import { NumberBox } from './number-box.tsx';
import { checkPasted, type PastedNumbers } from './pasted-numbers.ts';
import classes from './recipients.module.css';
import { SegmentChoice } from './segment-choice.tsx';
import type { ListChoice } from './use-list-choice.ts';

type Errors = Readonly<Record<string, string>>;

/** Recipients of a message: lists, pasted numbers and a file, in any combination. */
export function Recipients(props: {
  draft: Draft;
  lists: ListChoice;
  pasted: PastedNumbers | undefined;
  rules: NumberRules | undefined;
  /** Corporation of the sender or of the chosen lists; undefined before either is chosen. */
  corporationId: number | undefined;
  errors: Errors;
}) {
  const { t } = useTranslation();
  const { draft, lists, pasted, rules, errors } = props;
  const single = draft.content_type === 'single';
  return (
    <Stack gap="md">
      {!single && (
        <Text size="sm" c="dimmed">
          {t('content_type.multi_hint')}
        </Text>
      )}
      {/* With personal texts from a file, there is no text for other recipients. */}
      {single && <Lists chosen={draft.list_ids} lists={lists} error={errors['list_ids']} />}
      {single && (
        <SegmentChoice chosen={draft.segment_ids} corporationId={props.corporationId} error={errors['segment_ids']} />
      )}
      <div className={single && !draft.file ? classes.sources : undefined}>
        {single && (
          <Stack gap={6} mb={draft.file ? 'md' : 0}>
            <NumberBox
              label={t('compose.numbers')}
              placeholder={t('compose.numbers_placeholder', { example: exampleOf(rules) })}
              value={draft.custom_numbers}
              pasted={pasted}
              error={errors['custom_numbers']}
              onChange={setNumbers}
            />
            {draft.custom_numbers.trim() !== '' && <NationalNote count={pasted?.national ?? 0} />}
          </Stack>
        )}
        <FileDrop draft={draft} error={errors['file_id'] ?? errors['columns']} />
      </div>
      <LeaveOut value={draft.blacklist_numbers} rules={rules} error={errors['blacklist_numbers']} />
    </Stack>
  );
}

const setNumbers = (custom_numbers: string) => edit({ custom_numbers });
const setLeftOut = (blacklist_numbers: string) => edit({ blacklist_numbers });

const exampleOf = (rules: NumberRules | undefined) =>
  rules ? `${rules.start_with_any_msisdn ? '63' : rules.start}9171234567`.slice(0, rules.max) : '';

/**
 * Choice between the same message for everyone and a file. The file holds a personal text per row, or the values for
 * one text.
 */
export function ContentType({ value }: { value: 'single' | 'multi' }) {
  const { t } = useTranslation();
  return (
    <SegmentedControl
      size="xs"
      aria-label={t('resources.campaigns.fields.content_type')}
      data={[
        { value: 'single', label: t('content_type.single') },
        { value: 'multi', label: t('content_type.multi') },
      ]}
      value={value}
      onChange={(next) => edit({ content_type: next === 'multi' ? 'multi' : 'single' })}
    />
  );
}

/** Box for numbers to leave out, although a list or the file contains them. It stays hidden until the user opens it. */
function LeaveOut({
  value,
  rules,
  error,
}: {
  value: string;
  rules: NumberRules | undefined;
  error: string | undefined;
}) {
  const { t } = useTranslation();
  const [wanted, setWanted] = useState(false);
  const numbers = useDeferredValue(value);
  const pasted = useMemo(() => (rules ? checkPasted(numbers, rules) : undefined), [numbers, rules]);
  if (!wanted && value === '' && error === undefined)
    return (
      <Button
        variant="subtle"
        size="compact-sm"
        leftSection={<IconUserMinus size={16} aria-hidden />}
        className={classes.leaveOut ?? ''}
        onClick={() => setWanted(true)}
      >
        {t('compose.leave_out')}
      </Button>
    );
  return (
    <NumberBox
      label={t('compose.blacklist_numbers')}
      description={t('compose.blacklist_numbers_hint')}
      placeholder={t('compose.numbers_placeholder', { example: exampleOf(rules) })}
      value={value}
      pasted={pasted}
      error={error}
      autoFocus={wanted}
      onChange={setLeftOut}
    />
  );
}

function Lists(props: { chosen: readonly number[]; lists: ListChoice; error: string | undefined }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { chosen, lists } = props;
  const offered = new Set([...lists.offered, ...chosen]);
  return (
    <MultiSelect
      label={t('compose.lists')}
      description={
        chosen.length > 0 ? t('compose.lists_total', { count: lists.total, n: format.integer(lists.total) }) : undefined
      }
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      placeholder={chosen.length === 0 ? t('compose.lists_placeholder') : ''}
      searchable
      clearable
      hidePickedOptions
      maxValues={100}
      nothingFoundMessage={lists.loading ? t('common.loading') : t('form.nothing_found')}
      clearButtonProps={{ 'aria-label': t('compose.lists_clear') }}
      searchValue={lists.search}
      onSearchChange={lists.setSearch}
      error={props.error}
      data={[...offered].map((id) => ({ value: String(id), label: lists.known.get(id)?.name ?? `#${id}` }))}
      renderOption={({ option }) => (
        <Group justify="space-between" wrap="nowrap" w="100%">
          <span>
            <Text size="sm">{option.label}</Text>
            <Text size="xs" c="dimmed">
              {lists.known.get(Number(option.value))?.whose}
            </Text>
          </span>
          <Text size="xs" c="dimmed">
            {format.integer(lists.known.get(Number(option.value))?.count ?? 0)}
          </Text>
        </Group>
      )}
      value={chosen.map(String)}
      onChange={(values) => edit({ list_ids: values.map(Number) })}
    />
  );
}
