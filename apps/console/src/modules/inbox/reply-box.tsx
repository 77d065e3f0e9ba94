import { noteConversation, replyToConversation } from '@heliograph/contract/inbox/conversation';
import { compileText } from '@heliograph/contract/kernel/merge-fields';
import { fromThousandths, toThousandths } from '@heliograph/contract/kernel/money';
import { countParts, encodingOf, MAX_PARTS, PART_UNITS, toGsm } from '@heliograph/contract/kernel/segments';
import { Anchor, Button, Group, Kbd, NativeSelect, SegmentedControl, Text, Textarea } from '@mantine/core';
import { IconBan } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { faultOf } from '../../platform/problem.ts';
import { useSession } from '../../platform/session.ts';
import { CannedReplies } from './canned-replies.tsx';
import { readInboxAgain } from './inbox-actions.tsx';
import { optOutWords } from './opt-out-words.ts';
import classes from './reply-box.module.css';
import type { Conversation } from './thread.tsx';
import { useTellTyping, useTyping } from './typing.ts';

/** Set on machines whose keyboards have a command key. */
const APPLE = /Mac|iP(?:hone|ad)/.test(navigator.platform);

interface Written {
  kind: 'reply' | 'note';
  text: string;
}

/** Keeps what a person has written in a conversation, in this tab, until it is sent. */
function useDraft(conversation: number): [Written, (written: Written) => void] {
  const user = useSession((s) => s.profile?.id);
  const key = `inbox-draft-${user}-${conversation}`;
  const [written, setWritten] = useState<Written>(() => {
    const kept = sessionStorage.getItem(key);
    return kept === null ? { kind: 'reply', text: '' } : (JSON.parse(kept) as Written);
  });
  return [
    written,
    (next) => {
      setWritten(next);
      if (next.text === '') sessionStorage.removeItem(key);
      else sessionStorage.setItem(key, JSON.stringify(next));
    },
  ];
}

/** Holds a reply or a note that is being written, its faults, and how it is sent. */
function useAnswer({ id, abilities, opted_out, senders, last_answer_id }: Conversation) {
  const { t } = useTranslation();
  const [written, write] = useDraft(id);
  const mayReply = abilities.reply && opted_out === null;
  const kind = mayReply ? written.kind : 'note';
  const [chosen, setSender] = useState<string>();
  const sender = chosen ?? senders[0] ?? '';
  const text = written.text.trim();
  const send = useMutation({
    mutationFn: async () => {
      if (kind === 'note') return void (await call(noteConversation, { params: { id }, body: { text } }));
      await call(replyToConversation, { params: { id }, body: { message: text, sender, after: last_answer_id } });
    },
    onSuccess: () => write({ kind, text: '' }),
    // After a refusal too: a colleague may have answered.
    onSettled: readInboxAgain,
  });
  const tooLong = kind === 'reply' && countParts(text).parts > MAX_PARTS;
  const { fields, unknown } = compileText(text);
  const unfilled = kind === 'reply' ? [...fields, ...unknown] : [];
  const error = tooLong
    ? t('errors.text_too_long')
    : unfilled.length > 0
      ? t('inbox.fill_in', { fields: unfilled.map((field) => `{${field}}`).join(', ') })
      : send.error
        ? faultOf(send.error)
        : undefined;
  const ready = text !== '' && !tooLong && unfilled.length === 0;
  return { written, write, kind, mayReply, sender, setSender, text, send, error, ready } as const;
}

type Answer = ReturnType<typeof useAnswer>;

/**
 * Box under a thread: a reply with its parts and price, or an internal note. For a person who opted out, a sentence
 * stands in place of the reply, and notes stay possible.
 */
export function ReplyBox(props: { conversation: Conversation; replying: boolean; onReplying: () => void }) {
  const { conversation, replying } = props;
  const { t } = useTranslation();
  const answer = useAnswer(conversation);
  const { written, write, kind, sender, send, ready } = answer;
  const box = useRef<HTMLTextAreaElement>(null);
  const answered = useRef(props.onReplying);
  answered.current = props.onReplying;
  useEffect(() => {
    if (!replying) return;
    box.current?.focus();
    answered.current();
  }, [replying]);
  const tellTyping = useTellTyping(conversation.id);

  function submit(event?: FormEvent) {
    event?.preventDefault();
    if (ready && !send.isPending) send.mutate();
  }
  function onKey(event: KeyboardEvent) {
    if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) submit();
    else if (event.key === 'Escape') {
      event.stopPropagation();
      box.current?.blur();
    } else return;
    event.preventDefault();
  }

  const bar = <Barred conversation={conversation} />;
  if (!answer.mayReply && !conversation.abilities.edit) return <div className={classes.box}>{bar}</div>;
  return (
    <form className={classes.box} data-kind={kind} onSubmit={submit} noValidate>
      {bar}
      <Head conversation={conversation} answer={answer} onChosen={() => box.current?.focus()} />
      <Textarea
        ref={box}
        aria-label={kind === 'note' ? t('inbox.note_label') : t('inbox.reply_label', { sender })}
        placeholder={kind === 'note' ? t('inbox.note_hint') : t('inbox.reply_hint')}
        autosize
        minRows={2}
        maxRows={8}
        maxLength={kind === 'note' ? 1_000 : 1_530}
        value={written.text}
        error={answer.error}
        onChange={(event) => {
          write({ kind, text: event.currentTarget.value });
          if (kind === 'reply' && event.currentTarget.value.trim() !== '') tellTyping();
        }}
        onKeyDown={onKey}
      />
      <Group justify="space-between" mt={8} gap="xs" wrap="nowrap">
        <Cost conversation={conversation} answer={answer} />
        <Button
          type="submit"
          size="sm"
          loading={send.isPending}
          disabled={!ready}
          style={{ flexShrink: 0 }}
          rightSection={<Kbd className={classes.key!}>{APPLE ? '⌘↵' : 'Ctrl ↵'}</Kbd>}
        >
          {t(kind === 'note' ? 'inbox.add_note' : 'inbox.send')}
        </Button>
      </Group>
    </form>
  );
}

/** Sentence that tells why a person gets no reply. */
function Barred({ conversation: { abilities, opted_out } }: { conversation: Conversation }) {
  const { t } = useTranslation();
  const format = useFormat();
  if (opted_out)
    return (
      <p className={classes.barred}>
        <IconBan size={18} stroke={1.6} aria-hidden />
        <span>
          {optOutWords(opted_out, format)} {t('inbox.opted_out')}
        </span>
      </p>
    );
  return abilities.reply ? null : <p className={classes.barred}>{t('inbox.unreachable')}</p>;
}

interface PartProps {
  conversation: Conversation;
  answer: Answer;
}

/** Line above the text: reply or note, canned replies, and the sender. */
function Head({ conversation, answer, onChosen }: PartProps & { onChosen: () => void }) {
  const { t } = useTranslation();
  const { written, write, kind, mayReply, sender, setSender, text } = answer;
  return (
    <Group justify="space-between" gap="xs" mb={6}>
      {mayReply && conversation.abilities.edit ? (
        <SegmentedControl
          size="xs"
          aria-label={t('inbox.write')}
          value={kind}
          onChange={(value) => write({ ...written, kind: value as Written['kind'] })}
          data={[
            { value: 'reply', label: t('inbox.reply') },
            { value: 'note', label: t('inbox.note') },
          ]}
        />
      ) : (
        <Text size="xs" c="dimmed">
          {t(mayReply ? 'inbox.reply' : 'inbox.note')}
        </Text>
      )}
      {kind === 'reply' && (
        <Group gap="xs">
          <CannedReplies
            conversation={conversation}
            onChosen={(template) => {
              write({ kind, text: text === '' ? template : `${written.text.trimEnd()} ${template}` });
              onChosen();
            }}
          />
          {conversation.senders.length > 1 ? (
            <NativeSelect
              size="xs"
              aria-label={t('inbox.from')}
              value={sender}
              onChange={(event) => setSender(event.currentTarget.value)}
              data={conversation.senders.map((value) => ({ value, label: t('inbox.from_us', { sender: value }) }))}
            />
          ) : (
            <Text size="xs" c="dimmed">
              {t('inbox.from_us', { sender })}
            </Text>
          )}
        </Group>
      )}
    </Group>
  );
}

/** Line below the text: a colleague who is typing, and the parts and price of a reply. */
function Cost({ conversation, answer: { kind, text, written, write } }: PartProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const typing = useTyping(conversation);
  const { price, currency } = conversation;
  const { parts, encoding } = countParts(text);
  const plain = encoding === 'ucs2' ? toGsm(written.text) : '';
  return (
    <Text size="xs" c="dimmed" aria-live="polite">
      {typing && <strong>{typing} </strong>}
      {kind === 'reply' && text !== '' && (
        <>
          {t('inbox.reply_parts', { count: parts })}
          {price !== null && ` · ${format.money(fromThousandths(parts * toThousandths(price)), currency ?? '')}`}
          {encoding === 'ucs2' && ` · ${t('inbox.unicode', { count: PART_UNITS.ucs2.one })} `}
          {encoding === 'ucs2' && encodingOf(plain) === 'gsm' && (
            <Anchor component="button" type="button" inherit onClick={() => write({ kind, text: plain })}>
              {t('meter.replace_all')}
            </Anchor>
          )}
        </>
      )}
    </Text>
  );
}
