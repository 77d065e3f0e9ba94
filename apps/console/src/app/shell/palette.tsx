import '@mantine/spotlight/styles.css';
import { Modal } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { createSpotlight, Spotlight } from '@mantine/spotlight';
import {
  IconArrowRight,
  IconBook,
  IconClock,
  IconDeviceMobileMessage,
  IconFileText,
  IconPlus,
  IconSearch,
} from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { may } from '../../platform/session.ts';
import { type Entry, findEntries, GROUPS, keepRecent, knownEntries, recentEntries } from './palette-entries.ts';

const [store, spotlight] = createSpotlight();
/** Lists that scroll can be reached with the Tab key. */
const SCROLLS = { viewportProps: { tabIndex: 0 } };
const ICONS = {
  recent: IconClock,
  numbers: IconDeviceMobileMessage,
  actions: IconPlus,
  screens: IconArrowRight,
  objects: IconFileText,
  articles: IconBook,
} as const;

/** Runs actions, and finds screens, records and articles by name, and the messages of any number. */
export function Palette(props: { onClose: () => void }) {
  const { t, i18n } = useTranslation();
  const navigate = useNavigate();
  const [query, setQuery] = useState('');
  const wanted = query.trim().toLowerCase();
  const [search] = useDebouncedValue(wanted, 250);
  useEffect(() => spotlight.open(), []);
  const records = useQuery({
    queryKey: ['palette', i18n.language, search],
    queryFn: ({ signal }) => findEntries(search, signal),
    enabled: search.length > 1,
    placeholderData: keepPreviousData,
  });

  const found = [
    ...(wanted === '' ? recentEntries() : []),
    ...knownEntries(wanted),
    ...(wanted.length > 1 ? (records.data ?? []) : []),
  ];
  const settled = !records.isFetching && search === wanted;
  const go = (entry: Entry) => {
    keepRecent(entry);
    void navigate({ to: entry.to, search: entry.search ?? {}, ...(entry.create && { state: { create: Date.now() } }) });
  };
  const line = (entry: Entry) => {
    const Icon = ICONS[entry.group];
    return (
      <Spotlight.Action
        key={`${entry.group} ${entry.to} ${entry.label}`}
        label={entry.label}
        {...(entry.note ? { description: entry.note } : {})}
        leftSection={<Icon size={18} stroke={1.6} aria-hidden />}
        onClick={() => go(entry)}
      />
    );
  };
  return (
    <Spotlight.Root
      store={store}
      query={query}
      onQueryChange={setQuery}
      onSpotlightClose={props.onClose}
      // The frame stays where it is and as high as it is while the results change.
      centered={false}
      yOffset="15vh"
      maxHeight="60vh"
      scrollable
      styles={{ content: { height: '60vh' } }}
    >
      <Modal.Title className="app-visually-hidden">{t('shell.find')}</Modal.Title>
      <Spotlight.Search
        placeholder={t('shell.palette_placeholder')}
        aria-label={t('shell.palette_placeholder')}
        leftSection={<IconSearch size={20} stroke={1.6} />}
      />
      <Spotlight.ActionsList {...SCROLLS}>
        {GROUPS.map((group) => {
          const lines = found.filter((entry) => entry.group === group);
          return (
            lines.length > 0 && (
              <Spotlight.ActionsGroup key={group} label={t(`palette.group.${group}`)}>
                {lines.map(line)}
              </Spotlight.ActionsGroup>
            )
          );
        })}
        {found.length === 0 && !settled && <Spotlight.Empty>{t('common.loading')}</Spotlight.Empty>}
        {found.length === 0 && settled && (
          <>
            <Spotlight.Empty>{t('palette.nothing', { query: query.trim() })}</Spotlight.Empty>
            {may('documentation-view') &&
              line({ group: 'articles', label: t('palette.read_guide'), to: '/documentation' })}
            {may('campaigns-create') && line({ group: 'actions', label: t('palette.send_sms'), to: '/send-sms' })}
          </>
        )}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}
