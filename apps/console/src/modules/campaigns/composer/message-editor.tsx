import { Alert, Group, Input, Stack } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { type ClipboardEvent, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../platform/format.ts';
import { AskModel } from './ask-model.tsx';
import { type Measured, marksOf } from './measure.ts';
import { MergeChips } from './merge-chips.tsx';
import classes from './message-editor.module.css';
import { SegmentMeter } from './segment-meter.tsx';
import { Shorten } from './shorten.tsx';
import type { OfferedField } from './use-recipients.ts';

/** Maximum length of a text in the contract, in UTF-16 units. */
const MAX_LENGTH = 1530;

/**
 * Text field with its parameter chips and meter. Characters that force Unicode and unknown parameters are marked in the
 * text.
 */
export function MessageEditor(props: {
  value: string;
  onChange: (value: string) => void;
  measured: Measured;
  /** Number of parts of another text for the recipient shown. */
  partsOf: (text: string) => number;
  /** Sender ID for whose texts the operator's language model may be asked; null for none. */
  modelFor: number | null;
  /** Fields for which recipients have values. */
  fields: readonly OfferedField[];
  contactFields: readonly { key: string; name: string }[];
  error?: string | undefined;
}) {
  const { t } = useTranslation();
  const id = useId();
  const format = useFormat();
  const area = useRef<HTMLTextAreaElement>(null);
  const [cut, setCut] = useState(0);
  const { measured, value } = props;

  function put(text: string, from: number, to: number) {
    const element = area.current;
    if (!element) return;
    element.focus();
    element.setSelectionRange(from, to);
    // Only this way of writing into a field keeps undo working. Not every browser still offers it.
    if (document.execCommand?.('insertText', false, text)) return;
    element.setRangeText(text, from, to, 'end');
    props.onChange(element.value);
  }

  function insert(field: string) {
    const element = area.current;
    put(`{${field}}`, element?.selectionStart ?? value.length, element?.selectionEnd ?? value.length);
  }

  const replaceAll = (text: string) => put(text, 0, value.length);

  /** Counts the characters of a pasted text that do not fit. The browser cuts them off without notice. */
  function notePaste({ currentTarget, clipboardData }: ClipboardEvent<HTMLTextAreaElement>) {
    const { selectionStart, selectionEnd } = currentTarget;
    const pasted = clipboardData.getData('text').replaceAll('\r\n', '\n').length;
    setCut(Math.max(0, value.length - (selectionEnd - selectionStart) + pasted - MAX_LENGTH));
  }

  const { unknown } = measured.compiled;
  return (
    <Stack gap="sm">
      <Input.Wrapper label={t('compose.text')} labelProps={{ htmlFor: id }} error={props.error} id={id}>
        <div className={classes.frame} data-error={props.error ? true : undefined}>
          <div className={classes.mirror} aria-hidden="true">
            {marksOf(value, measured).map((mark, at) =>
              mark.kind === 'text' ? (
                // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a text have no other name than their place
                <span key={at}>{mark.text}</span>
              ) : (
                // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a text have no other name than their place
                <mark key={at} className={classes[mark.kind]}>
                  {mark.text}
                </mark>
              ),
            )}
            {'\n'}
          </div>
          <textarea
            ref={area}
            id={id}
            className={classes.text}
            value={value}
            maxLength={MAX_LENGTH}
            placeholder={t('compose.text_placeholder')}
            aria-invalid={props.error || unknown.length > 0 ? true : undefined}
            aria-describedby={`${id}-meter`}
            onPaste={notePaste}
            onKeyDown={() => setCut(0)}
            onChange={(event) => props.onChange(event.currentTarget.value)}
          />
        </div>
      </Input.Wrapper>
      <MergeChips fields={props.fields} contactFields={props.contactFields} onInsert={insert} />
      {cut > 0 && (
        <Alert color="orange" variant="light" icon={<IconAlertTriangle size={18} />} role="alert">
          {t('compose.paste_cut', { count: cut, cut: format.integer(cut), limit: format.integer(MAX_LENGTH) })}
        </Alert>
      )}
      {unknown.length > 0 && (
        <Alert color="red" variant="light" icon={<IconAlertTriangle size={18} />} role="alert">
          {t('compose.unknown_fields', {
            count: unknown.length,
            fields: unknown.map((name) => `{${name}}`).join(', '),
          })}
        </Alert>
      )}
      <Group gap="xs">
        <Shorten text={value} partsOf={props.partsOf} onShorten={replaceAll} />
        {props.modelFor !== null && value.trim() !== '' && (
          <AskModel senderId={props.modelFor} text={value} partsOf={props.partsOf} onTaken={replaceAll} />
        )}
      </Group>
      <SegmentMeter
        id={`${id}-meter`}
        measured={measured}
        onReplace={(character, replacement) => put(value.replaceAll(character, replacement), 0, value.length)}
        onReplaceAll={() => measured.plain && put(measured.plain.text, 0, value.length)}
      />
    </Stack>
  );
}
