import { MENU_ACTIONS, menu, menusRenderForm } from '@heliograph/contract/access/menu';
import { LOCALE_NAMES, LOCALES } from '@heliograph/contract/kernel/scope';
import { Checkbox, Group, Input, SimpleGrid, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { menuLabel } from '../../platform/menu-label.ts';
import { labelOf } from '../../resource/columns.tsx';
import { fieldsOf } from '../../resource/fields.tsx';
import { useFormState } from '../../resource/form.tsx';
import { ChoiceField } from './choice-field.tsx';
import { actionLabel } from './matrix-groups.ts';

const Field = fieldsOf(menu.create);

/** Fields of a menu entry. */
export function MenuFields() {
  const form = useFormState();
  const parents = useQuery({
    queryKey: ['menus', 'parents'],
    queryFn: ({ signal }) => call(menusRenderForm, { signal }),
  }).data?.parentMenus;
  const builtIn = form.row?.['built_in'] === true;
  return (
    <>
      <Field.Text name="title" autoFocus disabled={builtIn} />
      <Field.Text name="url" disabled={builtIn} />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <ChoiceField
          name="parent_id"
          data={(parents ?? [])
            .filter(({ id }) => id !== form.row?.['id'])
            .map((entry) => ({ value: entry.id, label: menuLabel(entry) }))}
        />
        <Field.Number name="position" />
      </SimpleGrid>
      <LabelsField />
      <PermissionsField />
      <Field.Text name="custom_permissions" />
    </>
  );
}

/** Field for the title in each language. */
function LabelsField() {
  const { t } = useTranslation();
  const form = useFormState();
  const labels = (form.values['labels'] as Record<string, string> | null) ?? {};
  const change = (locale: string, text: string) => {
    const next = Object.fromEntries(Object.entries({ ...labels, [locale]: text }).filter(([, value]) => value !== ''));
    form.set('labels', Object.keys(next).length > 0 ? next : null);
  };
  return (
    <Input.Wrapper
      label={labelOf('menus', 'labels')}
      description={t('resources.menus.hints.labels')}
      error={form.errors['labels']}
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }} mt={6} spacing="xs">
        {LOCALES.map((locale) => (
          <TextInput
            key={locale}
            aria-label={t('menus.title_in', { language: LOCALE_NAMES[locale] })}
            placeholder={t('menus.title_in', { language: LOCALE_NAMES[locale] })}
            error={form.errors[`labels.${locale}`]}
            value={labels[locale] ?? ''}
            onChange={(event) => change(locale, event.currentTarget.value)}
          />
        ))}
      </SimpleGrid>
    </Input.Wrapper>
  );
}

/** Field for the permissions that are created with a new entry. */
function PermissionsField() {
  const form = useFormState();
  if (!form.schema.shape['permissions']) return null;
  return (
    <Checkbox.Group
      label={labelOf('menus', 'permissions')}
      value={(form.values['permissions'] as string[] | null) ?? []}
      onChange={(next) => form.set('permissions', next)}
    >
      <Group gap="md" mt={6}>
        {MENU_ACTIONS.map((action) => (
          <Checkbox key={action} value={action} label={actionLabel(action)} />
        ))}
      </Group>
    </Checkbox.Group>
  );
}
