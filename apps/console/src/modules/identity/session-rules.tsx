import { Affix, Alert, Button, Group, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../platform/format.ts';
import { useProofAsked } from '../../platform/fresh-proof.ts';
import { useSession } from '../../platform/session.ts';
import { leave } from '../../platform/sign-in.ts';
import { toast } from '../../platform/toast.ts';
import { ProofDialog } from './proof-dialog.tsx';

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

/** Parts that the rules for sign-in add to every screen: proofs, an end after a pause, and the wish for a passkey. */
export function SignInRules() {
  const profile = useSession((s) => s.profile);
  const asked = useProofAsked((s) => s.answer !== null);
  const [closed, setClosed] = useState(false);
  useIdleEnd(profile?.idle_minutes ?? null);
  return (
    <>
      {asked && <ProofDialog />}
      {profile?.passkey_needed === 'soon' && !closed && (
        <PasskeyWish day={profile.passkey_needed_from!} onClose={() => setClosed(true)} />
      )}
    </>
  );
}

function PasskeyWish({ day, onClose }: { day: string; onClose: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <Affix position={{ bottom: 16, right: 16 }} maw="calc(100vw - 32px)">
      <Alert color="yellow" withCloseButton closeButtonLabel={t('actions.close')} onClose={onClose}>
        <Group>
          <Text size="sm">{t('passkeys.add_until', { date: format.date(day) })}</Text>
          <Button component="a" href="/profile" size="xs" variant="default">
            {t('passkeys.add')}
          </Button>
        </Group>
      </Alert>
    </Affix>
  );
}
