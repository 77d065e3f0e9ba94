import { decideModeration } from '@heliograph/contract/moderation/moderation';
import { Checkbox, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { sentenceOf } from '../../platform/problem.ts';
import { queryClient } from '../../platform/queries.ts';
import { toast } from '../../platform/toast.ts';
import { NoteDialog } from '../../ui/note-dialog.tsx';
import type { Held } from './queue.tsx';

export type Decision = 'approved' | 'rejected';

/** Dialog that asks before held texts are sent or ended. A rejection needs the reason that the customer reads. */
export function Decide(props: { rows: readonly Held[]; decision: Decision; onClose: () => void; onDone: () => void }) {
  const { t } = useTranslation();
  const { rows, decision } = props;
  const [remember, setRemember] = useState(false);
  const messages = rows.reduce((sum, row) => sum + row.messages, 0);
  const decide = useMutation({
    mutationFn: (reason: string | undefined) =>
      call(decideModeration, { body: { ids: rows.map(({ id }) => id), decision, reason: reason ?? '', remember } }),
    onSuccess: ({ message }) => {
      void toast('success', message);
      props.onDone();
    },
    onSettled: () => void queryClient.invalidateQueries({ queryKey: ['moderation'] }),
  });
  return (
    <NoteDialog
      title={t(`moderation.${decision}_title`, { count: messages })}
      label={t('moderation.reason')}
      hint={t(`moderation.${decision}_hint`)}
      action={t(`moderation.${decision}`)}
      danger={decision === 'rejected'}
      busy={decide.isPending}
      onAct={(reason) => decide.mutate(reason)}
      onClose={props.onClose}
      fault={
        decide.error && (
          <Text size="sm" c="red" role="alert">
            {sentenceOf(decide.error)}
          </Text>
        )
      }
    >
      <Text size="sm">{t(`moderation.${decision}_text`)}</Text>
      <Checkbox
        label={t(`moderation.${decision}_remember`)}
        checked={remember}
        onChange={(event) => setRemember(event.currentTarget.checked)}
      />
    </NoteDialog>
  );
}
