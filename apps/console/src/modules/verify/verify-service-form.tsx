import { LOCALE_NAMES, LOCALES, type Locale } from '@heliograph/contract/kernel/scope';
import { corporation } from '@heliograph/contract/organizations/corporation';
import { verifyService } from '@heliograph/contract/verify/verify-service';
import { Select, SimpleGrid, Stack, Text, Textarea } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { fieldsOf } from '../../resource/fields.tsx';
import { useFormState } from '../../resource/form.tsx';
import { FormPage } from '../../resource/form-page.tsx';

const Field = fieldsOf(verifyService.create);

type OwnText = { language: Locale; text: string };

/** Texts in place of those that ship, one for each language. */
function OwnTexts() {
  const { t } = useTranslation();
  const { values, set, errors } = useFormState();
  const texts = (values['texts'] ?? []) as OwnText[];
  const change = (language: Locale, text: string) =>
    set('texts', [...texts.filter((each) => each.language !== language), ...(text === '' ? [] : [{ language, text }])]);
  return (
    <Stack gap="xs" data-field="texts">
      <Text size="xs" c={errors['texts'] ? 'red' : 'dimmed'}>
        {errors['texts'] ?? t('verify_services.texts_hint')}
      </Text>
      {LOCALES.map((language) => {
        const place = texts.findIndex((each) => each.language === language);
        return (
          <Textarea
            key={language}
            label={t('verify_services.text_in', { language: LOCALE_NAMES[language] })}
            autosize
            minRows={2}
            maxRows={6}
            maxLength={500}
            value={texts[place]?.text ?? ''}
            error={errors[`texts.${place}.text`]}
            onChange={(event) => change(language, event.currentTarget.value)}
          />
        );
      })}
    </Stack>
  );
}

/** Fields of the form in which a code is sent. */
function FormatFields() {
  const { t } = useTranslation();
  const { values, row, set, errors } = useFormState();
  const format = values['format'] ?? row?.['format'];
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <Select
          label={t('resources.verify-services.fields.language')}
          data={LOCALES.map((language) => ({ value: language, label: LOCALE_NAMES[language] }))}
          allowDeselect={false}
          value={String(values['language'] ?? 'en')}
          error={errors['language']}
          onChange={(language) => set('language', language)}
        />
        <Field.Select name="format" words="verify_format" />
      </SimpleGrid>
      {format === 'web_otp' && <Field.Text name="origin_host" />}
      {format === 'sms_retriever' && <Field.Text name="app_hash" />}
      <OwnTexts />
    </>
  );
}

/** Page that creates or edits a verify service. */
export const VerifyServiceForm = () => (
  <FormPage
    resource={verifyService}
    groups={{
      service: (
        <>
          <Field.Reference name="corporation_id" to={corporation} />
          <Field.Text name="name" autoFocus />
          <Field.Text name="app_name" />
          <Field.Tags name="senders" />
          <Field.Tags name="countries" />
        </>
      ),
      code: (
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <Field.Number name="code_length" />
          <Field.Number name="minutes" />
          <Field.Number name="tries" />
          <Field.Number name="resends" />
          <Field.Number name="resend_pause" />
        </SimpleGrid>
      ),
      text: <FormatFields />,
      guard: (
        <>
          <Field.Select name="guard" words="verify_guard_mode" />
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <Field.Number name="number_limit" />
            <Field.Number name="address_limit" />
            <Field.Number name="device_limit" />
            <Field.Number name="block_limit" />
          </SimpleGrid>
        </>
      ),
    }}
  />
);
