import { MERGE_FIELDS, type MergeValues } from '@heliograph/contract/kernel/merge-fields';
import { Alert, Button, Stack, Text, TextInput } from '@mantine/core';
import { IconChecklist, IconPencil } from '@tabler/icons-react';
import { useBlocker } from '@tanstack/react-router';
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../platform/format.ts';
import { useNumberRules } from '../../../platform/number-rules.ts';
import { useSession } from '../../../platform/session.ts';
import { openDialog } from '../../../ui/dialogs.ts';
import { PageHeader } from '../../../ui/page-header.tsx';
import { Section } from '../../../ui/section.tsx';
import { ContentType } from './content-type.tsx';
import { clearDraft, contentOf, edit, hasOwnTexts, isStarted, useDraft } from './draft.ts';
import { Drafts } from './drafts.tsx';
import { FinalStep } from './final-step.tsx';
import { measure } from './measure.ts';
import { MessageSection } from './message-section.tsx';
import { Options } from './options.tsx';
import { checkPasted } from './pasted-numbers.ts';
import { PreviewCard } from './preview-card.tsx';
import { QuoteCard } from './quote-card.tsx';
import { Recipients } from './recipients.tsx';
import { ScheduleSection } from './schedule.tsx';
import classes from './send-sms.module.css';
import { SenderSelect, useSenders } from './sender-select.tsx';
import { useFaults } from './use-check.ts';
import { dropKept, useKeptDraft } from './use-kept-draft.ts';
import { useQuote } from './use-quote.ts';
import { fieldsBrought, useRecipients } from './use-recipients.ts';
import { useSendingOptions } from './use-sending-options.ts';

/** Values used before there are recipients: a parameter without a default shows its own name. */
const UNFILLED: MergeValues = Object.fromEntries(MERGE_FIELDS.map((field) => [field, `{${field}}`]));

const filled = (values: MergeValues): MergeValues =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value));

/** Screen that composes a message, shows what will happen, and sends it. */
export function SendSms() {
  const { t } = useTranslation();
  const format = useFormat();
  const userId = useSession((s) => s.profile?.id ?? null);
  const draft = useDraft();
  const [viewer, setViewer] = useState<string | null>(null);
  const [refusedFor, setRefusedFor] = useState('');
  const [scheduleFaults, setScheduleFaults] = useState<Readonly<Record<string, string>>>({});
  const ownZone = useSession((s) => s.corporationTimeZone) || 'UTC';

  useEffect(() => {
    if (useDraft.getState().owner !== userId) clearDraft(userId);
  }, [userId]);

  const rules = useNumberRules();
  const numbers = useDeferredValue(draft.custom_numbers);
  const { read_national } = draft;
  const pasted = useMemo(
    () => (rules ? checkPasted(numbers, read_national ? rules : { ...rules, national: null }) : undefined),
    [numbers, rules, read_national],
  );
  const { sender } = useSenders(draft.sender_id, '');
  const limits = useSendingOptions(draft.sender_id);
  const keeping = useKeptDraft();
  const recipients = useRecipients(draft, pasted);
  const recipient = recipients.find(({ number }) => number === viewer) ?? recipients[0];
  const defaults = useMemo(
    () => (draft.skip_default_param ? {} : filled(draft.defaults)),
    [draft.defaults, draft.skip_default_param],
  );
  const ownTexts = hasOwnTexts(draft);
  const written = ownTexts ? (recipient?.own_text ?? '') : draft.content;
  const { ending } = limits;
  const shortLinkBase = draft.short_links ? limits.shortLinkBase : undefined;
  const measured = useMemo(
    () =>
      measure(written, recipient?.values ?? {}, recipient ? defaults : { ...UNFILLED, ...defaults }, {
        ending,
        shortLinkBase,
        literal: ownTexts,
      }),
    [written, defaults, recipient, ending, shortLinkBase, ownTexts],
  );

  const content = contentOf(draft, measured.compiled.fields, limits);
  const now = JSON.stringify(content);
  const quoted = useQuote(content);
  const { faults, complete, tried } = useFaults(draft, measured, quoted.error, refusedFor, now);
  const ready = quoted.quote?.state === 'ready' && !quoted.stale && !quoted.checking ? quoted.quote : undefined;
  const sendable = ready && !ready.refusal && ready.total_count > 0 ? ready : undefined;
  const started = isStarted(draft);

  // A reload or another screen keeps the draft. Closing the tab would end it.
  useBlocker({
    shouldBlockFn: () => false,
    enableBeforeUnload: () => isStarted(useDraft.getState()),
    disabled: !started,
  });

  // If the quote is below the form, the page scrolls to it when it arrives.
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

  // Once counted, the server's sample is the text that will be sent, with signature and opt-out text.
  const sample =
    ready?.samples.find(({ number }) => number === recipient?.number) ??
    (recipients.length === 0 ? ready?.samples[0] : undefined);
  const missing = measured.missing.map((field) => `{${field}}`).join(', ');
  const note = missing
    ? t(draft.skip_default_param ? 'preview.left_out_note' : 'preview.missing_note', { fields: missing })
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
          <>
            {keeping !== 'nothing' && (
              <Text size="xs" c="dimmed" role="status">
                {t(`drafts.state_${keeping}`)}
              </Text>
            )}
            <Drafts />
            {started && (
              <Button
                variant="subtle"
                leftSection={<IconPencil size={16} aria-hidden />}
                onClick={() =>
                  openDialog({
                    title: t('compose.restart_title'),
                    text: t('compose.restart_text'),
                    confirm: t('compose.restart'),
                    danger: true,
                    onConfirm: () => {
                      void dropKept();
                      clearDraft(userId);
                    },
                  })
                }
              >
                {t('compose.restart')}
              </Button>
            )}
          </>
        }
      />
      {draft.edits && (
        <Alert
          variant="light"
          mb="md"
          icon={<IconPencil size={18} />}
          withCloseButton
          closeButtonLabel={t('compose.edits_not')}
          onClose={() => edit({ edits: null })}
        >
          {t('compose.edits', { name: draft.edits.name })}
        </Alert>
      )}
      <div className={classes.columns}>
        <Stack gap="md">
          <Section title={t('compose.from')}>
            <SenderSelect value={draft.sender_id} error={faults['sender_id']} />
            <ContentType value={draft.content_type} />
          </Section>
          <Section title={t('compose.to')}>
            <Recipients {...{ draft, pasted, rules }} corporationId={sender?.corporation_id} errors={faults} />
          </Section>
          <MessageSection
            draft={draft}
            corporationId={sender?.corporation_id}
            measured={measured}
            fields={fieldsBrought(draft, recipients)}
            recipient={recipient}
            test={{
              sender_id: content.sender_id,
              content: written,
              defaults: content.defaults,
              skip_default_param: content.skip_default_param,
              flash: content.flash,
              sms_validity: content.sms_validity,
              short_links: content.short_links,
              values: filled(recipient?.values ?? {}) as Record<string, string>,
              literal: ownTexts,
            }}
            error={faults['content']}
          />
          <Section title={t('compose.options')}>
            <Options draft={draft} fields={measured.compiled.fields} limits={limits} errors={faults} />
          </Section>
          <ScheduleSection zone={limits.timezone ?? ownZone} blackout={limits.blackout} errors={scheduleFaults} />
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
                <FinalStep
                  quote={sendable}
                  sender={sender?.sender_id ?? ''}
                  suggestedName={suggestedName}
                  onFaults={setScheduleFaults}
                />
              ) : (
                <div className={classes.wideOnly}>{checkButton}</div>
              )}
            </QuoteCard>
          </div>
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
