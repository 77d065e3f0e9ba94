import { searchArticles } from '@heliograph/contract/documentation/reader';
import { Combobox, Highlight, Loader, Mark, Text, TextInput, useCombobox } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import classes from './reader.module.css';

/** Search field that finds articles while the user types and shows the matching words. */
export function Search() {
  const { t, i18n } = useTranslation();
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const [wanted] = useDebouncedValue(typed.trim(), 200);
  const box = useCombobox({ onDropdownClose: () => box.resetSelectedOption() });
  const found = useQuery({
    queryKey: ['documentation', 'search', i18n.language, wanted],
    queryFn: ({ signal }) => call(searchArticles, { query: { search: wanted }, signal }),
    enabled: wanted.length > 1,
    placeholderData: keepPreviousData,
  });
  const rows = wanted.length > 1 ? found.data?.data : undefined;
  return (
    <Combobox
      store={box}
      withinPortal={false}
      width="min(560px, calc(100vw - 24px))"
      position="bottom-start"
      onOptionSubmit={(id) => {
        box.closeDropdown();
        void navigate({ to: `/document/${id}` });
      }}
    >
      <Combobox.Target withAriaAttributes>
        <TextInput
          className={classes.search!}
          type="search"
          maxLength={100}
          aria-label={t('documentation.search')}
          placeholder={t('documentation.search')}
          leftSection={<IconSearch size={17} stroke={1.7} />}
          rightSection={found.isFetching ? <Loader size={14} /> : null}
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            box.openDropdown();
            box.updateSelectedOptionIndex();
          }}
          onFocus={() => box.openDropdown()}
          onBlur={() => box.closeDropdown()}
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={!rows}>
        <Combobox.Options mah="60vh" style={{ overflowY: 'auto' }} aria-label={t('documentation.search')}>
          {rows?.map((row) => (
            <Combobox.Option key={row.id} value={String(row.id)}>
              <Highlight component="div" fw={600} size="sm" highlight={wanted.split(/\s+/)}>
                {row.title}
              </Highlight>
              <Text component="div" size="sm" c="dimmed" lineClamp={2}>
                {row.excerpt.map(({ text, hit }, place) =>
                  // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text in their order
                  hit ? <Mark key={place}>{text}</Mark> : text,
                )}
              </Text>
            </Combobox.Option>
          ))}
          {rows?.length === 0 && <Combobox.Empty>{t('documentation.nothing_found')}</Combobox.Empty>}
        </Combobox.Options>
      </Combobox.Dropdown>
      <div className="app-visually-hidden" aria-live="polite">
        {rows ? t('documentation.found', { count: rows.length }) : ''}
      </div>
    </Combobox>
  );
}
