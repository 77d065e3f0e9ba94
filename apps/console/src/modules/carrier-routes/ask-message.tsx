import { MESSAGE_CLASSES } from '@heliograph/contract/kernel/states';
import { Select, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { problemFrom, sentenceOf } from '../../platform/problem.ts';
import { labelOf } from '../../resource/columns.tsx';
import { AskDrawer } from '../../ui/ask-drawer.tsx';

/** Message that a person asks about. */
export interface AskedMessage {
  number: string;
  class: (typeof MESSAGE_CLASSES)[number];
  sender_id?: string;
}

interface AskMessageProps<Answer> {
  title: string;
  hint: string;
  submit: string;
  /** Explanation below the sender ID. */
  senderHint?: string;
  ask: (message: AskedMessage) => Promise<Answer>;
  answer: (answer: Answer) => ReactNode;
  /** More fields below the number, with the errors by field of the last answer. */
  fields?: (faults: Readonly<Record<string, readonly string[]>> | undefined) => ReactNode;
  onClose: () => void;
}

/** Drawer that asks about a message to a number, by its sender ID and class. */
export function AskMessage<Answer>(props: AskMessageProps<Answer>) {
  const { t } = useTranslation();
  const [number, setNumber] = useState('');
  const [sender, setSender] = useState('');
  const [messageClass, setMessageClass] = useState<AskedMessage['class']>('bulk');
  const asked = useMutation({
    mutationFn: () =>
      props.ask({
        number: number.trim(),
        class: messageClass,
        ...(sender.trim() === '' ? {} : { sender_id: sender.trim() }),
      }),
  });
  const faults = problemFrom(asked.error)?.errors;
  return (
    <AskDrawer
      title={props.title}
      hint={props.hint}
      submit={props.submit}
      busy={asked.isPending}
      ready={number.trim() !== ''}
      fault={asked.error && !faults ? sentenceOf(asked.error) : undefined}
      onAsk={() => asked.mutate()}
      onClose={props.onClose}
      answer={asked.data && props.answer(asked.data)}
    >
      <TextInput
        label={t('carrier_routes.number')}
        inputMode="tel"
        required
        data-autofocus
        error={faults?.['number']?.[0]}
        value={number}
        onChange={(event) => setNumber(event.currentTarget.value)}
      />
      {props.fields?.(faults)}
      <TextInput
        label={labelOf('carrier-routes', 'sender_id')}
        description={props.senderHint}
        error={faults?.['sender_id']?.[0]}
        value={sender}
        onChange={(event) => setSender(event.currentTarget.value)}
      />
      <Select
        label={labelOf('carrier-routes', 'class')}
        allowDeselect={false}
        data={MESSAGE_CLASSES.map((value) => ({ value, label: t(`message_class.${value}`) }))}
        value={messageClass}
        onChange={(value) => value && setMessageClass(value as AskedMessage['class'])}
      />
    </AskDrawer>
  );
}
