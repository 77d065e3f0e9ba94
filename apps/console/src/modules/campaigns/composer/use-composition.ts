import { allFields, compileText, MERGE_FIELDS, type MergeValues } from '@heliograph/contract/kernel/merge-fields';
import { plainLanguage } from '@heliograph/contract/templates/language-texts';
import { useCallback, useDeferredValue, useEffect, useMemo, useState } from 'react';
import { useNumberRules } from '../../../platform/number-rules.ts';
import { problemFrom } from '../../../platform/problem.ts';
import { useSession } from '../../../platform/session.ts';
import { clearDraft, contentOf, type Draft, hasOwnTexts, useDraft } from './draft.ts';
import { measure } from './measure.ts';
import { checkPasted } from './pasted-numbers.ts';
import { useSenders } from './sender-select.tsx';
import { fieldOfRefusal, useFaults } from './use-check.ts';
import { useContactValues } from './use-contact-values.ts';
import { useEstimate } from './use-estimate.ts';
import { useListChoice } from './use-list-choice.ts';
import { useQuote } from './use-quote.ts';
import { type Recipient, useRecipients } from './use-recipients.ts';
import { type SendingOptions, useSendingOptions } from './use-sending-options.ts';

/** Values used before there are recipients: a parameter without a default shows its own name. */
const unfilled = (fields: readonly string[]): MergeValues =>
  Object.fromEntries(fields.map((field) => [field, `{${field}}`]));

const filled = (values: MergeValues): MergeValues =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value));

/** Returns the draft of the present user, and all that follows from it: recipients, measured text, cost, faults. */
export function useComposition() {
  const userId = useSession((s) => s.profile?.id ?? null);
  useEffect(() => {
    if (useDraft.getState().owner !== userId) clearDraft(userId);
  }, [userId]);

  const draft = useDraft();
  const { sender } = useSenders(draft.sender_id, '');
  const lists = useListChoice(draft.list_ids, sender?.corporation_id);
  const limits = useSendingOptions(draft.sender_id);
  const audience = useAudience(draft);
  const texts = useMeasured(draft, limits, audience.recipient);
  const content = contentOf(draft, texts.used, limits);
  const now = JSON.stringify(content);
  const quoted = useQuote(content);
  const [refusedFor, setRefusedFor] = useState('');
  const { faults, complete, tried } = useFaults(draft, texts, quoted.error, refusedFor, now);
  const estimated = useEstimate(content, complete);
  const [reviewing, setReviewing] = useState(false);
  const ready = quoted.quote?.state === 'ready' && !quoted.stale && !quoted.checking ? quoted.quote : undefined;

  /** Shows the faults. If there are none, asks for a quote and opens the review. */
  async function review(): Promise<void> {
    tried();
    setRefusedFor(now);
    if (!complete) return;
    if (ready) return setReviewing(true);
    const refusal = await quoted.check();
    // A refusal that belongs to a field is shown there.
    if (!refusal || !fieldOfRefusal(problemFrom(refusal))) setReviewing(true);
  }

  return {
    draft,
    sender,
    lists,
    limits,
    ...audience,
    ...texts,
    content,
    quoted,
    estimated,
    faults,
    /** Quote that still matches the draft. */
    ready,
    /** Quote that can be sent. */
    sendable: ready && !ready.refusal && ready.total_count > 0 ? ready : undefined,
    reviewing,
    review: () => void review(),
    closeReview: () => setReviewing(false),
  };
}

export type Composition = ReturnType<typeof useComposition>;

/** Returns the pasted numbers, the first recipients, and the recipient whose message is shown. */
function useAudience(draft: Draft) {
  const rules = useNumberRules();
  const numbers = useDeferredValue(draft.custom_numbers);
  const { read_national } = draft;
  const pasted = useMemo(
    () => (rules ? checkPasted(numbers, read_national ? rules : { ...rules, national: null }) : undefined),
    [numbers, rules, read_national],
  );
  const recipients = useRecipients(draft, pasted);
  const [viewer, setViewer] = useState<string | null>(null);
  const recipient = recipients.find(({ number }) => number === viewer) ?? recipients[0];
  return { rules, pasted, recipients, recipient, setViewer };
}

/** Measures the message as one recipient receives it. */
function useMeasured(draft: Draft, limits: SendingOptions, recipient: Recipient | undefined) {
  const defaults = useMemo(
    () => (draft.skip_default_param ? {} : filled(draft.defaults)),
    [draft.defaults, draft.skip_default_param],
  );
  const literal = hasOwnTexts(draft);
  const written = literal ? (recipient?.own_text ?? '') : draft.content;
  const { ending, contactFields } = limits;
  const keys = useMemo(() => new Set(contactFields.map(({ key }) => key)), [contactFields]);
  const { language_texts } = draft;
  const field = literal || language_texts.length === 0 ? null : limits.language;
  const { used, asked } = useMemo(() => {
    const compiled = literal
      ? []
      : [written, ...language_texts.map(({ text }) => text)].map((each) => compileText(each, keys));
    const ofContacts = compiled.flatMap((each) => each.contact_fields);
    return {
      used: [...new Set(compiled.flatMap(allFields))],
      asked: [...new Set([...ofContacts, ...(field ? [field.key] : [])])],
    };
  }, [literal, written, language_texts, keys, field]);
  const ofContact = useContactValues(draft.sender_id, recipient?.number, asked);
  const shortLinkBase = draft.short_links ? limits.shortLinkBase : undefined;
  const measureOf = useCallback(
    (text: string) =>
      measure(
        text,
        { ...recipient?.values, ...(ofContact ?? unfilled(asked)) },
        recipient ? defaults : { ...unfilled(MERGE_FIELDS), ...defaults },
        { ending, shortLinkBase, literal, keys },
      ),
    [defaults, recipient, ofContact, asked, ending, shortLinkBase, literal, keys],
  );
  const measured = useMemo(() => measureOf(written), [measureOf, written]);
  const [viewed, setViewed] = useState<{ number: string | undefined; language: string | null }>();
  const spoken = plainLanguage((field && ofContact?.[field.key]) ?? '');
  const language =
    viewed && viewed.number === recipient?.number
      ? viewed.language
      : (language_texts.find((each) => spoken !== '' && plainLanguage(each.language) === spoken)?.language ?? null);
  const chosen = literal ? undefined : language_texts.find((each) => each.language === language);
  return {
    /** Text before the values are inserted: that of the draft, or that of the recipient's row. */
    written,
    measured,
    /** Fields that any of the texts uses. */
    used,
    measureOf,
    partsOf: (text: string) => measureOf(text).segments.parts.length,
    /** Values of the recipient's contact for the fields of the texts. */
    ofContact,
    /** Text that is shown: that of the recipient's language, or of a language that the person chose. */
    shown: chosen ? { written: chosen.text, measured: measureOf(chosen.text) } : { written, measured },
    /** Language of the text that is shown; null for the default text. */
    language: chosen?.language ?? null,
    showLanguage: (next: string | null) => setViewed({ number: recipient?.number, language: next }),
  };
}

/** Returns the message as one recipient receives it, for a test send. */
export const testOf = ({ draft, content, shown, recipient, ofContact }: Composition) => ({
  sender_id: content.sender_id,
  content: shown.written,
  defaults: content.defaults,
  skip_default_param: content.skip_default_param,
  flash: content.flash,
  sms_validity: content.sms_validity,
  short_links: content.short_links,
  parameters: content.parameters,
  values: filled({ ...recipient?.values, ...ofContact }) as Record<string, string>,
  literal: hasOwnTexts(draft),
});
