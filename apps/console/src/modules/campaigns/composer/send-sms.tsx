import { messageTemplate } from '@heliograph/contract/templates/message-template';
import { useBlocker, useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../platform/call.ts';
import { useFormat } from '../../../platform/format.ts';
import { sentenceOf } from '../../../platform/problem.ts';
import { toast } from '../../../platform/toast.ts';
import { takeTemplate } from '../../templates/index.ts';
import { ComposerForm } from './composer-form.tsx';
import { ComposerHeader } from './composer-header.tsx';
import { edit, isStarted, nameFromText, useDraft } from './draft.ts';
import { MessagePreview } from './preview-card.tsx';
import { Review } from './review.tsx';
import { SendFoot } from './send-foot.tsx';
import classes from './send-sms.module.css';
import { useComposition } from './use-composition.ts';
import { useKeptDraft } from './use-kept-draft.ts';

/** Screen that composes a message, shows what will happen, and sends it. */
export function SendSms() {
  const { t } = useTranslation();
  const format = useFormat();
  const composition = useComposition();
  const keeping = useKeptDraft();
  useTemplateOfAddress();
  useSegmentOfAddress();
  const [scheduleFaults, setScheduleFaults] = useState<Readonly<Record<string, string>>>({});
  const { draft, sender } = composition;

  // A reload or another screen keeps the draft. Closing the tab would end it.
  useBlocker({
    shouldBlockFn: () => false,
    enableBeforeUnload: () => isStarted(useDraft.getState()),
    disabled: !isStarted(draft),
  });

  const date = format.instant(new Date().toISOString());
  const fallback = sender ? t('final.default_name', { sender: sender.sender_id, date }) : date;
  const suggestedName = nameFromText(draft) || fallback;
  return (
    <div className={classes.page}>
      <ComposerHeader draft={draft} keeping={keeping} suggestedName={isStarted(draft) ? suggestedName : ''} />
      <div className={classes.columns}>
        <ComposerForm of={composition} scheduleFaults={scheduleFaults} />
        <aside className={classes.aside} aria-label={t('compose.aside')}>
          <MessagePreview of={composition} />
        </aside>
      </div>
      <SendFoot of={composition} />
      <Review of={composition} suggestedName={suggestedName} onScheduleFaults={setScheduleFaults} />
    </div>
  );
}

/** Chooses the segment that the address names as recipients, once. The list of segments leads here. */
function useSegmentOfAddress(): void {
  const navigate = useNavigate();
  const { segment } = useSearch({ strict: false }) as { segment?: string | number };
  useEffect(() => {
    const id = Number(segment);
    if (!Number.isSafeInteger(id) || id <= 0) return;
    void navigate({ to: '.', search: {}, replace: true });
    edit({ content_type: 'single', segment_ids: [id] });
  }, [segment, navigate]);
}

/** Starts the text with the template that the address names, once. The list of templates leads here. */
function useTemplateOfAddress(): void {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { template } = useSearch({ strict: false }) as { template?: string | number };
  useEffect(() => {
    const id = Number(template);
    if (!Number.isSafeInteger(id) || id <= 0) return;
    void navigate({ to: '.', search: {}, replace: true });
    call(messageTemplate.get, { params: { id } }).then(
      ({ data }) =>
        takeTemplate(
          data,
          { written: useDraft.getState().content, onChosen: edit },
          {
            title: t('templates.replace_title'),
            text: t('templates.replace_text'),
            confirm: t('templates.replace'),
          },
        ),
      (error: unknown) => void toast('error', sentenceOf(error)),
    );
  }, [template, navigate, t]);
}
