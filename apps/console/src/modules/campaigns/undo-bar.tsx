import { undoCampaign } from '@heliograph/contract/campaigns/campaign';
import { duplicateCampaign } from '@heliograph/contract/campaigns/draft';
import { Button, Group, Paper, Progress, Text } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { sentenceOf } from '../../platform/problem.ts';
import { queryClient } from '../../platform/queries.ts';
import { useSession } from '../../platform/session.ts';
import { toast } from '../../platform/toast.ts';
import type { Campaign } from './campaign-feed.ts';
import { edit, openDraft } from './composer/draft.ts';

/** Bar that counts down to the start of a large campaign. Until then its sender can undo the sending. */
export function UndoBar({ campaign }: { campaign: Campaign }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const owner = useSession((s) => s.profile?.id ?? null);
  const left = useCountdown(campaign.undo_seconds);
  const total = useRef(Math.max(1, campaign.undo_seconds ?? 1));
  const undo = useMutation({
    mutationFn: async () => {
      await call(undoCampaign, { params: { id: campaign.id }, body: {} });
      return call(duplicateCampaign, { params: { id: campaign.id } });
    },
    onSuccess: ({ data }) => {
      // The text, the recipients and the name come back, as if nobody had pressed Send.
      openDraft(owner, data);
      edit({ name: campaign.name });
      void toast('success', t('campaign.undone', { name: campaign.name }));
      void navigate({ to: '/send-sms' });
    },
    onError: (error) => void toast('error', sentenceOf(error)),
    onSettled: () => void queryClient.invalidateQueries({ queryKey: ['campaigns'] }),
  });
  if (campaign.undo_seconds === null || !campaign.abilities.undo) return null;
  const seconds = Math.ceil(left);
  return (
    <Paper className="app-card" p="md" mb="md" component="section" aria-label={t('campaign.undo')}>
      <Group justify="space-between" gap="sm" mb={10}>
        <Text fw={600} role="timer">
          {seconds > 0 ? t('campaign.sending_in', { count: seconds }) : t('campaign.sending_starts')}
        </Text>
        <Button
          variant="light"
          leftSection={<IconArrowBackUp size={18} aria-hidden />}
          loading={undo.isPending}
          onClick={() => undo.mutate()}
        >
          {t('campaign.undo')}
        </Button>
      </Group>
      <Progress
        value={(left / total.current) * 100}
        size={4}
        transitionDuration={250}
        aria-label={t('campaign.sending_in', { count: seconds })}
      />
      <Text size="xs" c="dimmed" mt={8}>
        {t('campaign.undo_hint')}
      </Text>
    </Paper>
  );
}

/** Returns the seconds that are left of a duration. It restarts when the server tells a new one. */
function useCountdown(seconds: number | null): number {
  const [state, setState] = useState({ given: seconds, ends: performance.now() + (seconds ?? 0) * 1_000 });
  const [, tick] = useState(0);
  if (state.given !== seconds) setState({ given: seconds, ends: performance.now() + (seconds ?? 0) * 1_000 });
  useEffect(() => {
    if (seconds === null) return;
    const timer = setInterval(() => tick((n) => n + 1), 250);
    return () => clearInterval(timer);
  }, [seconds]);
  return Math.max(0, (state.ends - performance.now()) / 1_000);
}
