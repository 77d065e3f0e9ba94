import { Alert, Button, Group, Text } from '@mantine/core';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../platform/format.ts';
import { useSession } from '../../platform/session.ts';
import { leave } from '../../platform/sign-in.ts';
import { toast } from '../../platform/toast.ts';
import { Link } from '../../ui/link.tsx';

const LOOK_MS = 5_000;
const SIGNS_OF_USE = ['pointerdown', 'keydown', 'wheel', 'touchstart'] as const;

/** Signs out after so many minutes without use: an open screen calls the server by itself, which is no use. */
function useIdleEnd(minutes: number | null): void {
  const { t } = useTranslation();
  useEffect(() => {
    if (minutes === null) return;
    let used = Date.now();
    const use = () => {
      used = Date.now();
    };
    for (const sign of SIGNS_OF_USE) window.addEventListener(sign, use, { passive: true });
    const timer = setInterval(() => {
      if (Date.now() - used < minutes * 60_000) return;
      clearInterval(timer);
      void leave().then(() => toast('info', t('errors.session_idle')));
    }, LOOK_MS);
    return () => {
      clearInterval(timer);
      for (const sign of SIGNS_OF_USE) window.removeEventListener(sign, use);
    };
  }, [minutes, t]);
}

/** What the rules for sign-in ask of a person who works: an end after a pause, and a passkey soon. */
export function SessionRules() {
  const { t } = useTranslation();
  const format = useFormat();
  const profile = useSession((s) => s.profile);
  useIdleEnd(profile?.idle_minutes ?? null);
  if (profile?.passkey_needed !== 'soon') return null;
  return (
    <Alert color="yellow" mb="md">
      <Group justify="space-between">
        <Text size="sm">{t('passkeys.add_until', { date: format.date(profile.passkey_needed_from!) })}</Text>
        <Button component={Link} to="/profile" size="xs" variant="default">
          {t('passkeys.add')}
        </Button>
      </Group>
    </Alert>
  );
}
