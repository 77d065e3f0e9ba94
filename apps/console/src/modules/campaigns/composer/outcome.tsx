import { Button, Text } from '@mantine/core';
import { IconChecklist } from '@tabler/icons-react';
import type { RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../platform/format.ts';
import { FinalStep } from './final-step.tsx';
import { PreviewCard } from './preview-card.tsx';
import { QuoteCard } from './quote-card.tsx';
import classes from './send-sms.module.css';
import type { Composition } from './use-composition.ts';

/** Column that shows what will happen: the message on a phone, the quote, and the button that sends. */
export function Outcome(props: {
  of: Composition;
  /** Place to which the page scrolls when the quote arrives. */
  quoteRef: RefObject<HTMLDivElement | null>;
  suggestedName: string;
  /** Receives the faults that the server finds in the schedule, by field. */
  onScheduleFaults: (faults: Readonly<Record<string, string>>) => void;
}) {
  const { t } = useTranslation();
  const { sender, quoted, sendable } = props.of;
  return (
    <aside className={classes.aside} aria-label={t('compose.aside')}>
      <Preview of={props.of} />
      <div ref={props.quoteRef} className={classes.quote}>
        <QuoteCard of={quoted}>
          {sendable ? (
            <FinalStep
              quote={sendable}
              sender={sender?.sender_id ?? ''}
              suggestedName={props.suggestedName}
              onFaults={props.onScheduleFaults}
            />
          ) : (
            <div className={classes.wideOnly}>
              <CheckButton of={props.of} />
            </div>
          )}
        </QuoteCard>
      </div>
    </aside>
  );
}

function Preview({ of }: { of: Composition }) {
  const { t } = useTranslation();
  const { draft, recipients, recipient, measured, ready } = of;
  // Once counted, the server's sample is the text that will be sent, with signature and opt-out text.
  const sample =
    ready?.samples.find(({ number }) => number === recipient?.number) ??
    (recipients.length === 0 ? ready?.samples[0] : undefined);
  const missing = measured.missing.map((field) => `{${field}}`).join(', ');
  const note = missing
    ? t(draft.skip_default_param ? 'preview.left_out_note' : 'preview.missing_note', { fields: missing })
    : undefined;
  return (
    <PreviewCard
      sender={of.sender?.sender_id ?? ''}
      text={sample?.text ?? measured.text}
      flash={of.content.flash ?? false}
      recipients={recipients}
      chosen={recipient?.number ?? null}
      onChoose={of.setViewer}
      compact={of.quoted.quote !== undefined}
      note={note}
    />
  );
}

/** Bar at the bottom of a narrow screen, with the check button, until the message can be sent. */
export function CheckBar({ of }: { of: Composition }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { draft, measured, ready } = of;
  return (
    <div className={classes.bar}>
      <Text size="sm" c="dimmed">
        {ready
          ? format.money(ready.cost, ready.currency)
          : draft.content !== '' && t('meter.parts', { count: measured.segments.parts.length })}
      </Text>
      <div style={{ flex: 1, maxWidth: 260 }}>
        <CheckButton of={of} />
      </div>
    </div>
  );
}

function CheckButton({ of }: { of: Composition }) {
  const { t } = useTranslation();
  const { quoted, ready } = of;
  return (
    <Button
      size="md"
      fullWidth
      variant={ready ? 'default' : 'filled'}
      leftSection={<IconChecklist size={18} aria-hidden />}
      loading={quoted.checking}
      onClick={of.check}
    >
      {t(quoted.quote && quoted.stale ? 'quote.check_again' : 'quote.check')}
    </Button>
  );
}
