import { getCampaign } from '@heliograph/contract/campaigns/campaign';
import { keyIn } from '@heliograph/contract/kernel/message-keys';
import { Alert, Button, Stack, Tabs } from '@mantine/core';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyPart } from '../../platform/connection.ts';
import { useMay } from '../../platform/session.ts';
import { OneRecord } from '../../resource/one-record.tsx';
import { Link } from '../../ui/link.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Section } from '../../ui/section.tsx';
import { CampaignMargin } from '../margins/index.tsx';
import { About, CampaignText } from './about.tsx';
import classes from './campaign.module.css';
import { RunControls } from './campaign-actions.tsx';
import { CampaignFeed } from './campaign-feed.ts';
import { CampaignMessages } from './campaign-messages.tsx';
import { EditableName } from './campaign-name.tsx';
import { DuplicateButton } from './composer/duplicate.tsx';
import { EditButton } from './edit-campaign.tsx';
import { Releases } from './releases.tsx';
import { Results } from './results.tsx';
import { type CampaignDetail, CampaignTimeline } from './timeline.tsx';
import { UndoBar } from './undo-bar.tsx';

const Reschedule = lazyPart(async () => (await import('./reschedule.tsx')).Reschedule);
const LIVE: ReadonlySet<string> = new Set(['preparing', 'scheduled', 'running', 'paused']);

/** Page of one campaign: its progress, the outcomes of its messages, and the actions of people. */
export function CampaignPage() {
  const { t } = useTranslation();
  return (
    <OneRecord
      name="campaigns"
      operation={getCampaign}
      notFound={t('campaign.not_there')}
      refreshEvery={(campaign) => (LIVE.has(campaign?.state ?? '') ? 5_000 : false)}
    >
      {(campaign) => <Loaded campaign={campaign} />}
    </OneRecord>
  );
}

function Loaded({ campaign }: { campaign: CampaignDetail }) {
  const { t } = useTranslation();
  const mayDecide = useMay('pending-campaigns-index') && (campaign.abilities.approve || campaign.abilities.discard);
  const [moving, setMoving] = useState(false);
  const [tab, setTab] = useState('results');
  return (
    <>
      <CampaignFeed id={campaign.id} />
      <Suspense>{moving && <Reschedule campaign={campaign} onClose={() => setMoving(false)} />}</Suspense>
      <PageHeader
        title={<EditableName campaign={campaign} />}
        subtitle={t('campaign.from_by', { sender: campaign.sender_id, user: campaign.user_name })}
        crumbs={[{ label: t('menu.campaigns'), to: '/campaigns' }]}
        actions={
          <>
            {mayDecide && (
              <Button component={Link} to="/pending-campaigns" leftSection={<IconCheck size={18} aria-hidden />}>
                {t('campaign.decide')}
              </Button>
            )}
            <DuplicateButton campaignId={campaign.id} />
            <EditButton campaign={campaign} />
            {campaign.abilities.reschedule && (
              <Button size="sm" variant="default" onClick={() => setMoving(true)}>
                {t('campaign.reschedule')}
              </Button>
            )}
            <RunControls campaign={campaign} />
          </>
        }
      />
      {campaign.undo_seconds !== null && <UndoBar campaign={campaign} />}
      {campaign.error_code && (
        <Alert color="red" variant="light" mb="md" icon={<IconAlertTriangle size={18} />}>
          {t([keyIn('errors', campaign.error_code), 'errors.internal_error'])}
        </Alert>
      )}
      <Tabs value={tab} onChange={(next) => setTab(next ?? 'results')} keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="results">{t('funnel.title')}</Tabs.Tab>
          <Tabs.Tab value="messages">{t('resources.messages.many')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="results">
          <div className={classes.grid}>
            <Stack gap="md" miw={0}>
              <Results campaign={campaign} />
              {campaign.releases.length > 0 && (
                <Section title={t('schedule.releases')}>
                  <Releases releases={campaign.releases} />
                </Section>
              )}
            </Stack>
            <Stack gap="md" miw={0}>
              <Section title={t('compose.message')}>
                <CampaignText campaign={campaign} />
              </Section>
              <Section title={t('campaign.timeline')}>
                <CampaignTimeline steps={campaign.timeline} />
              </Section>
              <CampaignMargin id={campaign.id} />
              <About campaign={campaign} />
            </Stack>
          </div>
        </Tabs.Panel>
        <Tabs.Panel value="messages">
          <CampaignMessages campaign={campaign} />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}
