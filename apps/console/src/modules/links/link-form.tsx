import type { MessageKey } from '@heliograph/contract/kernel/message-keys';
import { link } from '@heliograph/contract/links/link';
import { Alert, SimpleGrid, Stack } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { fieldsOf } from '../../resource/fields.tsx';
import { useFormState } from '../../resource/form.tsx';
import { FormPage } from '../../resource/form-page.tsx';
import { FormBindTest } from './bind-test.tsx';

const Field = fieldsOf(link.create);

/** Two fields in a row. Their hints differ in length, but the inputs below stand on one line. */
const Pair = ({ children }: { children: ReactNode }) => <SimpleGrid cols={{ base: 1, xs: 2 }}>{children}</SimpleGrid>;

const GROUPS: Readonly<Record<string, ReactNode>> = {
  connection: (
    <>
      <Field.Text name="name" autoFocus />
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
      <FormBindTest />
      <Field.Switch name="for_tests" />
      <Field.Switch name="enabled" />
    </>
  ),
  encryption: <Encryption />,
  senders: <Field.Switch name="asks_registration" />,
  pace: (
    <>
      <Pair>
        <Field.Number name="binds" />
        <Field.Number name="window_size" />
      </Pair>
      <Field.Number name="rate" />
    </>
  ),
  receipts: (
    <>
      <Field.Select name="id_rule" words="link_id_rule" />
      <Field.Select name="registered_delivery" words="link_registered_delivery" />
      <Field.Switch name="sniff_receipts" />
      <Field.Switch name="message_reference" />
      <Field.Tags name="receipt_words" />
    </>
  ),
  texts: (
    <>
      <Field.Select name="default_charset" words="link_default_charset" />
      <Field.Select name="long_messages" words="link_long_messages" />
      <Field.Select name="flash_dialect" words="link_flash_dialect" />
      <Field.Select name="validity_format" words="link_validity_format" />
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
  timers: (
    <>
      <Field.Number name="enquire_link_seconds" />
      <Field.Number name="response_seconds" />
      <Field.Number name="bind_seconds" />
    </>
  ),
};

/** Page that creates or edits a link. */
export const LinkForm = () => <FormPage resource={link} groups={GROUPS} />;

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
      <Field.Switch name="tls" />
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
