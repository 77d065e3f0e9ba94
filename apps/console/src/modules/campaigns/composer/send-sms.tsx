import { useBlocker } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../platform/format.ts';
import { ComposerForm } from './composer-form.tsx';
import { ComposerHeader } from './composer-header.tsx';
import { isStarted, useDraft } from './draft.ts';
import { CheckBar, Outcome } from './outcome.tsx';
import classes from './send-sms.module.css';
import { useComposition } from './use-composition.ts';
import { useKeptDraft } from './use-kept-draft.ts';

/** Screen that composes a message, shows what will happen, and sends it. */
export function SendSms() {
  const { t } = useTranslation();
  const format = useFormat();
  const composition = useComposition();
  const keeping = useKeptDraft();
  const [scheduleFaults, setScheduleFaults] = useState<Readonly<Record<string, string>>>({});
  const { draft, sender, quoted, sendable } = composition;

  // A reload or another screen keeps the draft. Closing the tab would end it.
  useBlocker({
    shouldBlockFn: () => false,
    enableBeforeUnload: () => isStarted(useDraft.getState()),
    disabled: !isStarted(draft),
  });

  const quoteRef = useScrollToQuote(quoted.checking);
  const date = format.instant(new Date().toISOString());
  const suggestedName = sender ? t('final.default_name', { sender: sender.sender_id, date }) : date;
  return (
    <>
      <ComposerHeader draft={draft} keeping={keeping} />
      <div className={classes.columns}>
        <ComposerForm of={composition} {...{ suggestedName, scheduleFaults }} />
        <Outcome of={composition} {...{ quoteRef, suggestedName }} onScheduleFaults={setScheduleFaults} />
      </div>
      {!sendable && <CheckBar of={composition} />}
    </>
  );
}

/** Scrolls to the quote when it arrives, if the quote is below the form. Returns the reference of the quote. */
function useScrollToQuote(checking: boolean) {
  const quoteRef = useRef<HTMLDivElement>(null);
  const wasChecking = useRef(false);
  useEffect(() => {
    if (wasChecking.current && !checking && matchMedia('(max-width: 1100px)').matches)
      quoteRef.current?.scrollIntoView({ block: 'end', behavior: 'smooth' });
    wasChecking.current = checking;
  }, [checking]);
  return quoteRef;
}
