import { createCampaign } from '@heliograph/contract/campaigns/campaign';
import { Alert, Button, Stack, Text } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { call } from '../../../platform/call.ts';
import { useFormat } from '../../../platform/format.ts';
import { sentenceOf } from '../../../platform/problem.ts';
import { useSession } from '../../../platform/session.ts';
import { toast } from '../../../platform/toast.ts';
import { openDialog } from '../../../ui/dialogs.ts';
import { clearDraft, useDraft } from './draft.ts';
import type { Quote } from './use-quote.ts';

/** Says in one sentence what will happen, and does it. */
export function FinalStep(props: { quote: Quote; sender: string; suggestedName: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  const navigate = useNavigate();
  const name = useDraft((draft) => draft.name);
  const userId = useSession((s) => s.profile?.id ?? null);
  const { quote } = props;
  const words = {
    count: quote.total_count,
    n: format.integer(quote.total_count),
    cost: format.money(quote.cost, quote.currency),
    sender: props.sender,
  };
  const go = t(quote.needs_approval ? 'final.ask' : 'final.send');

  const create = useMutation({
    mutationFn: () =>
      call(createCampaign, {
        body: { quote_id: quote.id, name: name.trim() || props.suggestedName, confirmed_cost: quote.cost },
      }),
    onSuccess: ({ data }) => {
      clearDraft(userId);
      void toast('success', t(quote.needs_approval ? 'final.asked' : 'final.started', { name: data.name }));
      void navigate({ to: `/campaign-history/${data.id}` });
    },
  });

  function proceed() {
    if (!quote.cost_warning) return create.mutate();
    openDialog({
      title: t('final.warning_title'),
      text: t('final.warning_text', words),
      confirm: go,
      onConfirm: () =>
        create.mutateAsync().then(
          () => undefined,
          () => undefined,
        ),
    });
  }

  return (
    <Stack gap="sm">
      <Text size="sm">{t(quote.needs_approval ? 'final.sentence_ask' : 'final.sentence_send', words)}</Text>
      {create.error && (
        <Alert color="red" variant="light" role="alert">
          {sentenceOf(create.error)}
        </Alert>
      )}
      <Button
        size="md"
        fullWidth
        leftSection={<IconSend size={18} aria-hidden />}
        loading={create.isPending}
        onClick={proceed}
      >
        {go}
      </Button>
    </Stack>
  );
}
