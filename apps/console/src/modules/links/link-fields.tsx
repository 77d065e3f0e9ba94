import { keyIn, type MessageKey } from '@heliograph/contract/kernel/message-keys';
import { link } from '@heliograph/contract/links/link';
import { Accordion, Alert, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { fieldsOf } from '../../resource/fields.tsx';
import { useFormState } from '../../resource/form.tsx';
import { FormBindTest } from './bind-test.tsx';

const Field = fieldsOf(link.create);

/** Two fields in a row. Their hints differ in length, but the inputs below stand on one line. */
const Pair = ({ children }: { children: ReactNode }) => (
  <SimpleGrid cols={{ base: 1, xs: 2 }} style={{ alignItems: 'end' }}>
    {children}
  </SimpleGrid>
);

/** Fields of each section, so that a section with a fault opens by itself. */
const SECTIONS = {
  pace: ['binds', 'window_size', 'rate'],
  receipts: ['id_rule', 'registered_delivery', 'sniff_receipts', 'message_reference', 'receipt_words'],
  texts: ['default_charset', 'long_messages', 'flash_dialect', 'validity_format'],
  numbers: ['alphanumeric_ton_npi', 'short_code_ton_npi', 'number_ton_npi', 'destination_ton_npi'],
  timers: ['enquire_link_seconds', 'response_seconds', 'bind_seconds'],
} as const;

const CONTENT: Readonly<Record<keyof typeof SECTIONS, ReactNode>> = {
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

/** Form of a link: first the settings that every carrier needs, then those that some carriers need. */
export function LinkFields() {
  const { t } = useTranslation();
  const { errors } = useFormState();
  const [open, setOpen] = useState<string[]>([]);
  const faulty = Object.entries(SECTIONS)
    .filter(([, fields]) => fields.some((field) => hasFault(errors, field)))
    .map(([section]) => section);
  return (
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
      <Encryption />
      <FormBindTest />
      <Accordion
        multiple
        variant="separated"
        order={3}
        value={[...new Set([...open, ...faulty])]}
        onChange={setOpen}
        transitionDuration={0}
      >
        {Object.entries(CONTENT).map(([section, fields]) => (
          <Accordion.Item key={section} value={section}>
            <Accordion.Control>
              <Text size="sm" fw={600}>
                {t(keyIn('resources.links.sections', section))}
              </Text>
            </Accordion.Control>
            <Accordion.Panel>
              <Stack gap="md">{fields}</Stack>
            </Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
      <Field.Switch name="for_tests" />
      <Field.Switch name="enabled" />
    </>
  );
}

/** Returns whether a field has a fault. Faults of list entries are named `field.0`. */
const hasFault = (errors: Record<string, ReactNode>, field: string) =>
  Object.entries(errors).some(([name, fault]) => fault && (name === field || name.startsWith(`${field}.`)));

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
