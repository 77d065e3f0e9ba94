import { fillingData } from '@heliograph/contract/access/user';
import { keyIn } from '@heliograph/contract/kernel/message-keys';
import { ActionIcon, Button, Fieldset, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { useSession } from '../../platform/session.ts';
import { labelOf } from '../../resource/columns.tsx';
import { useFormState } from '../../resource/form.tsx';

/** Rule while it is edited. */
interface Rule {
  group: string;
  role_id: number | null;
  department_id: number | null;
}

/** Roles that the user may give, and the departments of the provider's corporation. */
function useChoices() {
  const { t } = useTranslation();
  const form = useFormState();
  const own = useSession((s) => s.profile?.corporation_id ?? null);
  const corporation = form.values['corporation_id'] ?? form.row?.['corporation_id'] ?? own;
  const { data } = useQuery({ queryKey: ['users', 'filling'], queryFn: ({ signal }) => call(fillingData, { signal }) });
  const ofPlatform = corporation === null;
  return {
    roles: (data?.roles ?? [])
      .filter(({ level }) => level < 2 === ofPlatform)
      .map(({ id, name }) => ({ value: String(id), label: t(keyIn('roles', name), { defaultValue: name }) })),
    departments: (data?.departments ?? [])
      .filter(({ corporation_id }) => corporation_id === corporation)
      .map(({ id, name }) => ({ value: String(id), label: name })),
  };
}

const idOf = (value: string | null) => (value === null ? null : Number(value));
const chosenOf = (id: unknown) => (typeof id === 'number' ? String(id) : null);

function OneField({ name, data }: { name: 'role_id' | 'department_id'; data: { value: string; label: string }[] }) {
  const { t } = useTranslation();
  const form = useFormState();
  return (
    <Select
      label={labelOf(form.name, name)}
      description={t(`resources.identity-providers.hints.${name}`)}
      placeholder={t('form.choose')}
      nothingFoundMessage={t('form.nothing_found')}
      clearable
      searchable={data.length > 10}
      data={data}
      data-field={name}
      error={form.errors[name]}
      value={chosenOf(form.values[name])}
      onChange={(value) => form.set(name, idOf(value))}
    />
  );
}

/** Field for the role of people without a rule. */
export const RoleField = () => <OneField name="role_id" data={useChoices().roles} />;
/** Field for the department of roles within one. */
export const DepartmentField = () => <OneField name="department_id" data={useChoices().departments} />;

/** Field for the rules that give people of a group their role; the first that fits counts. */
export function RoleRulesField() {
  const { t } = useTranslation();
  const form = useFormState();
  const { roles, departments } = useChoices();
  const rules = (form.values['role_rules'] as Rule[] | null) ?? [];
  const set = (next: Rule[]) => form.set('role_rules', next);
  const change = (at: number, part: Partial<Rule>) =>
    set(rules.map((rule, place) => (place === at ? { ...rule, ...part } : rule)));
  const fault = (at: number, field: keyof Rule) => form.errors[`role_rules.${at}.${field}`];
  return (
    <Fieldset legend={labelOf(form.name, 'role_rules')} data-field="role_rules">
      <Stack gap="sm">
        {rules.map((rule, at) => (
          // Rules have no id, so their position in the list identifies them.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          <Group key={at} gap="xs" align="flex-start">
            <TextInput
              flex="1 1 140px"
              label={t('sign_on.group')}
              error={fault(at, 'group')}
              value={rule.group}
              onChange={(event) => change(at, { group: event.currentTarget.value })}
            />
            <Select
              flex="1 1 140px"
              label={t('sign_on.role')}
              placeholder={t('form.choose')}
              data={roles}
              error={fault(at, 'role_id')}
              value={chosenOf(rule.role_id)}
              onChange={(value) => change(at, { role_id: idOf(value) })}
            />
            <Select
              flex="1 1 140px"
              label={t('sign_on.department')}
              clearable
              data={departments}
              error={fault(at, 'department_id')}
              value={chosenOf(rule.department_id)}
              onChange={(value) => change(at, { department_id: idOf(value) })}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              mt={28}
              aria-label={t('sign_on.remove_rule')}
              onClick={() => set(rules.filter((_, place) => place !== at))}
            >
              <IconTrash size={16} stroke={1.6} />
            </ActionIcon>
          </Group>
        ))}
        {form.errors['role_rules'] && (
          <Text size="xs" c="var(--mantine-color-error)" role="alert">
            {form.errors['role_rules']}
          </Text>
        )}
        <Group>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconPlus size={14} stroke={1.6} />}
            onClick={() => set([...rules, { group: '', role_id: null, department_id: null }])}
          >
            {t('sign_on.add_rule')}
          </Button>
        </Group>
      </Stack>
    </Fieldset>
  );
}
