import { activityLogs } from '@heliograph/contract/audit/activity-log';
import { keyIn } from '@heliograph/contract/kernel/message-keys';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import {
  SETTING_SECTIONS,
  SETTINGS,
  type SettingSection,
  settingOf,
  settingsForm,
} from '@heliograph/contract/kernel/operator-settings';
import { globalConfiguration } from '@heliograph/contract/settings/global-configuration';
import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { IconTable } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { CallError, problemFrom } from '../../platform/problem.ts';
import { useMay } from '../../platform/session.ts';
import { toast } from '../../platform/toast.ts';
import { RecordForm, useFormState, useUnsavedGuard } from '../../resource/form.tsx';
import { FormSections } from '../../resource/form-page.tsx';
import type { Values } from '../../resource/form-values.ts';
import { LoadError } from '../../resource/load-error.tsx';
import { Link } from '../../ui/link.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { TableSkeleton } from '../../ui/table-parts.tsx';
import { SettingControl, said } from './setting-control.tsx';

type Row = ReplyOf<typeof globalConfiguration.get>['data'];
type Rows = ReadonlyMap<string, Row>;
interface Change {
  who: string;
  at: string;
}

/** Keys of the settings that the page shows, by section. */
const KEYS = Object.groupBy(Object.keys(SETTINGS), (key) => SETTINGS[key]!.section ?? 'none');

/** Page of the platform's settings in sections, each with an input of its kind, its default and its last change. */
export function SettingsPage() {
  const { t } = useTranslation();
  const query = useQuery({
    queryKey: [globalConfiguration.name, 'all'],
    queryFn: ({ signal }) => call(globalConfiguration.list, { query: { per_page: 200 }, signal }),
  });
  const rows = query.data?.data;
  return (
    <>
      <PageHeader
        title={t('menu.global-configurations')}
        subtitle={t('resources.global-configurations.empty')}
        actions={
          <Button
            component={Link}
            to="/global-configurations"
            search={{ view: 'table' }}
            variant="default"
            leftSection={<IconTable size={16} stroke={1.6} aria-hidden />}
          >
            {t('settings.advanced')}
          </Button>
        }
      />
      {query.error && !rows && <LoadError error={query.error} retry={() => void query.refetch()} />}
      {!rows && !query.error && <TableSkeleton />}
      {rows && <SettingsForm rows={new Map(rows.map((row) => [row.key, row]))} />}
    </>
  );
}

/** Returns the value in effect: the default, for a setting that is disabled or missing. */
const effective = (rows: Rows, key: string) => {
  const row = rows.get(key);
  return row?.enabled ? row.value : SETTINGS[key]!.standard;
};

function SettingsForm({ rows }: { rows: Rows }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const changes = useChanges();
  const mayEdit = useMay(globalConfiguration.permissions.edit);
  const [dirty, setDirty] = useState(false);
  const [turn, setTurn] = useState(0);
  useUnsavedGuard(dirty);
  // The demo's settings exist only in a demo.
  const sections = SETTING_SECTIONS.filter((section) => KEYS[section]?.some((key) => rows.has(key)));
  const keys = sections.flatMap((section) => KEYS[section] ?? []).filter((key) => rows.has(key));
  const all = keys.join(' ');
  const schema = useMemo(() => settingsForm(all.split(' ')), [all]);

  async function save(values: Values) {
    const faults: Record<string, string[]> = {};
    let failed: CallError | undefined;
    for (const key of keys.filter((each) => values[each] !== effective(rows, each))) {
      const { id, etag: ifMatch } = rows.get(key)!;
      try {
        const body = { value: String(values[key]), enabled: true };
        await call(globalConfiguration.updateOne, { params: { id }, body, ifMatch });
      } catch (error) {
        if (!(error instanceof CallError)) throw error;
        failed ??= error;
        const fault = problemFrom(error)?.errors?.['value'];
        if (fault) faults[key] = [...fault];
      }
    }
    await client.invalidateQueries({ queryKey: [globalConfiguration.name] });
    void client.invalidateQueries({ queryKey: ['settings', 'changes'] });
    if (failed) throw new CallError({ ...failed.problem, errors: faults });
    setDirty(false);
    setTurn((before) => before + 1);
    void toast('success', t('settings.saved'));
  }

  return (
    <RecordForm
      key={turn}
      page
      name="settings"
      schema={schema}
      initial={Object.fromEntries(keys.map((key) => [key, effective(rows, key)]))}
      submitLabel={t('actions.save')}
      submit={save}
      onCancel={() => setTurn((before) => before + 1)}
      onDirty={setDirty}
    >
      <FormSections
        groups={sections.map((section) => ({
          group: section,
          title: t(`setting_section.${section}`),
          fields: KEYS[section] ?? [],
          content: <SettingFields section={section} rows={rows} changes={changes} mayEdit={mayEdit} />,
        }))}
      />
    </RecordForm>
  );
}

interface FieldsProps {
  section: SettingSection;
  rows: Rows;
  changes: ReadonlyMap<number | null, Change>;
  mayEdit: boolean;
}

function SettingFields({ section, rows, changes, mayEdit }: FieldsProps) {
  const { t } = useTranslation();
  const form = useFormState();
  return (
    <Stack gap="lg">
      {(KEYS[section] ?? [])
        .filter((key) => rows.has(key))
        .map((key) => (
          <div key={key} style={{ maxWidth: 480 }}>
            <SettingControl
              setting={settingOf(key)}
              label={said(t, rows.get(key)!, 'name')}
              description={said(t, rows.get(key)!, 'description')}
              error={form.errors[key]}
              disabled={!mayEdit}
              data-field={key}
              value={String(form.values[key] ?? '')}
              onChange={(value) => form.set(key, value)}
            />
            <Origin name={key} change={changes.get(rows.get(key)!.id)} mayEdit={mayEdit} />
          </div>
        ))}
    </Stack>
  );
}

/** Line below a setting: its default, and who changed it when. */
function Origin({ name, change, mayEdit }: { name: string; change: Change | undefined; mayEdit: boolean }) {
  const { t } = useTranslation();
  const format = useFormat();
  const form = useFormState();
  const shown = useShown();
  const { standard } = SETTINGS[name]!;
  return (
    <Group gap="xs" mt={6}>
      <Text size="xs" c="dimmed">
        {t('settings.standard', { value: shown(name, standard) })}
        {change && ` · ${t('settings.changed', { who: change.who, time: format.instant(change.at) })}`}
      </Text>
      {mayEdit && form.values[name] !== standard && (
        <Anchor component="button" type="button" size="xs" onClick={() => form.set(name, standard)}>
          {t('settings.use_standard')}
        </Anchor>
      )}
    </Group>
  );
}

/** Returns a function that writes a setting's value for a person. */
function useShown(): (key: string, value: string) => string {
  const { t } = useTranslation();
  return (key, value) => {
    const setting = settingOf(key);
    if (value === '') return t('settings.empty');
    if (setting?.options) return t(keyIn('configuration_option', value));
    if (setting?.zero && value === '0') return t(keyIn('configuration_zero', setting.zero));
    return setting?.unit ? `${value} ${t(keyIn('configuration_unit', setting.unit))}` : value;
  };
}

/** Returns the last change of each setting by its id, if the person may read the activity log. */
function useChanges(): ReadonlyMap<number | null, Change> {
  const { t } = useTranslation();
  const allowed = useMay('activity-logs-index');
  const { data } = useQuery({
    queryKey: ['settings', 'changes'],
    queryFn: ({ signal }) =>
      call(activityLogs, { query: { subject_type: globalConfiguration.name, limit: 100 }, signal }),
    enabled: allowed,
  });
  // The newest entry comes first, and the last one for an id stays in the map.
  return new Map(
    (data?.data ?? [])
      .toReversed()
      .map((entry) => [entry.subject_id, { who: entry.causer_name ?? t('activity.system'), at: entry.created_at }]),
  );
}
