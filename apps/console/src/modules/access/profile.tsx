import { PERMISSIONS } from '@heliograph/contract/access/role-permissions';
import { updateProfile } from '@heliograph/contract/identity/session';
import { LOCALES, type Locale } from '@heliograph/contract/kernel/scope';
import { Badge, Button, Grid, Group, Paper, Select, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { chooseLocale, LOCALE_NAMES } from '../../platform/language.ts';
import { problemFrom, sentenceOf } from '../../platform/problem.ts';
import { useSession } from '../../platform/session.ts';
import { loadProfile } from '../../platform/sign-in.ts';
import { toast } from '../../platform/toast.ts';
import { PageHeader } from '../../ui/page-header.tsx';

export function Profile() {
  const { t } = useTranslation();
  const profile = useSession((s) => s.profile);
  const roles = useSession((s) => s.roles);
  const zone = useSession((s) => s.corporationTimeZone);
  const count = useSession((s) => s.permissions.length);
  if (!profile) return null;
  return (
    <>
      <PageHeader title={t('profile.title')} />
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Paper className="app-card" p="lg">
            <Text fw={600} mb="md">
              {t('profile.about')}
            </Text>
            <ProfileForm key={profile.id} profile={profile} />
          </Paper>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Paper className="app-card" p="lg">
            <Text fw={600} mb="md">
              {t('profile.rights')}
            </Text>
            <Stack gap="sm">
              <Line label={t('profile.roles')}>
                <Group gap={4} justify="flex-end">
                  {roles.map((role) => (
                    <Badge key={role} variant="light">
                      {t(`roles.${role}`, { defaultValue: role })}
                    </Badge>
                  ))}
                </Group>
              </Line>
              <Line label={t('menu.permissions')}>
                {count >= PERMISSIONS.length ? t('profile.unlimited') : t('profile.permissions', { count })}
              </Line>
              {profile.corporation_name && <Line label={t('profile.corporation')}>{profile.corporation_name}</Line>}
              {profile.department_name && <Line label={t('profile.department')}>{profile.department_name}</Line>}
              <Line label={t('profile.timezone')}>{zone}</Line>
              <Line label={t('profile.currency')}>{profile.currency}</Line>
            </Stack>
          </Paper>
        </Grid.Col>
      </Grid>
    </>
  );
}

function Line(props: { label: string; children: ReactNode }) {
  return (
    <Group justify="space-between" wrap="nowrap" gap="md">
      <Text size="sm" c="dimmed">
        {props.label}
      </Text>
      <Text size="sm" component="div" ta="right">
        {props.children}
      </Text>
    </Group>
  );
}

function ProfileForm(props: {
  profile: { name: string; email: string; phone: string | null; preferred_language: Locale };
}) {
  const { t } = useTranslation();
  const [name, setName] = useState(props.profile.name);
  const [phone, setPhone] = useState(props.profile.phone ?? '');
  const [language, setLanguage] = useState<Locale>(props.profile.preferred_language);
  const [busy, setBusy] = useState(false);
  const [errors, setErrors] = useState<Record<string, string[]>>({});
  async function save(event: FormEvent) {
    event.preventDefault();
    setBusy(true);
    setErrors({});
    try {
      await call(updateProfile, { body: { name, phone: phone.trim() || null, preferred_language: language } });
      await loadProfile();
      if (language !== props.profile.preferred_language) await chooseLocale(language);
      void toast('success', t('profile.saved'));
    } catch (error) {
      setErrors(problemFrom(error)?.errors ?? {});
      void toast('error', sentenceOf(error));
    } finally {
      setBusy(false);
    }
  }
  return (
    <form onSubmit={(event) => void save(event)}>
      <Stack>
        <TextInput
          label={t('profile.name')}
          autoComplete="name"
          required
          maxLength={100}
          error={errors.name?.[0]}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <TextInput label={t('profile.email')} value={props.profile.email} readOnly variant="filled" />
        <TextInput
          label={t('profile.phone')}
          description={t('profile.phone_hint')}
          type="tel"
          autoComplete="tel"
          maxLength={20}
          error={errors.phone?.[0]}
          value={phone}
          onChange={(event) => setPhone(event.currentTarget.value)}
        />
        <Select
          label={t('profile.language')}
          allowDeselect={false}
          data={LOCALES.map((value) => ({ value, label: LOCALE_NAMES[value] }))}
          value={language}
          onChange={(value) => value && setLanguage(value as Locale)}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={busy}>
            {t('actions.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
