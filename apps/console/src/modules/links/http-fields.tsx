import {
  HTTP_AUTHS,
  HTTP_ENCODINGS,
  HTTP_FORMS,
  HTTP_METHODS,
  HTTP_SIGNATURES,
  type HttpMapping,
} from '@heliograph/contract/links/http-mapping';
import { HTTP_PRESETS } from '@heliograph/contract/links/http-presets';
import { SimpleGrid, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormState } from '../../resource/form.tsx';
import { HttpLines, HttpNumber, HttpSelect, HttpText, useMapping } from './http-inputs.tsx';
import { TryMapping } from './try-mapping.tsx';

const Pair = ({ children }: { children: ReactNode }) => <SimpleGrid cols={{ base: 1, xs: 2 }}>{children}</SimpleGrid>;

/** Parallel requests of a new link: most APIs allow few. */
const PARALLEL = 10;

/** Returns the function that fills the form with a form of API, but keeps the address and account that a person entered. */
export function useFillForm(): (form: HttpMapping['form']) => void {
  const { values, set } = useFormState();
  return (form) => {
    const { mapping, long_messages, receipt_words } = HTTP_PRESETS[form];
    const present = values['http'] as HttpMapping | null;
    const untouched = !present || present.url === HTTP_PRESETS[present.form].mapping.url;
    set('http', {
      ...(form === 'own' && present ? present : mapping),
      form,
      url: untouched ? mapping.url : present.url,
      user: present?.user ?? '',
    });
    if (form === 'own') return;
    set('long_messages', long_messages);
    set('receipt_words', receipt_words);
    if (values['window_size'] === 100) set('window_size', PARALLEL);
  };
}

/** Form of API, address and account of a link over HTTP. */
export function HttpConnection() {
  const fill = useFillForm();
  if (!useMapping()) return null;
  return (
    <>
      <HttpSelect
        name="form"
        words="link_http_form"
        options={HTTP_FORMS}
        onChoose={(word) => fill(word as HttpMapping['form'])}
      />
      <HttpText name="url" required />
      <HttpText name="user" />
    </>
  );
}

/** Request, answers and callbacks of a link over HTTP. */
export function HttpFields() {
  const { t } = useTranslation();
  const mapping = useMapping();
  if (!mapping) return null;
  const inBody = mapping.encoding === 'json';
  return (
    <Stack gap="sm">
      <TryMapping />
      <Text fw={600}>{t('link_http_words.request')}</Text>
      <Pair>
        <HttpSelect name="method" options={HTTP_METHODS} />
        <HttpSelect name="encoding" words="link_http_encoding" options={HTTP_ENCODINGS} />
      </Pair>
      {inBody ? <HttpLines name="body" long /> : <HttpLines name="fields" />}
      <HttpLines name="headers" />
      <Pair>
        <HttpSelect name="auth" words="link_http_auth" options={HTTP_AUTHS} />
        {(mapping.auth === 'header' || mapping.auth === 'query') && <HttpText name="auth_name" />}
      </Pair>
      <HttpNumber name="recipients" />
      {mapping.recipients !== 1 && (
        <Pair>
          <HttpText name="recipients_at" />
          {mapping.recipients_at === '' && <HttpText name="separator" />}
        </Pair>
      )}
      <Text fw={600}>{t('link_http_words.answer')}</Text>
      <Pair>
        <HttpText name="list" />
        {mapping.list !== '' && <HttpText name="number" />}
      </Pair>
      <HttpText name="id" />
      <HttpLines name="answers" />
      <Text fw={600}>{t('link_http_words.callbacks')}</Text>
      <HttpLines name="receipts" />
      <HttpLines name="replies" />
      <Pair>
        <HttpText name="callback_answer" />
        <HttpSelect name="signature" words="link_http_signature" options={HTTP_SIGNATURES} />
      </Pair>
      {mapping.signature !== 'none' && <HttpText name="signature_header" required />}
      <HttpText name="poll_receipts" />
      <HttpText name="poll_replies" />
      {(mapping.poll_receipts !== '' || mapping.poll_replies !== '') && (
        <Pair>
          <HttpNumber name="poll_seconds" />
          <HttpText name="poll_cursor" />
        </Pair>
      )}
    </Stack>
  );
}
