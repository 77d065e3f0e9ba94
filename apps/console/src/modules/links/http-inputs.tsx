import { keyIn, type MessageGroup } from '@heliograph/contract/kernel/message-keys';
import type { HttpMapping } from '@heliograph/contract/links/http-mapping';
import { Select, Textarea, TextInput } from '@mantine/core';
import i18next from 'i18next';
import { useTranslation } from 'react-i18next';
import { hasText } from '../../platform/language.ts';
import { useFormState } from '../../resource/form.tsx';

type Name = keyof HttpMapping;

/** Returns the mapping in the form; null for a link over SMPP. */
export const useMapping = (): HttpMapping | null => (useFormState().values['http'] as HttpMapping | null) ?? null;

/** Returns the properties that each field of the mapping takes from the form. */
function useHttpField(name: Name) {
  const form = useFormState();
  const mapping = form.values['http'] as HttpMapping;
  const hint = keyIn('link_http_hint', name);
  // A fault of one line of several is shown below all of them.
  const fault = Object.keys(form.errors).find((key) => key === `http.${name}` || key.startsWith(`http.${name}.`));
  return {
    value: mapping[name],
    set: (value: unknown) => form.set('http', { ...mapping, [name]: value }),
    common: {
      label: i18next.t(keyIn('link_http', name)),
      ...(hasText(hint) ? { description: i18next.t(hint) } : {}),
      error: fault && form.errors[fault],
      'data-field': `http.${name}`,
    },
  };
}

/** Field for one text of the mapping. */
export function HttpText({ name, required = false }: { name: Name; required?: boolean }) {
  const { value, set, common } = useHttpField(name);
  return (
    <TextInput
      {...common}
      required={required}
      value={String(value ?? '')}
      onChange={(event) => set(event.currentTarget.value)}
    />
  );
}

/** Field for a whole number of the mapping. */
export function HttpNumber({ name }: { name: Name }) {
  const { value, set, common } = useHttpField(name);
  return (
    <TextInput
      {...common}
      required
      inputMode="numeric"
      value={String(value ?? '')}
      onChange={({ currentTarget: { value: text } }) => set(/^\d+$/.test(text.trim()) ? Number(text) : text)}
    />
  );
}

/** Field for lines of the mapping, or for one long text. */
export function HttpLines({ name, long = false }: { name: Name; long?: boolean }) {
  const { value, set, common } = useHttpField(name);
  const text = Array.isArray(value) ? value.join('\n') : String(value ?? '');
  return (
    <Textarea
      {...common}
      autosize
      minRows={3}
      maxRows={18}
      spellCheck={false}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } }}
      value={text}
      onChange={({ currentTarget }) => set(long ? currentTarget.value : currentTarget.value.split('\n'))}
      onBlur={() => !long && set(text.split('\n').filter((line) => line.trim() !== ''))}
    />
  );
}

/** Field for one of several words of the mapping. */
export function HttpSelect({
  name,
  words,
  options,
  onChoose,
}: {
  name: Name;
  words?: MessageGroup;
  options: readonly string[];
  onChoose?: (word: string) => void;
}) {
  const { t } = useTranslation();
  const { value, set, common } = useHttpField(name);
  return (
    <Select
      {...common}
      required
      allowDeselect={false}
      data={options.map((word) => ({ value: word, label: words ? t(keyIn(words, word)) : word }))}
      value={String(value)}
      onChange={(word) => word && (onChoose ? onChoose(word) : set(word))}
    />
  );
}
