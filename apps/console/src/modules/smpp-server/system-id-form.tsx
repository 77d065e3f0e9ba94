import { user } from '@heliograph/contract/access/user';
import { corporation } from '@heliograph/contract/organizations/corporation';
import { systemId } from '@heliograph/contract/smpp-server/system-id';
import { Checkbox, Group, SimpleGrid, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../platform/format.ts';
import { useSession } from '../../platform/session.ts';
import { labelOf } from '../../resource/columns.tsx';
import { fieldsOf } from '../../resource/fields.tsx';
import { useFormState } from '../../resource/form.tsx';
import { FormPage } from '../../resource/form-page.tsx';

const Field = fieldsOf(systemId.create);

/** Page that creates or edits a system ID. */
export const SystemIdForm = () => (
  <FormPage
    resource={systemId}
    groups={{
      program: (
        <>
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <Field.Reference name="corporation_id" to={corporation} />
            <Field.Reference name="user_id" to={user} within="corporation_id" />
          </SimpleGrid>
          <SystemIdField />
          <Field.Secret name="password" />
          <PasswordSet />
          <Field.Switch name="enabled" />
        </>
      ),
      connection: (
        <>
          <Field.Tags name="addresses" />
          <SimpleGrid cols={{ base: 1, xs: 3 }}>
            <Field.Number name="max_binds" />
            <Field.Number name="window_size" />
            <Field.Number name="rate" />
          </SimpleGrid>
        </>
      ),
      messages: (
        <>
          <Field.Select name="default_class" words="message_class" />
          <Classes />
          <Field.Select name="default_charset" words="link_default_charset" />
          <Field.Select name="octets" words="smpp_octets" />
          <Field.Switch name="receives_replies" />
        </>
      ),
    }}
  />
);

/** Field for the system ID. The administration chooses one; for all others, the platform creates it. */
function SystemIdField() {
  const { t } = useTranslation();
  const administration = useSession((s) => (s.profile?.scope_level ?? 4) < 2);
  const { row } = useFormState();
  if (administration) return <Field.Text name="system_id" />;
  if (row) return null;
  return (
    <Text size="xs" c="dimmed">
      {t('smpp.system_id_made')}
    </Text>
  );
}

/** Field for the classes that the program's priority may select. */
function Classes() {
  const { t } = useTranslation();
  const { values, set } = useFormState();
  return (
    <Checkbox.Group
      label={labelOf('smpp-system-ids', 'classes')}
      description={t('resources.smpp-system-ids.hints.classes')}
      value={values['classes'] as string[]}
      onChange={(classes) => set('classes', classes)}
    >
      <Group gap="md" mt={6}>
        {(['transactional', 'otp'] as const).map((each) => (
          <Checkbox key={each} value={each} label={t(`message_class.${each}`)} />
        ))}
      </Group>
    </Checkbox.Group>
  );
}

/** Time when the password was last set. The password itself is never shown. */
function PasswordSet() {
  const { t } = useTranslation();
  const format = useFormat();
  const setAt = useFormState().row?.['password_set_at'];
  if (typeof setAt !== 'string') return null;
  return (
    <Text size="xs" c="dimmed">
      {t('smpp.password_set', { time: format.instant(setAt) })}
    </Text>
  );
}
