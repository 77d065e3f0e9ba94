import { user } from '@heliograph/contract/access/user';
import { corporation } from '@heliograph/contract/organizations/corporation';
import { identityProvider } from '@heliograph/contract/single-sign-on/identity-provider';
import { SimpleGrid } from '@mantine/core';
import { fieldsOf } from '../../resource/fields.tsx';
import { useFormState } from '../../resource/form.tsx';
import { FormPage } from '../../resource/form-page.tsx';
import { MetadataField } from './metadata-field.tsx';
import { DepartmentField, RoleField, RoleRulesField } from './role-fields.tsx';

const Field = fieldsOf(identityProvider.create);

/** Page that creates or edits an identity provider. */
export const ProviderForm = () => (
  <FormPage
    resource={identityProvider}
    groups={{
      provider: (
        <>
          <Field.Text name="name" autoFocus />
          <Field.Reference name="corporation_id" to={corporation} />
          <Field.Select name="protocol" words="sign_on_protocol" />
          <Registration />
          <Field.Switch name="enabled" />
        </>
      ),
      domains: (
        <>
          <Field.Tags name="domains" />
          <TrustsEmails />
        </>
      ),
      people: (
        <>
          <Attributes />
          <Field.Switch name="creates_users" />
          <Field.Switch name="follows_groups" />
          <Field.Text name="groups_claim" />
          <RoleRulesField />
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <RoleField />
            <DepartmentField />
          </SimpleGrid>
        </>
      ),
      enforcement: (
        <>
          <Field.Switch name="enforced" />
          <Emergency />
        </>
      ),
    }}
  />
);

/** Protocol of the provider: as chosen, or as it is. */
function useProtocol(): unknown {
  const form = useFormState();
  return form.values['protocol'] ?? form.row?.['protocol'];
}

/** Fields by which the two sides know each other, as the protocol has them. */
function Registration() {
  if (useProtocol() === 'saml')
    return (
      <>
        <MetadataField />
        <Field.Text name="entity_id" />
        <Field.Text name="sso_url" type="url" />
        <Field.Textarea name="certificates" rows={4} />
        <Field.Switch name="signs_requests" />
      </>
    );
  return (
    <>
      <Field.Text name="issuer" type="url" />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <Field.Text name="client_id" />
        <Field.Secret name="client_secret" />
      </SimpleGrid>
      <Field.Text name="scopes" />
    </>
  );
}

/** Choice for providers of OpenID Connect, which may leave out whether an email is verified. */
const TrustsEmails = () => (useProtocol() === 'saml' ? null : <Field.Switch name="trusts_emails" />);

/** Names of attributes, which only SAML leaves open. */
const Attributes = () =>
  useProtocol() === 'saml' ? (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <Field.Text name="email_attribute" />
      <Field.Text name="name_attribute" />
    </SimpleGrid>
  ) : null;

/** People with emergency access: colleagues in the provider's corporation. */
function Emergency() {
  const form = useFormState();
  const corporation_id = form.values['corporation_id'] ?? form.row?.['corporation_id'];
  return (
    <Field.References
      name="break_glass_ids"
      to={user}
      filter={{ enabled: true, ...(corporation_id ? { corporation_id } : {}) }}
    />
  );
}
