import {
  approveCampaign,
  cancelCampaignRequest,
  discardCampaign,
  endCampaignSeries,
  pauseCampaign,
  remindSupervisors,
  resumeCampaign,
  stopCampaign,
  stopScheduledCampaign,
} from '@heliograph/contract/campaigns/campaign';
import { Button } from '@mantine/core';
import { IconBellRinging, IconPlayerPause, IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react';
import i18next from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { loadCounters } from '../../platform/counters.ts';
import { problemFrom, sentenceOf } from '../../platform/problem.ts';
import { queryClient } from '../../platform/queries.ts';
import { toast } from '../../platform/toast.ts';
import { openDialog } from '../../ui/dialogs.ts';
import type { Campaign } from './campaign-feed.ts';

const OPERATIONS = {
  stop: stopCampaign,
  pause: pauseCampaign,
  resume: resumeCampaign,
  discard: discardCampaign,
  cancel: cancelCampaignRequest,
  remind: remindSupervisors,
  unschedule: stopScheduledCampaign,
  end_series: endCampaignSeries,
} as const;
export type Action = keyof typeof OPERATIONS | 'approve';

/** Changes a campaign's state and reads everything about campaigns again. Reports the result to the user. */
export async function change(
  action: Action,
  campaign: Pick<Campaign, 'id' | 'name' | 'fingerprint'>,
  note?: string,
): Promise<boolean> {
  try {
    const body = note ? { note } : {};
    const params = { id: campaign.id };
    // The approval covers exactly the campaign on the screen: the server refuses if the campaign has changed since.
    if (action === 'approve') {
      await call(approveCampaign, { params, body: { ...body, fingerprint: campaign.fingerprint } });
    } else await call(OPERATIONS[action], { params, body });
    void toast('success', i18next.t(`campaign.done.${action}`, { name: campaign.name }));
    return true;
  } catch (error) {
    // The specification prescribes this text if an approval or a refusal fails without its own reason.
    const unexplained = (action === 'approve' || action === 'discard') && (problemFrom(error)?.status ?? 500) >= 500;
    void toast('error', unexplained ? i18next.t('errors.internal_error') : sentenceOf(error));
    return false;
  } finally {
    void queryClient.invalidateQueries({ queryKey: ['campaigns'] });
    void loadCounters();
  }
}

/** Asks before a campaign is stopped: messages not yet handed over will never be sent. */
export function askToStop(campaign: Campaign): void {
  const t = i18next.t.bind(i18next);
  openDialog({
    title: t('campaign.stop_title', { name: campaign.name }),
    text: t('campaign.stop_text'),
    confirm: t('campaign.stop'),
    danger: true,
    onConfirm: () => change('stop', campaign).then(() => undefined),
  });
}

/** Asks before a person withdraws their own request for an approval. */
function askToCancel(campaign: Campaign): void {
  ask('cancel', campaign);
}

/** Asks before a scheduled campaign is stopped. */
export function askToUnschedule(campaign: Campaign): void {
  ask('unschedule', campaign);
}

/** Asks before a repetition ends. */
export function askToEndSeries(campaign: Campaign): void {
  ask('end_series', campaign);
}

function ask(action: 'cancel' | 'unschedule' | 'end_series', campaign: Campaign): void {
  const t = i18next.t.bind(i18next);
  openDialog({
    title: t(`campaign.${action}_title`, { name: campaign.name }),
    text: t(`campaign.${action}_text`),
    confirm: t(`campaign.${action}`),
    danger: true,
    onConfirm: () => change(action, campaign).then(() => undefined),
  });
}

/** Buttons to pause or resume, and to stop, as far as the caller is permitted. */
export function RunControls({ campaign }: { campaign: Campaign }) {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const { abilities } = campaign;
  const act = (action: Action) => {
    setBusy(true);
    void change(action, campaign).finally(() => setBusy(false));
  };
  return (
    <>
      {abilities.pause && (
        <Button
          size="sm"
          variant="default"
          loading={busy}
          leftSection={<IconPlayerPause size={16} aria-hidden />}
          onClick={() => act('pause')}
        >
          {t('campaign.pause')}
        </Button>
      )}
      {abilities.resume && (
        <Button
          size="sm"
          loading={busy}
          leftSection={<IconPlayerPlay size={16} aria-hidden />}
          onClick={() => act('resume')}
        >
          {t('campaign.resume')}
        </Button>
      )}
      {abilities.stop && (
        <Button
          size="sm"
          variant="light"
          color="red"
          leftSection={<IconPlayerStop size={16} aria-hidden />}
          onClick={() => askToStop(campaign)}
        >
          {t('campaign.stop')}
        </Button>
      )}
      {abilities.remind && (
        <Button
          size="sm"
          variant="light"
          loading={busy}
          leftSection={<IconBellRinging size={16} aria-hidden />}
          onClick={() => act('remind')}
        >
          {t('campaign.remind')}
        </Button>
      )}
      {abilities.cancel && (
        <Button size="sm" variant="default" onClick={() => askToCancel(campaign)}>
          {t('campaign.cancel')}
        </Button>
      )}
      {abilities.unschedule && !abilities.undo && (
        <Button
          size="sm"
          variant="light"
          color="red"
          leftSection={<IconPlayerStop size={16} aria-hidden />}
          onClick={() => askToUnschedule(campaign)}
        >
          {t('campaign.stop')}
        </Button>
      )}
    </>
  );
}
