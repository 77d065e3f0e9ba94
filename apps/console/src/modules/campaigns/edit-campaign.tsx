import { duplicateCampaign } from '@heliograph/contract/campaigns/draft';
import { Button } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { sentenceOf } from '../../platform/problem.ts';
import { useMay, useSession } from '../../platform/session.ts';
import { toast } from '../../platform/toast.ts';
import type { Campaign } from './campaign-feed.ts';
import { edit, openDraft } from './composer/draft.ts';

/** Button that opens a waiting campaign in the composer. The campaign sent from there replaces it. */
export function EditButton({ campaign }: { campaign: Campaign }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const owner = useSession((s) => s.profile?.id ?? null);
  const mayCompose = useMay('campaigns-create');
  const open = useMutation({
    mutationFn: () => call(duplicateCampaign, { params: { id: campaign.id } }),
    onSuccess: ({ data }) => {
      const { id, name, fingerprint, schedule } = campaign;
      openDraft(owner, data);
      edit({ name, schedule, edits: { id, name, fingerprint } });
      void navigate({ to: '/send-sms' });
    },
    onError: (error) => void toast('error', sentenceOf(error)),
  });
  if (!campaign.abilities.edit || !mayCompose) return null;
  return (
    <Button
      size="sm"
      variant="default"
      leftSection={<IconPencil size={16} aria-hidden />}
      loading={open.isPending}
      onClick={() => open.mutate()}
    >
      {t('actions.edit')}
    </Button>
  );
}
