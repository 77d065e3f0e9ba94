import { Select, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Draft } from './draft.ts';
import { PhonePreview } from './phone-preview.tsx';
import type { Composition } from './use-composition.ts';

/** Returns the languages that the draft has texts for, each once. */
const languagesOf = ({ language_texts }: Draft): string[] => [
  ...new Set(language_texts.flatMap(({ language }) => (language === '' ? [] : [language]))),
];

/** Phone with the message of one recipient, and the choice of the recipient. */
export function MessagePreview({ of }: { of: Composition }) {
  const { t } = useTranslation();
  const { draft, recipients, recipient, ready, language } = of;
  const { measured } = of.shown;
  // Once counted, the server's sample is the text that will be sent, with signature and opt-out text.
  const hasLanguages = draft.language_texts.length > 0;
  const sample = hasLanguages
    ? undefined
    : (ready?.samples.find(({ number }) => number === recipient?.number) ??
      (recipients.length === 0 ? ready?.samples[0] : undefined));
  const missing = measured.missing.map((field) => `{${field}}`).join(', ');
  return (
    <Stack gap="sm">
      {recipients.length > 0 && (
        <Select
          label={t('preview.as')}
          size="sm"
          allowDeselect={false}
          data={recipients.map(({ number, values }) => ({
            value: number,
            label: values.name ? `${number} · ${values.name}` : number,
          }))}
          value={recipient?.number ?? null}
          onChange={(value) => value && of.setViewer(value)}
        />
      )}
      {hasLanguages && (
        <Select
          label={t('templates.language')}
          size="sm"
          allowDeselect={false}
          data={[
            { value: '', label: t('templates.default_text') },
            ...languagesOf(draft).map((each) => ({ value: each, label: each })),
          ]}
          value={language ?? ''}
          onChange={(value) => of.showLanguage(value || null)}
        />
      )}
      <PhonePreview
        sender={of.sender?.sender_id ?? ''}
        text={sample?.text ?? measured.text}
        flash={of.content.flash ?? false}
        clock="9:41"
      />
      {missing && (
        <Text size="xs" c="dimmed" ta="center">
          {t(draft.skip_default_param ? 'preview.left_out_note' : 'preview.missing_note', { fields: missing })}
        </Text>
      )}
    </Stack>
  );
}
