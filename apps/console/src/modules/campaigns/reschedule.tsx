import { rescheduleCampaign } from '@heliograph/contract/campaigns/campaign';
import type { CampaignSchedule } from '@heliograph/contract/campaigns/schedule';
import { Alert } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { problemFrom, sentenceOf } from '../../platform/problem.ts';
import { queryClient } from '../../platform/queries.ts';
import { toast } from '../../platform/toast.ts';
import { NoteDialog } from '../../ui/note-dialog.tsx';
import type { Campaign } from './campaign-feed.ts';
import { RangeFields } from './schedule-fields.tsx';

/** Dialog that moves a scheduled campaign to another time. */
export function Reschedule({ campaign, onClose }: { campaign: Campaign; onClose: () => void }) {
  const { t } = useTranslation();
  const [value, setValue] = useState<CampaignSchedule>(campaign.schedule);
  const move = useMutation({
    mutationFn: (note: string | undefined) => {
      const { start, end } = value;
      const body = { start, end, ...(note && { note }) };
      return call(rescheduleCampaign, { params: { id: campaign.id }, body });
    },
    onSuccess: ({ data }) => {
      void queryClient.invalidateQueries({ queryKey: ['campaigns'] });
      const done = data.state === 'pending' ? 'campaign.done.reschedule_pending' : 'campaign.done.reschedule';
      void toast('success', t(done, { name: data.name }));
      onClose();
    },
  });
  const fields = problemFrom(move.error)?.errors;
  const errors = Object.fromEntries(Object.entries(fields ?? {}).map(([field, [first]]) => [field, first ?? '']));
  return (
    <NoteDialog
      title={t('campaign.reschedule_title', { name: campaign.name })}
      label={t('campaign.note')}
      hint={t('campaign.note_hint')}
      action={t('campaign.reschedule')}
      busy={move.isPending}
      onAct={move.mutate}
      onClose={onClose}
      fault={
        move.error &&
        !fields && (
          <Alert color="red" variant="light" role="alert">
            {sentenceOf(move.error)}
          </Alert>
        )
      }
    >
      <RangeFields value={value} onChange={setValue} errors={errors} zone={campaign.timezone} />
    </NoteDialog>
  );
}
