import { signInPolicy } from '@heliograph/contract/identity/sign-in-policy';
import { corporation } from '@heliograph/contract/organizations/corporation';
import { SimpleGrid } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { fieldsOf } from '../../resource/fields.tsx';
import { useFormState } from '../../resource/form.tsx';
import { FormPage } from '../../resource/form-page.tsx';
import { ResourceList } from '../../resource/resource-list.tsx';

const Field = fieldsOf(signInPolicy.create);

/** Screen of the rules for the sign-in and the sessions of corporations. */
export function SignInPolicies() {
  const { t } = useTranslation();
  return (
    <ResourceList
      resource={signInPolicy}
      columns={[
        { field: 'corporation_name', cell: (row) => row.corporation_name ?? t('sign_in_policy.platform') },
        'idle_minutes',
        'session_hours',
        {
          field: 'addresses',
          cell: ({ addresses }) => addresses.join(', ') || t('api_keys.any_address'),
          csv: ({ addresses }) => addresses.join(', '),
        },
        'second_factor',
        {
          field: 'passkeys',
          cell: ({ passkeys }) => t(`passkey_need.${passkeys}`),
          csv: ({ passkeys }) => t(`passkey_need.${passkeys}`),
        },
        'passkeys_from',
        'min_password_length',
        'device_mail',
        {
          field: 'support',
          cell: ({ support }) => t(`support_consent.${support}`),
          csv: ({ support }) => t(`support_consent.${support}`),
        },
        { field: 'created_at', hidden: true },
      ]}
      filters={[{ field: 'corporation_id', to: corporation }]}
    />
  );
}

function FirstDay() {
  const form = useFormState();
  const need = form.values['passkeys'] ?? form.row?.['passkeys'];
  return need === undefined || need === 'optional' ? null : <Field.Date name="passkeys_from" />;
}

/** Page that creates or edits rules of sign-in. */
export const SignInPolicyForm = () => (
  <FormPage
    resource={signInPolicy}
    groups={{
      sessions: (
        <>
          <Field.Reference name="corporation_id" to={corporation} />
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <Field.Number name="idle_minutes" />
            <Field.Number name="session_hours" />
          </SimpleGrid>
          <Field.Tags name="addresses" />
          <Field.Select name="support" words="support_consent" />
        </>
      ),
      ways: (
        <>
          <Field.Switch name="second_factor" />
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <Field.Select name="passkeys" words="passkey_need" />
            <FirstDay />
            <Field.Number name="min_password_length" />
          </SimpleGrid>
          <Field.Switch name="device_mail" />
        </>
      ),
    }}
  />
);
