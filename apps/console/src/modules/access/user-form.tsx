import { READ_ONLY_ROLE, ROLES } from '@heliograph/contract/access/role-permissions';
import { fillingData, supervisorCandidates, user } from '@heliograph/contract/access/user';
import { billingAccount } from '@heliograph/contract/billing/billing-account';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { LOCALE_NAMES } from '@heliograph/contract/kernel/scope';
import { corporation } from '@heliograph/contract/organizations/corporation';
import { department } from '@heliograph/contract/organizations/department';
import { MultiSelect, SimpleGrid } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { menuLabel } from '../../platform/menu-label.ts';
import { labelOf } from '../../resource/columns.tsx';
import { fieldsOf } from '../../resource/fields.tsx';
import { useFormState } from '../../resource/form.tsx';
import { FormPage } from '../../resource/form-page.tsx';
import { ChoiceField } from './choice-field.tsx';
import { roleName } from './role-name.ts';

const Field = fieldsOf(user.create);

type Filling = ReplyOf<typeof fillingData>;

/** Reads the choices for the forms about people. */
const useFillingData = () =>
  useQuery({
    queryKey: ['users', 'filling'],
    queryFn: ({ signal }) => call(fillingData, { signal }),
    staleTime: 30_000,
  }).data;

/** Page that creates or edits a person. */
export function UserForm() {
  return (
    <FormPage
      resource={user}
      groups={{
        person: <PersonFields />,
        place: <PlaceFields />,
        access: (
          <Pairs>
            <Field.Switch name="enabled" />
            <Field.Switch name="otp" />
            <Field.Switch name="content_visible" />
            <Field.Switch name="numbers_visible" />
          </Pairs>
        ),
        sending: (
          <Pairs>
            <Field.Switch name="skip_blacklist" />
            <Field.Switch name="skip_signature" />
            <Field.Switch name="skip_blackout" />
          </Pairs>
        ),
      }}
    />
  );
}

const Pairs = ({ children }: { children: ReactNode }) => <SimpleGrid cols={{ base: 1, xs: 2 }}>{children}</SimpleGrid>;

function PersonFields() {
  const filling = useFillingData();
  return (
    <>
      <Field.Text name="name" autoFocus />
      <Field.Text name="email" type="email" />
      <Pairs>
        <Field.Text name="phone" type="tel" />
        <ChoiceField
          name="preferred_language"
          data={(filling?.languages ?? []).map((value) => ({ value, label: LOCALE_NAMES[value] }))}
        />
        <Field.Secret name="password" />
        <Field.Secret name="password_confirmation" />
      </Pairs>
    </>
  );
}

function PlaceFields() {
  const { t } = useTranslation();
  const form = useFormState();
  const filling = useFillingData();
  const level = form.values['scope_level'] as number | null;
  const ofPlatform = level !== null && level < 2;
  // Two entries of the menu may lead to one screen.
  const pages = new Map((filling?.menus ?? []).map((entry) => [entry.url, menuLabel(entry)]));
  pages.set('profile', t('menu.profile'));
  return (
    <>
      <RightsFields filling={filling} />
      {!ofPlatform && (
        <Pairs>
          <Field.Reference name="corporation_id" to={corporation} />
          <Field.Reference name="department_id" to={department} within="corporation_id" />
          <Field.Reference name="billing_account_id" to={billingAccount} within="corporation_id" />
        </Pairs>
      )}
      <Pairs>
        <ChoiceField name="landing_page" data={[...pages].map(([value, label]) => ({ value, label }))} />
        <ChoiceField
          name="connection_type_id"
          data={(filling?.connection_types ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        />
      </Pairs>
      <SupervisorsField />
    </>
  );
}

/** Fields for template, role and scope. A template sets its role, and a role sets its level. */
function RightsFields({ filling }: { filling: Filling | undefined }) {
  const form = useFormState();
  const { t } = useTranslation();
  const roles = filling?.roles ?? [];
  const levels = filling?.scope_levels ?? [];
  const names = new Set(roles.map(({ name }) => name));
  const setLevel = (level: number) => {
    form.set('scope_level', level);
    if (level < 2) for (const field of ['corporation_id', 'department_id', 'billing_account_id']) form.set(field, null);
  };
  const chooseRole = (id: unknown) => {
    const role = roles.find((each) => each.id === id);
    if (role) setLevel(role.level);
  };
  const chooseTemplate = (template: unknown) => {
    const role = roles.find(({ name }) => name === template);
    if (!role) return;
    form.set('role_id', role.id);
    setLevel(role.level);
  };
  const role = roles.find(({ id }) => id === form.values['role_id']);
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <ChoiceField
        name="permission_template"
        data={ROLES.filter((name) => names.has(name)).map((value) => ({ value, label: t(`roles.${value}`) }))}
        onChosen={chooseTemplate}
      />
      <ChoiceField
        name="role_id"
        data={roles.map(({ id, name }) => ({ value: id, label: roleName(name) }))}
        onChosen={chooseRole}
      />
      <ChoiceField
        name="scope_level"
        // A scope is never wider than the role's level, except for people with read-only access.
        data={levels
          .filter(({ id }) => !role || role.name === READ_ONLY_ROLE || id >= role.level)
          .map(({ id, name }) => ({ value: id, label: name }))}
        onChosen={(level) => setLevel(level as number)}
      />
    </SimpleGrid>
  );
}

/** Field for the people who approve the campaigns of a new person. */
function SupervisorsField() {
  const form = useFormState();
  const { t } = useTranslation();
  const corporation_id = form.values['corporation_id'] as number | null;
  const department_id = form.values['department_id'] as number | null;
  const candidates = useQuery({
    queryKey: ['users', 'supervisors', corporation_id, department_id],
    queryFn: ({ signal }) =>
      call(supervisorCandidates, {
        query: { corporation_id: corporation_id!, ...(department_id === null ? {} : { department_id }) },
        signal,
      }),
    enabled: corporation_id !== null,
  });
  if (!form.schema.shape['supervisor_ids'] || corporation_id === null) return null;
  return (
    <MultiSelect
      label={labelOf('users', 'supervisor_ids')}
      description={t('resources.users.hints.supervisor_ids')}
      error={form.errors['supervisor_ids']}
      searchable
      clearable
      nothingFoundMessage={t('users.supervisors_none')}
      data={(candidates.data?.data ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
      value={((form.values['supervisor_ids'] as number[] | null) ?? []).map(String)}
      onChange={(ids) => form.set('supervisor_ids', ids.map(Number))}
    />
  );
}
