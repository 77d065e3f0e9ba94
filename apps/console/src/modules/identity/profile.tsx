import { keyIn } from '@heliograph/contract/kernel/message-keys';
import { Badge, Grid, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useZone } from '../../platform/format.ts';
import { useSession } from '../../platform/session.ts';
import { IS_SUPPORT } from '../../platform/support-tab.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { Section } from '../../ui/section.tsx';
import { ChangePassword } from './change-password.tsx';
import { Passkeys } from './passkeys.tsx';
import { Picture } from './picture.tsx';
import { Look, Notices } from './preferences.tsx';
import { type Person, ProfileForm } from './profile-form.tsx';
import { Sessions } from './sessions.tsx';
import { SupportAccess } from './support-access.tsx';
import { TwoFactor } from './two-factor.tsx';

/** Screen of the user's own profile, sign-in settings and sessions. */
export function Profile() {
  const { t } = useTranslation();
  const profile = useSession((s) => s.profile);
  if (!profile) return null;
  return (
    <>
      <PageHeader title={t('profile.title')} />
      <Grid gap="md">
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Stack gap="md">
            <Section title={t('profile.about')}>
              <Picture />
              <ProfileForm key={profile.id} profile={profile} />
            </Section>
            <Section title={t('preferences.title')}>
              <Look />
            </Section>
            <Section title={t('password.change')}>
              <ChangePassword username={profile.email} />
            </Section>
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Stack gap="md">
            <Section title={t('profile.rights')}>
              <Rights profile={profile} />
            </Section>
            <Section title={t('notices.title')}>
              <Notices />
            </Section>
            {!IS_SUPPORT && (
              <>
                <TwoFactor />
                <Passkeys />
                <SupportAccess />
                <Sessions />
              </>
            )}
          </Stack>
        </Grid.Col>
      </Grid>
    </>
  );
}

function Rights({ profile }: { profile: Person }) {
  const { t } = useTranslation();
  const roles = useSession((s) => s.roles);
  const zone = useZone();
  const count = useSession((s) => s.permissions.length);
  return (
    <Stack gap="sm">
      <Line label={t('profile.roles')}>
        <Group gap={4} justify="flex-end">
          {roles.map((role) => (
            <Badge key={role} variant="light">
              {t(keyIn('roles', role), { defaultValue: role })}
            </Badge>
          ))}
        </Group>
      </Line>
      <Line label={t('menu.permissions')}>
        {profile.unlimited ? t('profile.unlimited') : t('profile.permissions', { count })}
      </Line>
      {profile.corporation_name && <Line label={t('profile.corporation')}>{profile.corporation_name}</Line>}
      {profile.department_name && <Line label={t('profile.department')}>{profile.department_name}</Line>}
      <Line label={t('profile.timezone')}>{zone}</Line>
      <Line label={t('profile.currency')}>{profile.currency}</Line>
    </Stack>
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
