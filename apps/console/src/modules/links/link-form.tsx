import type { MessageKey } from '@heliograph/contract/kernel/message-keys';
import type { HttpMapping } from '@heliograph/contract/links/http-mapping';
import { link } from '@heliograph/contract/links/link';
import { Alert, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { fieldsOf } from '../../resource/fields.tsx';
import { useFormState } from '../../resource/form.tsx';
import { FormPage } from '../../resource/form-page.tsx';
import type { Values } from '../../resource/form-values.ts';
import { FormBindTest } from './bind-test.tsx';
import { HttpConnection, HttpFields, useFillForm } from './http-fields.tsx';

const Field = fieldsOf(link.create);

/** Two fields in a row. Their hints differ in length, but the inputs below stand on one line. */
const Pair = ({ children }: { children: ReactNode }) => <SimpleGrid cols={{ base: 1, xs: 2 }}>{children}</SimpleGrid>;

const isHttp = (values: Values) => values['protocol'] === 'http';

/** Fields that only links of one protocol have. */
function Of({ http, children }: { http: boolean; children: ReactNode }) {
  return isHttp(useFormState().values) === http ? children : null;
}

const GROUPS: Readonly<Record<string, ReactNode>> = {
  connection: (
    <>
      <Enough />
      <Field.Text name="name" autoFocus />
      <Protocol />
      <Of http={false}>
        <Pair>
          <Field.Text name="host" />
          <Field.Number name="port" />
        </Pair>
        <Pair>
          <Field.Text name="system_id" />
          <Field.Secret name="password" />
        </Pair>
        <Pair>
          <Field.Text name="system_type" />
          <Field.Select name="bind_mode" words="link_bind_mode" />
        </Pair>
      </Of>
      <Of http>
        <HttpConnection />
        <Field.Secret name="password" />
      </Of>
      <FormBindTest />
      <Field.Switch name="for_tests" />
      <Field.Switch name="enabled" />
    </>
  ),
  http: <HttpFields />,
  encryption: <Encryption />,
  senders: <Field.Switch name="asks_registration" />,
  pace: (
    <>
      <Of http={false}>
        <Pair>
          <Field.Number name="binds" />
          <Field.Number name="window_size" />
        </Pair>
      </Of>
      <Of http>
        <Parallel />
      </Of>
      <Field.Number name="rate" />
    </>
  ),
  receipts: (
    <>
      <Of http={false}>
        <Field.Select name="id_rule" words="link_id_rule" />
        <Field.Select name="registered_delivery" words="link_registered_delivery" />
        <Field.Switch name="sniff_receipts" />
        <Field.Switch name="message_reference" />
      </Of>
      <Field.Tags name="receipt_words" />
      <Field.Number name="test_rate" />
    </>
  ),
  texts: (
    <>
      <Of http={false}>
        <Field.Select name="default_charset" words="link_default_charset" />
        <Field.Select name="long_messages" words="link_long_messages" />
        <Field.Select name="flash_dialect" words="link_flash_dialect" />
        <Field.Select name="validity_format" words="link_validity_format" />
      </Of>
      <Of http>
        <Field.Select name="long_messages" words="link_http_long" options={['payload', 'udh_8']} />
      </Of>
    </>
  ),
  numbers: (
    <>
      <Field.Text name="alphanumeric_ton_npi" />
      <Field.Text name="short_code_ton_npi" />
      <Field.Text name="number_ton_npi" />
      <Field.Text name="destination_ton_npi" />
    </>
  ),
  parameters: <Field.Tags name="parameters" />,
  rewriting: (
    <>
      <Field.Tags name="number_rules" />
      <Field.Tags name="sender_rules" />
      <Field.Tags name="text_rules" />
    </>
  ),
  timers: (
    <>
      <Of http={false}>
        <Field.Number name="enquire_link_seconds" />
      </Of>
      <Field.Number name="response_seconds" />
      <Field.Number name="bind_seconds" />
    </>
  ),
};

/** Sentence for newcomers: the fields that a new link needs. */
function Enough() {
  const { t } = useTranslation();
  const { row, values } = useFormState();
  if (row || isHttp(values)) return null;
  return (
    <Text size="sm" c="dimmed">
      {t('link.enough')}
    </Text>
  );
}

/** Page that creates or edits a link. */
export const LinkForm = () => <FormPage resource={link} groups={GROUPS} shows={shows} />;

const shows = (group: string, values: Values): boolean => {
  if (group === 'http') return isHttp(values);
  if (group === 'numbers' || group === 'parameters') return !isHttp(values);
  return group !== 'encryption' || !isHttp(values) || isSecure(values);
};
const isSecure = (values: Values): boolean =>
  String((values['http'] as HttpMapping | null)?.url ?? '').startsWith('https:');

/** Choice of the protocol. A link over HTTP gets its host from the address, so the fields of SMPP only need valid values. */
function Protocol() {
  const { values, set } = useFormState();
  const fill = useFillForm();
  const http = isHttp(values);
  const { url = '', user = '' } = (values['http'] as HttpMapping | null) ?? {};
  useEffect(() => {
    if (!http) return;
    if (!values['http']) fill('kannel');
    const known = URL.canParse(url) ? new URL(url) : undefined;
    const port = Number(known?.port) || (known?.protocol === 'http:' ? 80 : 443);
    const derived = { host: known?.hostname || 'localhost', port, system_id: user.slice(0, 15) || 'http' };
    for (const [name, value] of Object.entries(derived)) if (values[name] !== value) set(name, value);
    if (values['tls'] !== url.startsWith('https:')) set('tls', url.startsWith('https:'));
    if (values['long_messages'] !== 'payload' && values['long_messages'] !== 'udh_8') set('long_messages', 'udh_8');
  });
  return <Field.Select name="protocol" words="link_protocol" />;
}

function Parallel() {
  const { t } = useTranslation();
  const { values, errors, set } = useFormState();
  return (
    <TextInput
      label={t('link_http_words.parallel')}
      description={t('link_http_hint.window_size')}
      required
      inputMode="numeric"
      data-field="window_size"
      error={errors['window_size']}
      value={String(values['window_size'] ?? '')}
      onChange={({ currentTarget: { value } }) => set('window_size', /^\d+$/.test(value) ? Number(value) : value)}
    />
  );
}

function Encryption() {
  const { t } = useTranslation();
  const { values } = useFormState();
  const warning = (title: MessageKey, text?: MessageKey) => (
    <Alert color="orange" variant="light" icon={<IconAlertTriangle size={18} />} title={t(title)}>
      {text && t(text)}
    </Alert>
  );
  return (
    <Stack gap="sm">
      <Of http={false}>
        <Field.Switch name="tls" />
      </Of>
      {values.tls === true ? (
        <>
          <Field.Switch name="tls_verify_name" />
          {values.tls_verify_name === false && warning('link.unchecked_title', 'link.unchecked_text')}
          <Field.Textarea name="tls_ca" />
        </>
      ) : (
        warning('link.plain_title')
      )}
    </Stack>
  );
}
