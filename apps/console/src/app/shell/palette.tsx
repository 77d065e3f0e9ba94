import '@mantine/spotlight/styles.css';
import { listCampaigns } from '@heliograph/contract/campaigns/campaign';
import { screenOf } from '@heliograph/contract/kernel/screen-list';
import { createSpotlight, Spotlight } from '@mantine/spotlight';
import { IconArrowRight, IconDeviceMobileMessage, IconSearch, IconSpeakerphone } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { menuLabel } from '../../platform/menu-label.ts';
import { may, useSession } from '../../platform/session.ts';

const [store, spotlight] = createSpotlight();

/** Finds any screen, any campaign by its name, and the messages of any number. */
export function Palette(props: { onClose: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [query, setQuery] = useState('');
  const wanted = query.trim().toLowerCase();
  const menus = useSession((s) => s.menus);
  useEffect(() => spotlight.open(), []);

  const screens = [
    ...menus.flatMap((entry) => [entry, ...entry.children]),
    { url: 'profile', title: 'profile', labels: null },
  ]
    .filter((entry) => screenOf(entry.url))
    // Two entries of the menu may lead to one screen.
    .filter((entry, index, all) => all.findIndex(({ url }) => url === entry.url) === index)
    .map((entry) => ({ url: entry.url, label: menuLabel(entry) }))
    .filter((entry) => entry.label.toLowerCase().includes(wanted) || entry.url.includes(wanted))
    .slice(0, wanted ? 8 : 30);
  const campaigns = useQuery({
    queryKey: ['palette', wanted],
    queryFn: ({ signal }) => call(listCampaigns, { query: { search: wanted, per_page: 6 }, signal }),
    enabled: wanted.length > 1 && may('campaigns-index'),
    placeholderData: keepPreviousData,
  });
  const digits = query.replace(/[\s\-+().]/g, '');
  const number = /^\d{4,15}$/.test(digits) && may('transactions-index') ? digits : null;
  const rows = wanted.length > 1 ? (campaigns.data?.data ?? []) : [];

  const go = (to: string, search: Record<string, string> = {}) => void navigate({ to, search });
  return (
    <Spotlight.Root
      store={store}
      query={query}
      onQueryChange={setQuery}
      onSpotlightClose={props.onClose}
      maxHeight="70vh"
      scrollable
    >
      <Spotlight.Search
        placeholder={t('shell.palette_placeholder')}
        aria-label={t('shell.palette_placeholder')}
        leftSection={<IconSearch size={20} stroke={1.6} />}
      />
      <Spotlight.ActionsList>
        {number !== null && (
          <Spotlight.ActionsGroup label={t('shell.palette_numbers')}>
            <Spotlight.Action
              label={t('shell.palette_messages_to', { number })}
              leftSection={<IconDeviceMobileMessage size={20} stroke={1.6} />}
              onClick={() => go('/transactions', { number })}
            />
          </Spotlight.ActionsGroup>
        )}
        {screens.length > 0 && (
          <Spotlight.ActionsGroup label={t('shell.palette_screens')}>
            {screens.map((entry) => (
              <Spotlight.Action
                key={entry.url}
                label={entry.label}
                leftSection={<IconArrowRight size={18} stroke={1.6} />}
                onClick={() => go(`/${entry.url}`)}
              />
            ))}
          </Spotlight.ActionsGroup>
        )}
        {rows.length > 0 && (
          <Spotlight.ActionsGroup label={t('shell.palette_campaigns')}>
            {rows.map((campaign) => (
              <Spotlight.Action
                key={campaign.id}
                label={campaign.name}
                description={t(`campaign_state.${campaign.state}`)}
                leftSection={<IconSpeakerphone size={20} stroke={1.6} />}
                onClick={() => go(`/campaign-history/${campaign.id}`)}
              />
            ))}
          </Spotlight.ActionsGroup>
        )}
        {screens.length === 0 && rows.length === 0 && number === null && (
          <Spotlight.Empty>{t('shell.palette_nothing')}</Spotlight.Empty>
        )}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}
