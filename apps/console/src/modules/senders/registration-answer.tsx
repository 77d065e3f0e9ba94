import {
  decideRegistrations,
  type REGISTRATION_STATES,
  type senderRegistration,
} from '@heliograph/contract/senders/sender-registration';
import { Badge, Text, TextInput } from '@mantine/core';
import { IconBan, IconCheck, IconX } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { call } from '../../platform/call.ts';
import { sentenceOf } from '../../platform/problem.ts';
import { queryClient } from '../../platform/queries.ts';
import { toast } from '../../platform/toast.ts';
import { DateInput } from '../../resource/date-input.tsx';
import { NoteDialog } from '../../ui/note-dialog.tsx';
import { REGISTRATION_COLORS } from '../../ui/state-colors.ts';

export type Registration = z.output<typeof senderRegistration.row>;

/** Answers of a carrier, in the order of their buttons. */
export const ANSWERS = ['registered', 'rejected', 'ended'] as const;
export type Answer = (typeof ANSWERS)[number];

const ICON = { size: 16, stroke: 1.6, 'aria-hidden': true } as const;
/** Icon of each answer. */
export const ANSWER_ICONS: Readonly<Record<Answer, ReactNode>> = {
  registered: <IconCheck {...ICON} />,
  rejected: <IconX {...ICON} />,
  ended: <IconBan {...ICON} />,
};

/** Returns whether a carrier can still give this answer about a registration. */
export function isPossible({ state }: Pick<Registration, 'state'>, answer: Answer): boolean {
  if (answer === 'ended') return state === 'registered';
  return answer === 'registered' ? state !== 'registered' : state === 'requested';
}

/** Badge with the state of a registration. */
export function RegistrationState({ state }: { state: (typeof REGISTRATION_STATES)[number] }) {
  const { t } = useTranslation();
  return (
    <Badge variant="light" color={REGISTRATION_COLORS[state] ?? 'gray'}>
      {t(`registration_state.${state}`)}
    </Badge>
  );
}

/** Dialog that records a carrier's answer about registrations: its reference and last day, or its reason. */
export function RegistrationAnswer(props: { rows: readonly Registration[]; answer: Answer; onClose: () => void }) {
  const { t } = useTranslation();
  const { rows, answer } = props;
  const [busy, setBusy] = useState(false);
  const [reference, setReference] = useState('');
  const [until, setUntil] = useState<string | null>(null);
  const registers = answer === 'registered';
  const at = `sender.registration.${answer}` as const;

  async function record(reason: string | undefined) {
    setBusy(true);
    try {
      const details = registers ? { reference: reference.trim() || null, expires_on: until } : {};
      const body = { ids: rows.map(({ id }) => id), state: answer, reason: reason ?? null, ...details };
      const { data } = await call(decideRegistrations, { body });
      void toast('success', t('sender.registration.done', { count: data.changed }));
      await Promise.all(
        ['sender-registrations', 'sender-ids'].map((key) => queryClient.invalidateQueries({ queryKey: [key] })),
      );
      props.onClose();
    } catch (error) {
      void toast('error', sentenceOf(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <NoteDialog
      title={t(`${at}.title`, { count: rows.length, name: rows[0]?.sender_id_name ?? '' })}
      label={t('resources.sender-registrations.fields.reason')}
      hint={t('resources.sender-registrations.hints.reason')}
      longest={500}
      required={!registers}
      action={t(`${at}.action`)}
      danger={!registers}
      busy={busy}
      onAct={(reason) => void record(reason)}
      onClose={props.onClose}
    >
      <Text size="sm">{t(`${at}.text`)}</Text>
      {rows.length > 1 && <Text size="sm">{rows.map(({ sender_id_name }) => sender_id_name).join(' · ')}</Text>}
      {registers && (
        <>
          <TextInput
            label={t('resources.sender-registrations.fields.reference')}
            description={t('resources.sender-registrations.hints.reference')}
            maxLength={100}
            value={reference}
            onChange={(event) => setReference(event.currentTarget.value)}
          />
          <DateInput
            label={t('resources.sender-registrations.fields.expires_on')}
            description={t('resources.sender-registrations.hints.expires_on')}
            value={until}
            onChange={setUntil}
            minDate={new Date().toISOString().slice(0, 10)}
          />
        </>
      )}
    </NoteDialog>
  );
}
