import { messageTemplate } from '@heliograph/contract/templates/message-template';
import { blanksOf, fillTemplate, fitsBlank, TemplateMatcher } from '@heliograph/contract/templates/template-pattern';
import { Alert, Select, Stack, TextInput } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import type { Template } from './template-decision.tsx';
import type { TextsOfTemplate } from './template-gallery.tsx';
import { TextBubble, TextMeasure } from './text-measure.tsx';

/** Maximum approved templates that are offered. */
const OFFERED = 200;

const NO_TEXT: TextsOfTemplate = { content: '', language_texts: [] };

/** Approved template with its text. */
type Approved = Pick<Template, 'approved_language_texts'> & { text: string };

/** Returns the placeholders that are filled before any of the texts is sent, each once. */
const allBlanks = ({ text, approved_language_texts }: Approved) =>
  blanksOf([text, ...approved_language_texts.map((each) => each.text)].join('\n'));

interface ApprovedTextProps {
  corporationId: number | undefined;
  /** Name of the sender ID that is limited to approved templates. */
  sender: string;
  /** Text so far; empty while a placeholder has no value. */
  text: string;
  onChange: (texts: TextsOfTemplate) => void;
  error: string | undefined;
}

/** Text for a sender ID that sends approved templates only: a template is chosen and its placeholders are filled. */
export function ApprovedText({ corporationId, sender, text, onChange, error }: ApprovedTextProps) {
  const { t } = useTranslation();
  const [chosenId, setChosenId] = useState<string | null>(null);
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const found = useQuery({
    queryKey: [messageTemplate.name, 'approved', corporationId],
    queryFn: ({ signal }) =>
      call(messageTemplate.list, {
        query: { corporation_id: corporationId, valid: 'true', per_page: OFFERED, sort: 'name' },
        signal,
      }),
    enabled: corporationId !== undefined,
  });
  const templates = (found.data?.data ?? []).map((row) => ({ ...row, text: row.approved_text ?? '' }));
  const unfilled = templates.find((each) => each.text === text && blanksOf(each.text).length > 0);
  const chosen =
    templates.find(({ id }) => String(id) === chosenId) ??
    unfilled ??
    templates.find((each) => text !== '' && new TemplateMatcher(each.text).matches(text));
  // A template that another screen put here still has its placeholders.
  useEffect(() => {
    if (!unfilled) return;
    setChosenId(String(unfilled.id));
    onChange(NO_TEXT);
  }, [unfilled, onChange]);
  const blanks = chosen ? allBlanks(chosen) : [];
  // A draft that is opened again has its values in the text.
  const asks = chosen !== undefined && chosenId !== null;

  function fill(template: Approved, next: Readonly<Record<string, string>>) {
    setValues(next);
    const complete = allBlanks(template).every((blank) => fitsBlank(blank, next[blank.written] ?? ''));
    const language_texts = template.approved_language_texts.map(({ language, text }) => ({
      language,
      text: fillTemplate(text, next),
    }));
    onChange(complete ? { content: fillTemplate(template.text, next), language_texts } : NO_TEXT);
  }

  function choose(id: string | null) {
    const template = templates.find((each) => String(each.id) === id);
    setChosenId(id);
    if (template) fill(template, {});
  }

  const shown = asks
    ? fillTemplate(chosen.text, Object.fromEntries(Object.entries(values).filter(([, value]) => value)))
    : text;
  return (
    <Stack gap="sm">
      <Alert color="blue" variant="light" icon={<IconInfoCircle size={18} />}>
        {t('templates.only', { sender })}
        {found.isSuccess && templates.length === 0 && ` ${t('templates.none')}`}
      </Alert>
      <Select
        label={t('templates.approved')}
        placeholder={t('templates.choose')}
        searchable
        nothingFoundMessage={t('form.nothing_found')}
        data={templates.map(({ id, name }) => ({ value: String(id), label: name }))}
        value={chosen ? String(chosen.id) : null}
        onChange={choose}
        allowDeselect={false}
        error={asks && blanks.length > 0 ? undefined : error}
      />
      {asks &&
        blanks.map((blank) => (
          <TextInput
            key={blank.written}
            label={t('templates.value', { blank: blank.written })}
            description={t(blank.kind === 'digits' ? 'templates.up_to_digits' : 'templates.up_to_text', {
              count: blank.max,
            })}
            maxLength={blank.max}
            inputMode={blank.kind === 'digits' ? 'numeric' : 'text'}
            value={values[blank.written] ?? ''}
            error={error && !fitsBlank(blank, values[blank.written] ?? '') ? error : undefined}
            onChange={(event) => fill(chosen, { ...values, [blank.written]: event.currentTarget.value })}
          />
        ))}
      {shown !== '' && (
        <>
          <TextBubble text={shown} />
          <TextMeasure text={shown} />
        </>
      )}
    </Stack>
  );
}
