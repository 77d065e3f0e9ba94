import type { NumberRules } from '@heliograph/contract/kernel/number-rules';
import { Button, Group, MultiSelect, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
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
import { useLists } from './use-recipients.ts';

type Errors = Readonly<Record<string, string>>;

/** Recipients of a message: lists, pasted numbers and a file, in any combination. */
export function Recipients(props: {
  draft: Draft;
  corporationId: number | undefined;
  pasted: PastedNumbers | undefined;
  rules: NumberRules | undefined;
  errors: Errors;
}) {
  const { t } = useTranslation();
  return (
    <Stack gap="md">
      {/* With personal texts from a file, there is no text for other recipients. */}
      {props.draft.content_type === 'single' && (
        <>
          <Lists draft={props.draft} corporationId={props.corporationId} error={props.errors['list_ids']} />
          <NumberBox
            label={t('compose.numbers')}
            placeholder={t('compose.numbers_placeholder', { example: exampleOf(props.rules) })}
            value={props.draft.custom_numbers}
            pasted={props.pasted}
            error={props.errors['custom_numbers']}
            onChange={setNumbers}
          />
          {props.draft.custom_numbers.trim() !== '' && <NationalNote count={props.pasted?.national ?? 0} />}
        </>
      )}
      <FileDrop draft={props.draft} error={props.errors['file_id'] ?? props.errors['columns']} />
      <LeaveOut value={props.draft.blacklist_numbers} rules={props.rules} error={props.errors['blacklist_numbers']} />
    </Stack>
  );
}

const setNumbers = (custom_numbers: string) => edit({ custom_numbers });
const setLeftOut = (blacklist_numbers: string) => edit({ blacklist_numbers });

const exampleOf = (rules: NumberRules | undefined) =>
  rules ? `${rules.start_with_any_msisdn ? '63' : rules.start}9171234567`.slice(0, rules.max) : '';

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

function Lists(props: { draft: Draft; corporationId: number | undefined; error: string | undefined }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [search, setSearch] = useState('');
  const [wanted] = useDebouncedValue(search.trim(), 250);
  const lists = useLists(props.corporationId, wanted);
  // Lists chosen earlier keep their names even if a search no longer finds them.
  const [seen, setSeen] = useState<Record<number, { name: string; count: number; whose: string }>>({});
  const rows = lists.data?.data ?? [];
  if (rows.some((row) => seen[row.id]?.count !== row.numbers_count))
    setSeen({
      ...seen,
      ...Object.fromEntries(
        rows.map((row) => [
          row.id,
          {
            name: row.name,
            count: row.numbers_count,
            whose: row.private ? t('resources.number-lists.fields.private') : row.department_name,
          },
        ]),
      ),
    });
  const offered = new Set([...rows.map((row) => row.id), ...props.draft.list_ids]);
  const total = props.draft.list_ids.reduce((sum, id) => sum + (seen[id]?.count ?? 0), 0);
  return (
    <MultiSelect
      label={t('compose.lists')}
      description={
        props.draft.list_ids.length > 0
          ? t('compose.lists_total', { count: total, n: format.integer(total) })
          : undefined
      }
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      placeholder={
        props.corporationId === undefined
          ? t('form.choose_first', { field: t('resources.sender-ids.fields.sender_id') })
          : props.draft.list_ids.length === 0
            ? t('compose.lists_placeholder')
            : ''
      }
      searchable
      clearable
      hidePickedOptions
      maxValues={100}
      disabled={props.corporationId === undefined}
      nothingFoundMessage={lists.isFetching ? t('common.loading') : t('form.nothing_found')}
      clearButtonProps={{ 'aria-label': t('compose.lists_clear') }}
      searchValue={search}
      onSearchChange={setSearch}
      error={props.error}
      data={[...offered].map((id) => ({ value: String(id), label: seen[id]?.name ?? `#${id}` }))}
      renderOption={({ option }) => (
        <Group justify="space-between" wrap="nowrap" w="100%">
          <span>
            <Text size="sm">{option.label}</Text>
            <Text size="xs" c="dimmed">
              {seen[Number(option.value)]?.whose}
            </Text>
          </span>
          <Text size="xs" c="dimmed">
            {format.integer(seen[Number(option.value)]?.count ?? 0)}
          </Text>
        </Group>
      )}
      value={props.draft.list_ids.map(String)}
      onChange={(values) => edit({ list_ids: values.map(Number) })}
    />
  );
}
