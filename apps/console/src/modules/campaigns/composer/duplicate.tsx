import { duplicateCampaign } from '@heliograph/contract/campaigns/draft';
import { Button } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { call } from '../../../platform/call.ts';
import { sentenceOf } from '../../../platform/problem.ts';
import { useMay, useSession } from '../../../platform/session.ts';
import { toast } from '../../../platform/toast.ts';
import { openDraft } from './draft.ts';

/** Returns the mutation that opens a new draft with the complete content of a campaign. */
export function useDuplicate() {
  const navigate = useNavigate();
  const client = useQueryClient();
  const owner = useSession((s) => s.profile?.id ?? null);
  return useMutation({
    mutationFn: (campaignId: number) => call(duplicateCampaign, { params: { id: campaignId } }),
    onSuccess: ({ data }) => {
      openDraft(owner, data);
      void client.invalidateQueries({ queryKey: ['drafts'] });
      void navigate({ to: '/send-sms' });
    },
    onError: (error) => void toast('error', sentenceOf(error)),
  });
}

/** Button that starts a new campaign with the complete content of another one. */
export function DuplicateButton({ campaignId }: { campaignId: number }) {
  const { t } = useTranslation();
  const allowed = useMay('campaigns-create');
  const duplicate = useDuplicate();
  if (!allowed) return null;
  return (
    <Button
      size="sm"
      variant="default"
      leftSection={<IconCopy size={16} aria-hidden />}
      loading={duplicate.isPending}
      onClick={() => duplicate.mutate(campaignId)}
    >
      {t('campaign.duplicate')}
    </Button>
  );
}
