import { type LanguageText, MOST_LANGUAGES, plainLanguage } from '@heliograph/contract/templates/language-texts';
import { ActionIcon, Alert, Button, Group, Paper, Select, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { IconAlertTriangle, IconLanguage, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

/** Contact field that is the language, as far as texts need it. */
export interface LanguageField {
  name: string;
  choices: readonly string[];
}

/** Texts for contacts of other languages: each with its language, a text, and what the caller shows below the text. */
export function LanguageTexts(props: {
  value: readonly LanguageText[];
  /** Field that says which language a contact speaks; null if there is none, undefined while it is not known. */
  field: LanguageField | null | undefined;
  /** Faults by field, such as `language_texts.0.text`. */
  faults: Readonly<Record<string, ReactNode>>;
  below: (text: string) => ReactNode;
  onChange: (value: LanguageText[]) => void;
}) {
  const { t } = useTranslation();
  const { value, field, faults, onChange } = props;
  if (!field && value.length === 0) return null;
  const change = (at: number, part: Partial<LanguageText>) =>
    onChange(value.map((each, place) => (place === at ? { ...each, ...part } : each)));
  const used = new Set(value.map(({ language }) => plainLanguage(language)));
  const free = field?.choices.filter((choice) => !used.has(plainLanguage(choice))) ?? [];
  const isFull = value.length >= MOST_LANGUAGES || (free.length === 0 && (field?.choices.length ?? 0) > 0);
  const fault = faults['language_texts'];
  return (
    <Stack gap="sm" component="section" aria-label={t('resources.message-templates.fields.language_texts')}>
      <div>
        <Text size="sm" fw={500}>
          {t('resources.message-templates.fields.language_texts')}
        </Text>
        {field && (
          <Text size="xs" c="dimmed">
            {t('templates.languages_hint', { field: field.name })}
          </Text>
        )}
      </div>
      {(fault || field === null) && (
        <Alert color="red" variant="light" icon={<IconAlertTriangle size={18} />} role="alert">
          {fault ?? t('templates.languages_missing')}
        </Alert>
      )}
      {value.map(({ language, text }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a text has no other name than its place while its language is typed
        <Paper key={at} withBorder p="sm" component="fieldset" m={0} miw={0}>
          <Stack gap="xs">
            <Group justify="space-between" align="flex-start" wrap="nowrap">
              <LanguageInput
                value={language}
                free={free}
                isChoice={(field?.choices.length ?? 0) > 0}
                error={faults[`language_texts.${at}.language`]}
                onChange={(chosen) => change(at, { language: chosen })}
              />
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={t('templates.remove_language', { language: language || t('templates.language') })}
                onClick={() => onChange(value.filter((_each, place) => place !== at))}
              >
                <IconTrash size={16} aria-hidden />
              </ActionIcon>
            </Group>
            <Textarea
              label={t('templates.text_in', { language: language || '…' })}
              autosize
              minRows={2}
              maxRows={10}
              maxLength={1530}
              value={text}
              error={faults[`language_texts.${at}.text`]}
              data-field={`language_texts.${at}.text`}
              onChange={(event) => change(at, { text: event.currentTarget.value })}
            />
            {text.trim() !== '' && props.below(text)}
          </Stack>
        </Paper>
      ))}
      {field && !isFull && (
        <Group>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconLanguage size={16} aria-hidden />}
            onClick={() => onChange([...value, { language: free[0] ?? '', text: '' }])}
          >
            {t('templates.add_language')}
          </Button>
        </Group>
      )}
    </Stack>
  );
}

/** Language of a text: one of the choices of the field, or a word. */
function LanguageInput(props: {
  value: string;
  free: readonly string[];
  isChoice: boolean;
  error: ReactNode;
  onChange: (language: string) => void;
}) {
  const { t } = useTranslation();
  const { value, free, isChoice, error, onChange } = props;
  const common = { label: t('templates.language'), size: 'sm', flex: 1, maw: 260, error } as const;
  if (!isChoice)
    return (
      <TextInput {...common} maxLength={60} value={value} onChange={(event) => onChange(event.currentTarget.value)} />
    );
  return (
    <Select
      {...common}
      allowDeselect={false}
      data={[...(value === '' ? [] : [value]), ...free]}
      value={value || null}
      onChange={(chosen) => chosen && onChange(chosen)}
    />
  );
}
