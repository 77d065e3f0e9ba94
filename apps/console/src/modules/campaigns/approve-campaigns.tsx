import { approveCampaigns } from '@heliograph/contract/campaigns/campaign';
import { Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { loadCounters } from '../../platform/counters.ts';
import { useFormat } from '../../platform/format.ts';
import { queryClient } from '../../platform/queries.ts';
import { toast } from '../../platform/toast.ts';
import { NoteDialog } from '../../ui/note-dialog.tsx';
import { change } from './campaign-actions.tsx';
import type { Campaign } from './campaign-feed.ts';

/** Dialog that asks for confirmation before a campaign is approved or discarded. */
export function Decision(props: { campaign: Campaign; action: 'approve' | 'discard'; onClose: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { campaign, action } = props;
  const [busy, setBusy] = useState(false);

  async function decide(note: string | undefined) {
    setBusy(true);
    const done = await change(action, campaign, note);
    setBusy(false);
    if (done) props.onClose();
  }

  return (
    <NoteDialog
      title={t(`campaign.${action}_title`, { name: campaign.name })}
      label={t('campaign.note')}
      hint={t('campaign.note_hint')}
      action={t(`campaign.${action}`)}
      danger={action === 'discard'}
      busy={busy}
      onAct={(note) => void decide(note)}
      onClose={props.onClose}
    >
      <Text size="sm">
        {t(action === 'approve' && campaign.starts_at ? 'campaign.approve_later' : `campaign.${action}_text`, {
          start: campaign.starts_at ? format.instant(campaign.starts_at) : '',
          count: campaign.total_count,
          n: format.integer(campaign.total_count),
          cost: format.money(campaign.estimated_cost, campaign.currency),
          sender: campaign.sender_id,
        })}
      </Text>
    </NoteDialog>
  );
}

/** Dialog that approves several campaigns together, each as it was shown. A refused campaign stays, with its reason. */
export function ApproveChosen(props: { campaigns: readonly Campaign[]; onClose: () => void; onDone: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { campaigns } = props;
  const names = new Map(campaigns.map(({ id, name }) => [id, name]));
  const approve = useMutation({
    mutationFn: (note: string | undefined) =>
      call(approveCampaigns, {
        body: { campaigns: campaigns.map(({ id, fingerprint }) => ({ id, fingerprint })), ...(note && { note }) },
      }),
    onSuccess: ({ data }) => {
      const refused = data.filter(({ error_code }) => error_code !== null);
      if (data.length > refused.length) {
        void toast('success', t('campaign.approved_chosen', { count: data.length - refused.length }));
      }
      for (const { id, message } of refused) void toast('error', `${names.get(id) ?? ''}: ${message}`);
      props.onDone();
    },
    onError: () => void toast('error', t('errors.internal_error')),
    onSettled: () => {
      void queryClient.invalidateQueries({ queryKey: ['campaigns'] });
      void loadCounters();
    },
  });
  const messages = campaigns.reduce((sum, { total_count }) => sum + total_count, 0);
  return (
    <NoteDialog
      title={t('campaign.approve_chosen_title', { count: campaigns.length })}
      label={t('campaign.note')}
      hint={t('campaign.note_hint')}
      action={t('campaign.approve_chosen')}
      busy={approve.isPending}
      onAct={approve.mutate}
      onClose={props.onClose}
    >
      <Text size="sm">{t('campaign.approve_chosen_text', { count: messages, n: format.integer(messages) })}</Text>
      <ul style={{ margin: 0, paddingInlineStart: 20 }}>
        {campaigns.map(({ id, name, estimated_cost, currency }) => (
          <li key={id}>
            <Text size="sm" component="span" style={{ overflowWrap: 'anywhere' }}>
              {name}: {format.money(estimated_cost, currency)}
            </Text>
          </li>
        ))}
      </ul>
    </NoteDialog>
  );
}
