import { compileText, MERGE_FIELDS, renderText } from '@heliograph/contract/kernel/merge-fields';
import { plainLanguage } from '@heliograph/contract/templates/language-texts';
import { messageTemplate } from '@heliograph/contract/templates/message-template';
import { Button, Combobox, ScrollArea, Text, useCombobox } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconTemplate } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { useMay } from '../../platform/session.ts';
import type { Conversation } from './thread.tsx';
import { usePerson } from './use-person.ts';

/** A field without a value stays as it is, and the person fills it in. */
const UNFILLED = Object.fromEntries(MERGE_FIELDS.map((field) => [field, `{${field}}`]));
const PAUSE_MS = 250;
const MOST = 20;

/** Button that searches the message templates. The chosen one is inserted with the person's own values. */
export function CannedReplies(props: { conversation: Conversation; onChosen: (text: string) => void }) {
  const { t } = useTranslation();
  const { conversation } = props;
  const may = useMay(messageTemplate.permissions.index);
  const [search, setSearch] = useState('');
  const [wanted] = useDebouncedValue(search.trim(), PAUSE_MS);
  const combobox = useCombobox({
    onDropdownOpen: () => combobox.focusSearchInput(),
    onDropdownClose: () => setSearch(''),
  });
  const person = usePerson(conversation.id);
  const templates = useQuery({
    queryKey: [messageTemplate.name, 'canned', conversation.corporation_id, wanted],
    queryFn: ({ signal }) =>
      call(messageTemplate.list, {
        query: { corporation_id: conversation.corporation_id, search: wanted, per_page: MOST, sort: 'name' },
        signal,
      }),
    enabled: may && conversation.corporation_id !== null,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });
  const rows = templates.data?.data ?? [];
  if (!may || (rows.length === 0 && wanted === '' && !combobox.dropdownOpened)) return null;
  const contact = person?.contact ?? {};
  const keys = new Set(Object.keys(contact));
  const language = plainLanguage(person?.language ?? '');
  const textFor = ({ template, language_texts }: Pick<(typeof rows)[number], 'template' | 'language_texts'>) =>
    language_texts.find((each) => plainLanguage(each.language) === language)?.text ?? template;
  const values = Object.fromEntries([
    ...Object.entries(contact),
    ['name', conversation.name],
    ...(person?.lists ?? []).toReversed().flatMap(({ fields }) => fields.map(({ field, value }) => [field, value])),
  ]);
  return (
    <Combobox
      store={combobox}
      width={340}
      position="top-end"
      shadow="md"
      onOptionSubmit={(id) => {
        const chosen = rows.find((row) => String(row.id) === id);
        if (chosen) props.onChosen(renderText(compileText(textFor(chosen), keys), values, UNFILLED).text);
        combobox.closeDropdown();
      }}
    >
      <Combobox.Target withAriaAttributes={false}>
        <Button
          size="compact-xs"
          variant="subtle"
          leftSection={<IconTemplate size={15} stroke={1.6} />}
          aria-haspopup="listbox"
          aria-expanded={combobox.dropdownOpened}
          onClick={() => combobox.toggleDropdown()}
        >
          {t('inbox.templates')}
        </Button>
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Search
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          placeholder={t('inbox.search_templates')}
          aria-label={t('inbox.search_templates')}
        />
        <Combobox.Options>
          <ScrollArea.Autosize mah={260} type="auto">
            {rows.length === 0 && <Combobox.Empty>{t('form.nothing_found')}</Combobox.Empty>}
            {rows.map(({ id, name, template, language_texts }) => (
              <Combobox.Option key={id} value={String(id)}>
                <Text size="sm" fw={500}>
                  {name}
                </Text>
                <Text size="xs" c="dimmed" lineClamp={2}>
                  {textFor({ template, language_texts })}
                </Text>
              </Combobox.Option>
            ))}
          </ScrollArea.Autosize>
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}
