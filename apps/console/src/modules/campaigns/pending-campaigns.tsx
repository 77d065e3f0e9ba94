import { listPendingCampaigns } from '@heliograph/contract/campaigns/campaign';
import { Button, Group, Modal, SimpleGrid, Stack, Text, Textarea } from '@mantine/core';
import { IconCheck, IconChecks, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../platform/format.ts';
import { Cell } from '../../resource/columns.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Fact } from '../../ui/fact.tsx';
import { change } from './campaign-actions.tsx';
import { CampaignCards, CampaignName } from './campaign-cards.tsx';
import { type Campaign, CampaignFeed } from './campaign-feed.ts';
import { RejectedFile } from './composer/quote-card.tsx';
import classes from './pending-campaigns.module.css';

/** Campaigns that wait for somebody to approve them, with all that is needed to decide. */
export function PendingCampaigns() {
  const { t } = useTranslation();
  const [deciding, setDeciding] = useState<{ campaign: Campaign; action: 'approve' | 'discard' } | null>(null);
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
          <PendingCard campaign={campaign} onDecide={(action) => setDeciding({ campaign, action })} />
        )}
      />
      {deciding && <Decision {...deciding} onClose={() => setDeciding(null)} />}
    </>
  );
}

function PendingCard(props: { campaign: Campaign; onDecide: (action: 'approve' | 'discard') => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { campaign } = props;
  return (
    <article className={`app-card ${classes.card}`}>
      <CampaignFeed id={campaign.id} />
      <Stack gap="md">
        <div>
          <CampaignName campaign={campaign} />
          <Text size="sm" c="dimmed">
            {t('campaign.asked_by', {
              user: campaign.user_name,
              place: [campaign.corporation_name, campaign.department_name].filter(Boolean).join(' · '),
            })}{' '}
            <Cell show="instant" value={campaign.created_at} />
          </Text>
        </div>
        <div className={classes.text}>
          <Text size="xs" c="dimmed">
            {campaign.sender_id}
            {campaign.flash && ` · ${t('compose.flash')}`}
          </Text>
          <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {campaign.content ?? t('campaign.text_hidden')}
          </Text>
        </div>
        <SimpleGrid component="dl" cols={{ base: 2, xs: 3, md: 5 }} spacing="sm" m={0}>
          <Fact label={t('quote.messages')}>{format.integer(campaign.total_count)}</Fact>
          <Fact label={t('quote.parts')}>{format.integer(campaign.total_sms)}</Fact>
          <Fact label={t('quote.cost')}>{format.money(campaign.estimated_cost, campaign.currency)}</Fact>
          <Fact label={t('compose.validity')}>{t('campaign.validity', { count: campaign.sms_validity })}</Fact>
          <Fact label={t('quote.rejected')}>
            {format.integer(campaign.rejected_count)}
            {campaign.rejected_file && (
              <div>
                <RejectedFile path={campaign.rejected_file} />
              </div>
            )}
          </Fact>
        </SimpleGrid>
        {(campaign.abilities.approve || campaign.abilities.discard) && (
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
          </Group>
        )}
      </Stack>
    </article>
  );
}

function Decision(props: { campaign: Campaign; action: 'approve' | 'discard'; onClose: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { campaign, action } = props;
  const [note, setNote] = useState('');
  const [busy, setBusy] = useState(false);

  async function decide() {
    setBusy(true);
    const done = await change(action, campaign, note);
    setBusy(false);
    if (done) props.onClose();
  }

  return (
    <Modal
      opened
      onClose={props.onClose}
      title={<Text fw={600}>{t(`campaign.${action}_title`, { name: campaign.name })}</Text>}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <Stack gap="md">
        <Text size="sm">
          {t(`campaign.${action}_text`, {
            count: campaign.total_count,
            n: format.integer(campaign.total_count),
            cost: format.money(campaign.estimated_cost, campaign.currency),
            sender: campaign.sender_id,
          })}
        </Text>
        <Textarea
          label={t('campaign.note')}
          description={t('campaign.note_hint')}
          maxLength={300}
          autosize
          minRows={2}
          data-autofocus
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={props.onClose}>
            {t('actions.cancel')}
          </Button>
          <Button color={action === 'discard' ? 'red.8' : 'brand'} loading={busy} onClick={() => void decide()}>
            {t(`campaign.${action}`)}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
