import { createCampaign, editCampaign } from '@heliograph/contract/campaigns/campaign';
import { Alert, Button, Stack, Text } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../platform/call.ts';
import { useFormat } from '../../../platform/format.ts';
import { problemFrom, sentenceOf } from '../../../platform/problem.ts';
import { useSession } from '../../../platform/session.ts';
import { toast } from '../../../platform/toast.ts';
import { ConfirmCost } from './confirm-cost.tsx';
import { clearDraft, useDraft } from './draft.ts';
import { dropKept } from './use-kept-draft.ts';
import type { Quote } from './use-quote.ts';
import { scheduleOf } from './when.tsx';

/** Final step: one sentence describes what will happen, and a button does it. */
export function FinalStep(props: {
  quote: Quote;
  sender: string;
  suggestedName: string;
  /** Receives the faults that the server finds in the schedule, by field. */
  onFaults: (faults: Readonly<Record<string, string>>) => void;
}) {
  const { t } = useTranslation();
  const format = useFormat();
  const navigate = useNavigate();
  const name = useDraft((draft) => draft.name);
  const userId = useSession((s) => s.profile?.id ?? null);
  const [warned, setWarned] = useState(false);
  const { quote, onFaults } = props;
  const edits = useDraft((draft) => draft.edits);
  const schedule = scheduleOf(useDraft());
  const later = schedule.start !== null;
  const words = {
    count: quote.total_count,
    n: format.integer(quote.total_count),
    cost: format.money(quote.cost, quote.currency),
    sender: props.sender,
    start: schedule.start?.replace('T', ' ') ?? '',
  };
  const go = t(quote.needs_approval ? 'final.ask' : edits ? 'final.save' : later ? 'final.schedule' : 'final.send');

  const create = useMutation({
    mutationFn: () => {
      const body = {
        quote_id: quote.id,
        name: name.trim() || edits?.name || props.suggestedName,
        confirmed_cost: quote.cost,
        schedule,
      };
      if (!edits) return call(createCampaign, { body: { ...body, undo: true } });
      const { id, fingerprint } = edits;
      return call(editCampaign, { params: { id }, body: { ...body, fingerprint } });
    },
    onMutate: () => onFaults({}),
    onError: (error) => {
      setWarned(false);
      const fields = Object.entries(problemFrom(error)?.errors ?? {});
      onFaults(Object.fromEntries(fields.map(([field, [first]]) => [field, first ?? ''])));
    },
    onSuccess: ({ data }) => {
      void dropKept();
      clearDraft(userId);
      const done = data.state === 'pending' ? 'asked' : later ? 'scheduled' : 'started';
      // The campaign's page shows the seconds that are left for an undo.
      if (data.undo_seconds === null) void toast('success', t(`final.${done}`, { name: data.name }));
      void navigate({ to: `/campaign-history/${data.id}` });
    },
  });

  return (
    <Stack gap="sm">
      <Text size="sm">
        {t(quote.needs_approval ? 'final.sentence_ask' : later ? 'final.sentence_later' : 'final.sentence_send', words)}
      </Text>
      {create.error && (
        <Alert color="red" variant="light" role="alert">
          {Object.values(problemFrom(create.error)?.errors ?? {})[0]?.[0] ?? sentenceOf(create.error)}
        </Alert>
      )}
      <Button
        size="md"
        fullWidth
        leftSection={<IconSend size={18} aria-hidden />}
        loading={create.isPending}
        onClick={() => (quote.cost_warning ? setWarned(true) : create.mutate())}
      >
        {go}
      </Button>
      {warned && (
        <ConfirmCost
          quote={quote}
          text={t('final.warning_text', words)}
          action={go}
          busy={create.isPending}
          onConfirm={() => create.mutate()}
          onClose={() => setWarned(false)}
        />
      )}
    </Stack>
  );
}
