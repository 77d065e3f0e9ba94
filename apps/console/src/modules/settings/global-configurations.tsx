import { keyIn } from '@heliograph/contract/kernel/message-keys';
import { settingOf } from '@heliograph/contract/kernel/operator-settings';
import { globalConfiguration } from '@heliograph/contract/settings/global-configuration';
import { ColorSwatch, Group, Text } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import i18next from 'i18next';
import { useTranslation } from 'react-i18next';
import { useMay } from '../../platform/session.ts';
import { labelOf } from '../../resource/columns.tsx';
import { fieldsOf } from '../../resource/fields.tsx';
import { useFormState } from '../../resource/form.tsx';
import { ResourceList } from '../../resource/resource-list.tsx';
import { SettingControl, said } from './setting-control.tsx';
import { SettingsPage } from './settings-page.tsx';

const Field = fieldsOf(globalConfiguration.create);

/** Screen of the platform's settings: a page in sections, or all keys as a table. */
export function GlobalConfigurations() {
  const { view } = useSearch({ strict: false }) as { view?: string };
  return view === 'table' ? <SettingsTable /> : <SettingsPage />;
}

function SettingsTable() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const maySeeHistory = useMay('activity-logs-index');
  return (
    <ResourceList
      resource={globalConfiguration}
      header={{
        crumbs: [{ label: t('menu.global-configurations'), to: '/global-configurations' }],
      }}
      columns={[
        { field: 'name', cell: (row) => said(t, row, 'name'), csv: (row) => said(t, row, 'name') },
        { field: 'value', cell: Shown, csv: (row) => row.value },
        'enabled',
        {
          field: 'description',
          cell: (row) => (
            <Text size="sm" c="dimmed" w={360} lineClamp={2} style={{ whiteSpace: 'normal' }}>
              {said(t, row, 'description')}
            </Text>
          ),
          csv: (row) => said(t, row, 'description'),
        },
        'key',
        { field: 'created_at', hidden: true },
      ]}
      filters={['enabled']}
      form={<SettingFields />}
      rowActions={(row) =>
        maySeeHistory
          ? [
              {
                label: t('resources.global-configurations.history'),
                icon: <IconHistory size={16} stroke={1.6} />,
                onClick: () =>
                  void navigate({
                    to: '/activity-logs',
                    search: { subject_type: globalConfiguration.name, subject_id: String(row.id) },
                  }),
              },
            ]
          : []
      }
    />
  );
}

function Shown({ key, value }: { key: string; value: string }) {
  const setting = settingOf(key);
  // It contains passwords.
  if (setting?.type === 'json') return value === '' ? '–' : '{…}';
  if (setting?.options) return i18next.t(keyIn('configuration_option', value), { defaultValue: value });
  if (value === '') return '–';
  if (setting?.type !== 'color')
    return (
      <Text span inherit truncate display="block" maw="40ch" title={value}>
        {value}
      </Text>
    );
  return (
    <Group gap={6} wrap="nowrap">
      <ColorSwatch color={value} size={16} />
      {value}
    </Group>
  );
}

/** Form of a setting. The program provides the name and description of the settings that it reads. */
function SettingFields() {
  const { t } = useTranslation();
  const { row } = useFormState();
  const own = row === null || !settingOf(String(row['key']));
  return (
    <>
      {own ? (
        <>
          <Field.Text name="name" autoFocus />
          <Field.Text name="key" />
        </>
      ) : (
        <Text size="sm">{said(t, row as { key: string; name: string; description: string }, 'description')}</Text>
      )}
      <SettingValue />
      {own && <Field.Textarea name="description" />}
      <Field.Switch name="enabled" />
    </>
  );
}

/** Field for the value of a setting, with an input of the setting's type. */
function SettingValue() {
  const form = useFormState();
  return (
    <SettingControl
      setting={settingOf(String(form.row?.['key'] ?? form.values['key'] ?? ''))}
      label={labelOf(form.name, 'value')}
      error={form.errors['value']}
      data-field="value"
      value={String(form.values['value'] ?? '')}
      onChange={(next) => form.set('value', next)}
    />
  );
}
