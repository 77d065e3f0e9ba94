import { listPendingCampaigns } from '@heliograph/contract/campaigns/campaign';
import { Button, Checkbox, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconCheck, IconChecks, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../platform/format.ts';
import { Cell } from '../../resource/columns.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Fact } from '../../ui/fact.tsx';
import { ApproveChosen, Decision } from './approve-campaigns.tsx';
import { RunControls } from './campaign-actions.tsx';
import { CampaignCards, CampaignName } from './campaign-cards.tsx';
import { type Campaign, CampaignFeed } from './campaign-feed.ts';
import { RejectedFile } from './composer/quote-card.tsx';
import { EditButton } from './edit-campaign.tsx';
import classes from './pending-campaigns.module.css';
import { ScheduleMarks, ScheduleRange } from './schedule-words.tsx';

/** Screen of the campaigns that wait for an approval, with all facts for the decision. */
export function PendingCampaigns() {
  const { t } = useTranslation();
  const [deciding, setDeciding] = useState<{ campaign: Campaign; action: 'approve' | 'discard' } | null>(null);
  const [chosen, setChosen] = useState<ReadonlyMap<number, Campaign>>(new Map());
  const [approving, setApproving] = useState(false);
  const choose = (campaign: Campaign, on: boolean) => {
    const next = new Map(chosen);
    if (on) next.set(campaign.id, campaign);
    else next.delete(campaign.id);
    setChosen(next);
  };
  return (
    <>
      <CampaignCards
        which="pending"
        operation={listPendingCampaigns}
        refreshEvery={15_000}
        empty={
          <EmptyState
            icon={<IconChecks size={28} stroke={1.5} />}
            title={t('campaign.none_pending')}
            text={t('campaign.none_pending_hint')}
          />
        }
        card={(campaign) => (
          <PendingCard
            campaign={campaign}
            chosen={chosen.has(campaign.id)}
            onChoose={(on) => choose(campaign, on)}
            onDecide={(action) => setDeciding({ campaign, action })}
          />
        )}
      />
      {chosen.size > 0 && (
        <div className={classes.bar}>
          <Text size="sm">{t('list.selected', { count: chosen.size })}</Text>
          <Button variant="default" onClick={() => setChosen(new Map())}>
            {t('list.clear_selection')}
          </Button>
          <Button leftSection={<IconChecks size={18} aria-hidden />} onClick={() => setApproving(true)}>
            {t('campaign.approve_chosen')}
          </Button>
        </div>
      )}
      {approving && (
        <ApproveChosen
          campaigns={[...chosen.values()]}
          onClose={() => setApproving(false)}
          onDone={() => {
            setApproving(false);
            setChosen(new Map());
          }}
        />
      )}
      {deciding && <Decision {...deciding} onClose={() => setDeciding(null)} />}
    </>
  );
}

interface PendingCardProps {
  campaign: Campaign;
  chosen: boolean;
  onChoose: (on: boolean) => void;
  onDecide: (action: 'approve' | 'discard') => void;
}

function PendingCard(props: PendingCardProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { campaign } = props;
  return (
    <article className={`app-card ${classes.card}`}>
      <CampaignFeed id={campaign.id} />
      <Stack gap="md">
        <Group gap="sm" wrap="nowrap" align="flex-start">
          {campaign.abilities.approve && (
            <Checkbox
              mt={4}
              aria-label={t('campaign.choose', { name: campaign.name })}
              checked={props.chosen}
              onChange={(event) => props.onChoose(event.currentTarget.checked)}
            />
          )}
          <div style={{ minWidth: 0 }}>
            <CampaignName campaign={campaign} />
            <Text size="sm" c="dimmed">
              {t('campaign.asked_by', {
                user: campaign.user_name,
                place: [campaign.corporation_name, campaign.department_name].filter(Boolean).join(' · '),
              })}{' '}
              <Cell show="instant" value={campaign.created_at} />
            </Text>
          </div>
        </Group>
        <div className={classes.text}>
          <Text size="xs" c="dimmed">
            {campaign.sender_id}
            {campaign.flash && ` · ${t('compose.flash')}`}
          </Text>
          <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {campaign.content ?? t('campaign.text_hidden')}
          </Text>
        </div>
        <SimpleGrid component="dl" cols={{ base: 2, xs: 3, md: 6 }} spacing="sm" m={0}>
          <Fact label={t('quote.messages')}>{format.integer(campaign.total_count)}</Fact>
          <Fact label={t('quote.parts')}>{format.integer(campaign.total_sms)}</Fact>
          <Fact label={t('quote.cost')}>{format.money(campaign.estimated_cost, campaign.currency)}</Fact>
          <Fact label={t('compose.validity')}>{t('campaign.validity', { count: campaign.sms_validity })}</Fact>
          <Fact label={t('schedule.title')}>
            <ScheduleRange campaign={campaign} />
          </Fact>
          <Fact label={t('quote.rejected')}>
            {format.integer(campaign.rejected_count)}
            {campaign.rejected_file && (
              <div>
                <RejectedFile path={campaign.rejected_file} />
              </div>
            )}
          </Fact>
        </SimpleGrid>
        <ScheduleMarks schedule={campaign.schedule} />
        {(campaign.abilities.approve || campaign.abilities.discard || campaign.abilities.cancel) && (
          <Group gap="xs">
            {campaign.abilities.approve && (
              <Button leftSection={<IconCheck size={18} aria-hidden />} onClick={() => props.onDecide('approve')}>
                {t('campaign.approve')}
              </Button>
            )}
            {campaign.abilities.discard && (
              <Button
                variant="default"
                leftSection={<IconX size={18} aria-hidden />}
                onClick={() => props.onDecide('discard')}
              >
                {t('campaign.discard')}
              </Button>
            )}
            <EditButton campaign={campaign} />
            <RunControls campaign={campaign} />
          </Group>
        )}
      </Stack>
    </article>
  );
}
