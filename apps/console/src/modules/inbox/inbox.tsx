import { Button, Group, SegmentedControl } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconDownload } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../../platform/session.ts';
import { Conversations } from './conversations.tsx';
import { InboxDownload } from './inbox-download.tsx';
import { InboxTable } from './inbox-table.tsx';

const LAYOUTS = ['conversations', 'table'] as const;
type Layout = (typeof LAYOUTS)[number];

/**
 * Screen of what people write to the corporation's numbers: as conversations, or as a table of all messages. The choice
 * is kept in this browser, and an address may name it.
 */
export function Inbox() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const mayDownload = useMay('inbox-download');
  const { layout: asked } = useSearch({ strict: false }) as { layout?: string };
  const [kept, keep] = useLocalStorage<Layout>({
    key: 'inbox-layout',
    defaultValue: 'conversations',
    getInitialValueInEffect: false,
  });
  const [downloading, setDownloading] = useState(false);
  const layout = LAYOUTS.find((each) => each === asked) ?? kept;

  function choose(next: Layout, search: Record<string, string> = {}) {
    keep(next);
    void navigate({ to: '/inbox', search: { ...search, ...(asked && { layout: next }) } });
  }

  const actions = (
    <Group gap="xs">
      <SegmentedControl
        aria-label={t('inbox.layout')}
        value={layout}
        onChange={(value) => choose(value as Layout)}
        data={LAYOUTS.map((value) => ({ value, label: t(`inbox.layouts.${value}`) }))}
      />
      {mayDownload && (
        <Button
          variant="default"
          leftSection={<IconDownload size={16} stroke={1.6} />}
          onClick={() => setDownloading(true)}
        >
          {t('inbox.download')}
        </Button>
      )}
    </Group>
  );
  return (
    <>
      {layout === 'table' ? (
        <InboxTable actions={actions} open={(id) => choose('conversations', { conversation: String(id) })} />
      ) : (
        <Conversations actions={actions} />
      )}
      {downloading && <InboxDownload onClose={() => setDownloading(false)} />}
    </>
  );
}
