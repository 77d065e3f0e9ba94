import {
  DATE_FORMATS,
  MAIL_KINDS,
  PAGE_SIZES,
  type Preferences,
  USUAL_PREFERENCES,
} from '@heliograph/contract/identity/preferences';
import { updateProfile } from '@heliograph/contract/identity/session';
import { TIME_ZONES } from '@heliograph/contract/kernel/time-zones';
import { Fieldset, Select, Stack, Switch, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../platform/action.ts';
import { call } from '../../platform/call.ts';
import { switchDesktop, useDesktop } from '../../platform/desktop.ts';
import { writerOf } from '../../platform/format.ts';
import { languageTag } from '../../platform/language.ts';
import { useSession } from '../../platform/session.ts';
import { loadProfile } from '../../platform/sign-in.ts';
import { toast } from '../../platform/toast.ts';
import { DeviceNotices } from './device-notices.tsx';

/** Value of the choice to follow the corporation. */
const OWN = '';

/** Returns the preferences and a function that saves a change immediately. */
function useKeep() {
  const { t } = useTranslation();
  const { busy, run } = useAction();
  const preferences = useSession((s) => s.profile?.preferences) ?? USUAL_PREFERENCES;
  const keep = (change: Partial<Preferences>) =>
    run(async () => {
      await call(updateProfile, { body: { preferences: change } });
      await loadProfile();
      void toast('success', t('preferences.saved'));
    });
  return { preferences, busy, keep };
}

/** Section for the look of the console. Each choice applies immediately. */
export function Look() {
  const { t } = useTranslation();
  const { preferences, busy, keep } = useKeep();
  const own = useSession((s) => s.corporationTimeZone);
  const zone = preferences.timezone ?? own;
  const example = (style: Preferences['date_format']) => writerOf(languageTag(), zone, style)(new Date());
  const common = { allowDeselect: false, disabled: busy } as const;
  return (
    <Stack>
      <Select
        {...common}
        label={t('preferences.page_size')}
        data={PAGE_SIZES.map(String)}
        value={String(preferences.page_size)}
        onChange={(size) => void keep({ page_size: Number(size) as Preferences['page_size'] })}
      />
      <Select
        {...common}
        label={t('preferences.timezone')}
        description={t('preferences.timezone_hint')}
        searchable
        limit={100}
        nothingFoundMessage={t('form.nothing_found')}
        data={[
          { value: OWN, label: t('preferences.timezone_own', { zone: own }) },
          ...TIME_ZONES.map((value) => ({ value, label: value })),
        ]}
        value={preferences.timezone ?? OWN}
        onChange={(value) => void keep({ timezone: value || null })}
      />
      <Select
        {...common}
        label={t('preferences.date_format')}
        data={DATE_FORMATS.map((value) => ({
          value,
          label: t('preferences.example', { style: t(`preferences.date.${value}`), example: example(value) }),
        }))}
        value={preferences.date_format}
        onChange={(value) => void keep({ date_format: value as Preferences['date_format'] })}
      />
    </Stack>
  );
}

/** Section for the notifications that the user receives, and their channels. */
export function Notices() {
  const { t } = useTranslation();
  const { preferences, busy, keep } = useKeep();
  const { mail_kinds } = preferences;
  const standing = useDesktop((s) => s.standing);
  return (
    <Stack>
      <Fieldset legend={t('notices.mail')} variant="unstyled">
        <Stack gap="sm">
          {MAIL_KINDS.map((kind) => (
            <Switch
              key={kind}
              label={t(`notices.kind.${kind}`)}
              disabled={busy}
              checked={mail_kinds.includes(kind)}
              onChange={({ currentTarget: { checked } }) =>
                void keep({
                  mail_kinds: MAIL_KINDS.filter((each) => (each === kind ? checked : mail_kinds.includes(each))),
                })
              }
            />
          ))}
        </Stack>
      </Fieldset>
      <Fieldset legend={t('notices.desktop')} variant="unstyled">
        <Switch
          label={t('notices.desktop_on')}
          disabled={standing === 'unavailable' || standing === 'blocked'}
          checked={standing === 'on'}
          onChange={({ currentTarget: { checked } }) => void switchDesktop(checked)}
        />
        <Text size="xs" c="dimmed" mt={6} role="status">
          {standing === 'off' && t('notices.desktop_ask')}
          {standing === 'blocked' && t('notices.desktop_blocked')}
          {standing === 'unavailable' && t('notices.desktop_unavailable')}
        </Text>
      </Fieldset>
      <DeviceNotices />
    </Stack>
  );
}
