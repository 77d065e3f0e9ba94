import { decideSenderIds, submitSenderId } from '@heliograph/contract/senders/sender-id';
import { Text } from '@mantine/core';
import { IconBan, IconCheck, IconSend, IconX } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../platform/action.ts';
import { call } from '../../platform/call.ts';
import { loadCounters } from '../../platform/counters.ts';
import { sentenceOf } from '../../platform/problem.ts';
import { queryClient } from '../../platform/queries.ts';
import { toast } from '../../platform/toast.ts';
import { DateInput } from '../../resource/date-input.tsx';
import { NoteDialog } from '../../ui/note-dialog.tsx';
import { DocumentList } from './sender-documents.tsx';
import type { Sender } from './sender-state.tsx';

const ICON = { size: 16, stroke: 1.6, 'aria-hidden': true } as const;

export type Verdict = 'approve' | 'reject' | 'suspend' | 'reinstate' | 'extend';

/** Icon of each decision. */
export const VERDICT_ICONS: Readonly<Record<Verdict, ReactNode>> = {
  approve: <IconCheck {...ICON} />,
  reject: <IconX {...ICON} />,
  suspend: <IconBan {...ICON} />,
  reinstate: <IconCheck {...ICON} />,
  extend: <IconCheck {...ICON} />,
};

/** Icon of a submission. */
export const SUBMIT_ICON = <IconSend {...ICON} />;

/** Returns the decisions that the caller may take about a sender ID, in the order of their buttons. */
export function verdictsOf({
  state,
  may_decide,
  expires_on,
}: Pick<Sender, 'state' | 'may_decide' | 'expires_on'>): Verdict[] {
  if (!may_decide) return [];
  switch (state) {
    case 'submitted':
      return ['approve', 'reject'];
    case 'approved':
      return expires_on ? ['extend', 'suspend'] : ['suspend'];
    case 'suspended':
      return ['reinstate'];
    case 'draft':
      return [];
    default:
      return ['approve'];
  }
}

/** Returns whether a sender ID can be submitted: it waits for its owner. */
export const canSubmit = ({ state }: Pick<Sender, 'state'>): boolean =>
  state === 'draft' || state === 'rejected' || state === 'expired';

/** Reads everything again that shows sender IDs. */
async function reread() {
  void loadCounters();
  const shown = ['sender-ids', 'sender-requests', 'composer', 'first-run'];
  await Promise.all(shown.map((key) => queryClient.invalidateQueries({ queryKey: [key] })));
}

/** Submits a sender ID, and tells about it. */
export async function submit(
  { id, sender_id }: Pick<Sender, 'id' | 'sender_id'>,
  t: ReturnType<typeof useTranslation>['t'],
) {
  try {
    await call(submitSenderId, { params: { id } });
    await reread();
    void toast('success', t('sender.submitted', { name: sender_id }));
  } catch (error) {
    void toast('error', sentenceOf(error));
  }
}

/** Dialog that asks before a decision about sender IDs, with its reason and, for an approval, its last day. */
export function SenderDecision(props: {
  senders: readonly Pick<Sender, 'id' | 'sender_id'>[];
  verdict: Verdict;
  onClose: () => void;
  /** Called after the decision, also if some were refused. */
  onDone?: () => void;
}) {
  const { t } = useTranslation();
  const { senders, verdict } = props;
  const { busy, run } = useAction();
  const [until, setUntil] = useState<string | null>(null);
  const approves = verdict !== 'reject' && verdict !== 'suspend';
  const decision = approves ? ('approve' as const) : verdict;
  const names = new Map(senders.map(({ id, sender_id }) => [id, sender_id]));

  const decide = (reason: string | undefined) =>
    run(async () => {
      const body = { ids: [...names.keys()], decision, reason: reason ?? '', expires_on: until };
      const { data } = await call(decideSenderIds, { body });
      const refused = data.filter(({ error_code }) => error_code !== null);
      for (const { id, message } of refused) void toast('error', `${names.get(id) ?? ''}: ${message}`);
      const count = data.length - refused.length;
      if (count > 0) void toast('success', t('sender.decide.done', { count }));
      await reread();
      props.onClose();
      props.onDone?.();
    });

  return (
    <NoteDialog
      title={t(`sender.decide.${decision}.title`, { count: senders.length, name: senders[0]?.sender_id ?? '' })}
      label={t('sender.decide.reason')}
      hint={t('sender.decide.reason_hint')}
      longest={500}
      required={!approves}
      action={t(`sender.decide.${verdict}.action`)}
      danger={!approves}
      busy={busy}
      onAct={(reason) => void decide(reason)}
      onClose={props.onClose}
    >
      <Text size="sm">{t(`sender.decide.${decision}.text`)}</Text>
      {senders.length > 1 && <Text size="sm">{senders.map(({ sender_id }) => sender_id).join(' · ')}</Text>}
      {senders.length === 1 && senders[0] && <DocumentList id={senders[0].id} />}
      {approves && (
        <DateInput
          label={t('sender.decide.expires_on')}
          description={t('sender.decide.expires_hint')}
          value={until}
          onChange={setUntil}
          minDate={new Date().toISOString().slice(0, 10)}
        />
      )}
    </NoteDialog>
  );
}
