import type { NumberRules } from '@heliograph/contract/kernel/number-rules';
import { Badge, Button, Group, MultiSelect, Stack, Text, Textarea } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { memo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../platform/format.ts';
import { type Draft, edit } from './draft.ts';
import { FileDrop } from './file-drop.tsx';
import { onlyGood, type PastedFault, type PastedNumbers } from './pasted-numbers.ts';
import classes from './recipients.module.css';
import { useLists } from './use-recipients.ts';

/** Most characters of pasted numbers the contract takes. */
const MAX_CHARACTERS = 200_000;
/** From here on a paste is put in place by the screen instead of the browser. */
const LONG_PASTE = 2_000;

type Errors = Readonly<Record<string, string>>;

/** Who a message goes to: lists, pasted numbers and a file, in any combination. */
export function Recipients(props: {
  draft: Draft;
  corporationId: number | undefined;
  pasted: PastedNumbers | undefined;
  rules: NumberRules | undefined;
  errors: Errors;
}) {
  return (
    <Stack gap="md">
      {/* Where everybody has a text of their own, there is nothing for anybody else. */}
      {props.draft.content_type === 'single' && (
        <>
          <Lists draft={props.draft} corporationId={props.corporationId} error={props.errors['list_ids']} />
          <Pasted
            value={props.draft.custom_numbers}
            pasted={props.pasted}
            rules={props.rules}
            error={props.errors['custom_numbers']}
          />
        </>
      )}
      <FileDrop draft={props.draft} error={props.errors['file_id'] ?? props.errors['columns']} />
    </Stack>
  );
}

function Lists(props: { draft: Draft; corporationId: number | undefined; error: string | undefined }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [search, setSearch] = useState('');
  const [wanted] = useDebouncedValue(search.trim(), 250);
  const lists = useLists(props.corporationId, wanted);
  // Lists chosen earlier keep their names when a search no longer finds them.
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

/** Drawn anew only when its own text changes: a browser takes long over a field of thousands of lines. */
const Pasted = memo(function Pasted(props: {
  value: string;
  pasted: PastedNumbers | undefined;
  rules: NumberRules | undefined;
  error: string | undefined;
}) {
  const { t } = useTranslation();
  const { pasted, rules } = props;
  const bad = Object.entries(pasted?.bad ?? {}) as [PastedFault, number][];
  const example = rules ? `${rules.start_with_any_msisdn ? '63' : rules.start}9171234567`.slice(0, rules.max) : '';
  return (
    <Stack gap={8}>
      <Textarea
        label={t('compose.numbers')}
        placeholder={t('compose.numbers_placeholder', { example })}
        rows={3}
        resize="vertical"
        spellCheck={false}
        inputMode="tel"
        maxLength={MAX_CHARACTERS}
        error={props.error}
        value={props.value}
        onChange={(event) => edit({ custom_numbers: event.currentTarget.value })}
        onPaste={(event) => {
          const pastedText = event.clipboardData.getData('text/plain');
          if (pastedText.length < LONG_PASTE) return;
          // The browser's own editing takes minutes for thousands of lines; putting the text in place takes none.
          event.preventDefault();
          const { value, selectionStart, selectionEnd } = event.currentTarget;
          edit({
            custom_numbers: (value.slice(0, selectionStart) + pastedText + value.slice(selectionEnd)).slice(
              0,
              MAX_CHARACTERS,
            ),
          });
        }}
      />
      {pasted && props.value.trim() !== '' && <Verdict pasted={pasted} bad={bad} />}
    </Stack>
  );
});

function Verdict({ pasted, bad }: { pasted: PastedNumbers; bad: [PastedFault, number][] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [open, setOpen] = useState(false);
  return (
    <Stack gap={6}>
      <div className={classes.verdict} role="status">
        <Badge color="teal" variant="light" tt="none">
          {t('numbers_check.good', { n: format.integer(pasted.good.length) })}
        </Badge>
        {bad.map(([fault, count]) => (
          <Badge key={fault} color={fault === 'duplicate' ? 'gray' : 'red'} variant="light" tt="none">
            {`${t(`reject_reason.${fault}`)}: ${format.integer(count)}`}
          </Badge>
        ))}
        {bad.length > 0 && (
          <Button size="compact-xs" variant="subtle" onClick={() => edit({ custom_numbers: onlyGood(pasted) })}>
            {t('numbers_check.keep_good')}
          </Button>
        )}
        {pasted.listed.length > 0 && (
          <Button size="compact-xs" variant="subtle" aria-expanded={open} onClick={() => setOpen(!open)}>
            {t(open ? 'numbers_check.hide' : 'numbers_check.show')}
          </Button>
        )}
      </div>
      {open && (
        <Text size="xs" component="ul" m={0} pl="md" mah={140} style={{ overflowY: 'auto' }} tabIndex={0}>
          {pasted.listed.map(({ entry, fault }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same entry may stand there twice
            <li key={at}>
              <b>{entry.slice(0, 40)}</b> – {t(`reject_reason.${fault}`)}
            </li>
          ))}
        </Text>
      )}
    </Stack>
  );
}
