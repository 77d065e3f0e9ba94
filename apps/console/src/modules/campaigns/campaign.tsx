import { getCampaign } from '@heliograph/contract/campaigns/campaign';
import { keyIn } from '@heliograph/contract/kernel/message-keys';
import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../platform/format.ts';
import { useMay } from '../../platform/session.ts';
import { Cell } from '../../resource/columns.tsx';
import { OneRecord } from '../../resource/one-record.tsx';
import { Fact } from '../../ui/fact.tsx';
import { Link } from '../../ui/link.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Section } from '../../ui/section.tsx';
import classes from './campaign.module.css';
import { RunControls } from './campaign-actions.tsx';
import { CampaignFeed } from './campaign-feed.ts';
import { CampaignMessages } from './campaign-messages.tsx';
import { DuplicateButton } from './composer/duplicate.tsx';
import { RejectedFile } from './composer/quote-card.tsx';
import { EditButton } from './edit-campaign.tsx';
import { Failures } from './failures.tsx';
import { Funnel } from './funnel.tsx';
import { Legend, ProgressBar } from './progress-bar.tsx';
import { Releases } from './releases.tsx';
import { Reschedule } from './reschedule.tsx';
import { LiveFigures } from './running-campaigns.tsx';
import { PauseReason, ScheduleMarks, ScheduleRange } from './schedule-words.tsx';
import { StateBadge } from './state-badge.tsx';
import { type CampaignDetail, CampaignTimeline } from './timeline.tsx';
import { UndoBar } from './undo-bar.tsx';

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
  const underWay = campaign.state === 'running' || campaign.state === 'paused';
  return (
    <>
      <CampaignFeed id={campaign.id} />
      {moving && <Reschedule campaign={campaign} onClose={() => setMoving(false)} />}
      <PageHeader
        title={
          <Group component="span" gap={12}>
            <span style={{ overflowWrap: 'anywhere' }}>{campaign.name}</span>
            <StateBadge state={campaign.state} size="md" />
          </Group>
        }
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
      <div className={classes.grid}>
        <Stack gap="md" miw={0} className={classes.main ?? ''}>
          {underWay && (
            <Section title={t('campaign.progress')}>
              <PauseReason campaign={campaign} />
              <ProgressBar campaign={campaign} height={12} />
              <LiveFigures campaign={campaign} />
              <Legend campaign={campaign} />
            </Section>
          )}
          <Section title={t('funnel.title')}>
            <Funnel campaign={campaign} clicks={campaign.clicks} replies={campaign.replies} />
          </Section>
          {campaign.releases.length > 0 && (
            <Section title={t('schedule.releases')}>
              <Releases releases={campaign.releases} />
            </Section>
          )}
          <Section title={t('campaign.failures')}>
            <Failures failures={campaign.failures} />
          </Section>
        </Stack>
        <Stack gap="md" miw={0} className={classes.side ?? ''}>
          <Section title={t('campaign.about')}>
            <Facts campaign={campaign} />
          </Section>
          <Section title={t('campaign.timeline')}>
            <CampaignTimeline steps={campaign.timeline} />
          </Section>
        </Stack>
        <div className={classes.messages}>
          <Title order={2} size="h4" mb="sm">
            {t('resources.messages.many')}
          </Title>
          <CampaignMessages campaign={campaign} />
        </div>
      </div>
    </>
  );
}

function Facts({ campaign }: { campaign: CampaignDetail }) {
  const { t } = useTranslation();
  const format = useFormat();
  const facts: [string, ReactNode][] = [
    [t('quote.messages'), format.integer(campaign.total_count)],
    [t('quote.parts'), format.integer(campaign.total_sms)],
    [t('campaign.estimated'), format.money(campaign.estimated_cost, campaign.currency)],
    [t('campaign.charged'), format.money(campaign.charged, campaign.currency)],
    [
      t('quote.rejected'),
      <>
        {format.integer(campaign.rejected_count)}
        {campaign.rejected_file && (
          <div>
            <RejectedFile path={campaign.rejected_file} />
          </div>
        )}
      </>,
    ],
    [t('compose.validity'), t('campaign.validity', { count: campaign.sms_validity })],
    [t('resources.campaigns.fields.corporation_name'), campaign.corporation_name],
    ...(campaign.department_name
      ? ([[t('resources.campaigns.fields.department_name'), campaign.department_name]] as [string, ReactNode][])
      : []),
    ...((campaign.starts_at || campaign.ends_at
      ? [[t('schedule.title'), <ScheduleRange key="schedule" campaign={campaign} />]]
      : []) as [string, ReactNode][]),
    ...((campaign.approved_at && campaign.approved_by_name
      ? [[t('resources.campaigns.fields.approved_by_name'), campaign.approved_by_name]]
      : []) as [string, ReactNode][]),
    ...(['started_at', 'finished_at'] as const)
      .filter((field) => campaign[field] !== null)
      .map((field): [string, ReactNode] => [
        t(`resources.campaigns.fields.${field}`),
        <Cell key={field} show="instant" value={campaign[field]} />,
      ]),
  ];
  return (
    <>
      <dl className={classes.facts}>
        {facts.map(([label, value]) => (
          <Fact key={label} label={label}>
            {value}
          </Fact>
        ))}
      </dl>
      <ScheduleMarks schedule={campaign.schedule} />
      <div>
        <Text size="xs" c="dimmed">
          {t('compose.text')}
          {campaign.flash && ` · ${t('compose.flash')}`}
        </Text>
        <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {campaign.content ?? t('campaign.text_hidden')}
        </Text>
      </div>
    </>
  );
}
