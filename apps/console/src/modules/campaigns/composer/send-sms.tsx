import { MERGE_FIELDS, type MergeValues } from '@heliograph/contract/kernel/merge-fields';
import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconChecklist, IconPencil } from '@tabler/icons-react';
import { useBlocker } from '@tanstack/react-router';
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../platform/format.ts';
import { useMay, useSession } from '../../../platform/session.ts';
import { openDialog } from '../../../ui/dialogs.ts';
import { PageHeader } from '../../../ui/page-header.tsx';
import { Section } from '../../../ui/section.tsx';
import { TemplateSelect } from '../../templates/index.ts';
import { clearDraft, contentOf, edit, isStarted, useDraft } from './draft.ts';
import { FinalStep } from './final-step.tsx';
import { measure } from './measure.ts';
import { MessageEditor } from './message-editor.tsx';
import { Options, useSendingLimits } from './options.tsx';
import { checkPasted } from './pasted-numbers.ts';
import { PreviewCard } from './preview-card.tsx';
import { QuoteCard } from './quote-card.tsx';
import { Recipients } from './recipients.tsx';
import classes from './send-sms.module.css';
import { SenderSelect, useSenders } from './sender-select.tsx';
import { TestSend } from './test-send.tsx';
import { useFaults } from './use-check.ts';
import { useQuote } from './use-quote.ts';
import { fieldsBrought, useNumberRules, useRecipients } from './use-recipients.ts';

/** Before there is anybody to send to, a parameter without a default stands for itself. */
const UNFILLED: MergeValues = Object.fromEntries(MERGE_FIELDS.map((field) => [field, `{${field}}`]));

const filled = (values: MergeValues): MergeValues =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value));

/** Composes a message, shows what will happen, and sends it. */
export function SendSms() {
  const { t } = useTranslation();
  const format = useFormat();
  const userId = useSession((s) => s.profile?.id ?? null);
  const mayTest = useMay('campaigns-test');
  const draft = useDraft();
  const [viewer, setViewer] = useState<string | null>(null);
  const [refusedFor, setRefusedFor] = useState('');

  useEffect(() => {
    if (useDraft.getState().owner !== userId) clearDraft(userId);
  }, [userId]);

  const rules = useNumberRules();
  const numbers = useDeferredValue(draft.custom_numbers);
  const pasted = useMemo(() => (rules ? checkPasted(numbers, rules) : undefined), [numbers, rules]);
  const { sender } = useSenders(draft.sender_id, '');
  const limits = useSendingLimits(sender?.corporation_id);
  const recipients = useRecipients(draft, pasted);
  const recipient = recipients.find(({ number }) => number === viewer) ?? recipients[0];
  const defaults = useMemo(
    () => (draft.skip_default_param ? {} : filled(draft.defaults)),
    [draft.defaults, draft.skip_default_param],
  );
  const measured = useMemo(
    () => measure(draft.content, recipient?.values ?? {}, recipient ? defaults : { ...UNFILLED, ...defaults }),
    [draft.content, defaults, recipient],
  );

  const content = contentOf(draft, measured.compiled.fields, limits);
  const now = JSON.stringify(content);
  const quoted = useQuote(content);
  const { faults, complete, tried } = useFaults(draft, measured, quoted.error, refusedFor, now);
  const ready = quoted.quote?.state === 'ready' && !quoted.stale && !quoted.checking ? quoted.quote : undefined;
  const sendable = ready && !ready.refusal && ready.total_count > 0 ? ready : undefined;
  const started = isStarted(draft);

  // A reload or another screen keeps the draft; closing the tab would end it.
  useBlocker({
    shouldBlockFn: () => false,
    enableBeforeUnload: () => isStarted(useDraft.getState()),
    disabled: !started,
  });

  // Where the quote stands below the form, its arrival is brought into sight.
  const quoteRef = useRef<HTMLDivElement>(null);
  const wasChecking = useRef(false);
  useEffect(() => {
    if (wasChecking.current && !quoted.checking && matchMedia('(max-width: 1100px)').matches)
      quoteRef.current?.scrollIntoView({ block: 'end', behavior: 'smooth' });
    wasChecking.current = quoted.checking;
  }, [quoted.checking]);

  function check() {
    tried();
    setRefusedFor(now);
    if (complete) quoted.check();
  }

  // Once counted, the server's sample is what goes out: signature and opt-out text are in it.
  const sample =
    ready?.samples.find(({ number }) => number === recipient?.number) ??
    (recipients.length === 0 ? ready?.samples[0] : undefined);
  const missing = measured.missing.map((field) => `{${field}}`).join(', ');
  const note = missing
    ? t(draft.skip_default_param ? 'preview.left_out_note' : 'preview.missing_note', { fields: missing })
    : sender?.add_optout && !sample && draft.content !== ''
      ? t('preview.optout_note')
      : undefined;

  const date = format.instant(new Date().toISOString());
  const suggestedName = sender ? t('final.default_name', { sender: sender.sender_id, date }) : date;
  const checkButton = (
    <Button
      size="md"
      fullWidth
      variant={ready ? 'default' : 'filled'}
      leftSection={<IconChecklist size={18} aria-hidden />}
      loading={quoted.checking}
      onClick={check}
    >
      {t(quoted.quote && quoted.stale ? 'quote.check_again' : 'quote.check')}
    </Button>
  );

  return (
    <>
      <PageHeader
        title={t('menu.send-sms')}
        subtitle={t('compose.subtitle')}
        actions={
          started && (
            <Button
              variant="subtle"
              leftSection={<IconPencil size={16} aria-hidden />}
              onClick={() =>
                openDialog({
                  title: t('compose.restart_title'),
                  text: t('compose.restart_text'),
                  confirm: t('compose.restart'),
                  danger: true,
                  onConfirm: () => clearDraft(userId),
                })
              }
            >
              {t('compose.restart')}
            </Button>
          )
        }
      />
      <div className={classes.columns}>
        <Stack gap="md">
          <Section title={t('compose.from')}>
            <SenderSelect value={draft.sender_id} error={faults['sender_id']} />
          </Section>
          <Section title={t('compose.to')}>
            <Recipients {...{ draft, pasted, rules }} corporationId={sender?.corporation_id} errors={faults} />
          </Section>
          <Section title={t('compose.message')}>
            <TemplateSelect
              corporationId={sender?.corporation_id}
              written={draft.content}
              onChosen={(text) => edit({ content: text })}
            />
            <MessageEditor
              value={draft.content}
              onChange={(value) => edit({ content: value })}
              measured={measured}
              fields={fieldsBrought(draft, recipients)}
              error={faults['content']}
            />
            {mayTest && (
              <Group justify="flex-end">
                <TestSend
                  content={{
                    sender_id: content.sender_id,
                    content: content.content,
                    defaults: content.defaults,
                    flash: content.flash,
                    sms_validity: content.sms_validity,
                  }}
                  disabled={
                    draft.sender_id === null || draft.content.trim() === '' || measured.compiled.unknown.length > 0
                  }
                />
              </Group>
            )}
          </Section>
          <Section title={t('compose.options')}>
            <Options draft={draft} fields={measured.compiled.fields} limits={limits} errors={faults} />
          </Section>
          <Section title={t('final.name')}>
            <TextInput
              aria-label={t('final.name')}
              description={t('final.name_hint')}
              placeholder={suggestedName}
              maxLength={150}
              value={draft.name}
              onChange={(event) => edit({ name: event.currentTarget.value })}
            />
          </Section>
        </Stack>
        <aside className={classes.aside} aria-label={t('compose.aside')}>
          <PreviewCard
            sender={sender?.sender_id ?? ''}
            text={sample?.text ?? measured.text}
            flash={content.flash ?? false}
            recipients={recipients}
            chosen={recipient?.number ?? null}
            onChoose={setViewer}
            compact={quoted.quote !== undefined}
            note={note}
          />
          <div ref={quoteRef} className={classes.quote}>
            <QuoteCard of={quoted}>
              {sendable ? (
                <FinalStep quote={sendable} sender={sender?.sender_id ?? ''} suggestedName={suggestedName} />
              ) : (
                <div className={classes.wideOnly}>{checkButton}</div>
              )}
            </QuoteCard>
          </div>
          {ready && ready.total_count === 0 && (
            <Alert color="orange" variant="light" role="alert">
              {t('errors.audience_empty')}
            </Alert>
          )}
        </aside>
      </div>
      {!sendable && (
        <div className={classes.bar}>
          <Text size="sm" c="dimmed">
            {ready
              ? format.money(ready.cost, ready.currency)
              : draft.content !== '' && t('meter.parts', { count: measured.segments.parts.length })}
          </Text>
          <div style={{ flex: 1, maxWidth: 260 }}>{checkButton}</div>
        </div>
      )}
    </>
  );
}
