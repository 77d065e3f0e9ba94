import { Anchor, Group, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { leave, loadProfile, pathAfterSignIn } from '../../platform/sign-in.ts';
import { AddPasskey } from './passkeys.tsx';
import { passkeysWork } from './passkeys-work.ts';
import { PublicPage } from './public-page.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';

/** Screen for people who must add a passkey before anything else. */
export function AddPasskeyPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [codes, setCodes] = useState<string[] | null>(null);
  async function enter() {
    await loadProfile();
    await navigate({ to: pathAfterSignIn(), replace: true });
  }
  if (codes)
    return (
      <PublicPage title={t('two_factor.recovery_title')}>
        <RecoveryCodes codes={codes} onDone={() => void enter()} />
      </PublicPage>
    );
  return (
    <PublicPage title={t('menu.add-passkey')} text={t('passkeys.must_add')}>
      {passkeysWork() ? (
        <AddPasskey onCodes={(made) => (made.length > 0 ? setCodes(made) : void enter())} />
      ) : (
        <Text size="sm">{t('passkeys.unavailable')}</Text>
      )}
      <Group justify="flex-end" mt="md">
        <Anchor component="button" type="button" size="sm" onClick={() => void leave()}>
          {t('otp.other_account')}
        </Anchor>
      </Group>
    </PublicPage>
  );
}
