import { beginPasskeyCheck, checkPasskey } from '@heliograph/contract/identity/passkey';
import { resendOtp, verifyOtp } from '@heliograph/contract/identity/password';
import { Alert, Anchor, Button, Group, PinInput, Stack, Text, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { sentenceOf } from '../../platform/problem.ts';
import { useSession } from '../../platform/session.ts';
import { leave, loadProfile, pathAfterSignIn } from '../../platform/sign-in.ts';
import { toast } from '../../platform/toast.ts';
import { AddPasskeyPage } from './add-passkey.tsx';
import { passkeyHost, provePasskey } from './passkey-browser.ts';
import { passkeysWork } from './passkeys-work.ts';
import { PublicPage } from './public-page.tsx';

/** Minimum seconds between two codes. */
const PAUSE_S = 60;

/** Last step of the sign-in: the second factor, or the passkey that a person must add first. */
export function VerifyOtp() {
  const needsPasskey = useSession((s) => s.isLoggedIn && s.profile?.passkey_needed === 'now');
  return needsPasskey ? <AddPasskeyPage /> : <Factor />;
}

/**
 * Second factor of the sign-in: a passkey, a code by message, a code of the authenticator app, or a recovery code.
 */
function Factor() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const factor = useSession((s) => s.secondFactor) ?? 'otp';
  const [recovering, setRecovering] = useState(false);
  const [code, setCode] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const way = !recovering ? factor : factor === 'passkey' ? 'other' : 'recovery';

  async function prove(work: () => Promise<unknown>) {
    setBusy(true);
    setError(null);
    try {
      await work();
      await loadProfile();
      await navigate({ to: pathAfterSignIn(), replace: true });
    } catch (failure) {
      setError(failure instanceof Stopped ? t('passkeys.stopped') : sentenceOf(failure));
      setCode('');
    } finally {
      setBusy(false);
    }
  }
  const confirm = (entered: string) => prove(() => call(verifyOtp, { body: { code: entered } }));

  const titles = {
    otp: 'otp.title',
    totp: 'otp.totp_title',
    passkey: 'otp.passkey_title',
    recovery: 'otp.recovery',
    other: 'otp.other_way',
  } as const;
  const texts = {
    otp: 'otp.text',
    totp: 'otp.totp_text',
    passkey: 'otp.passkey_text',
    recovery: 'otp.recovery_text',
    other: 'otp.other_text',
  } as const;
  const alternatives = { totp: 'otp.recovery', passkey: 'otp.other_way' } as const;
  const returns = { totp: 'otp.use_app', passkey: 'otp.use_passkey' } as const;
  return (
    <PublicPage title={t(titles[way])} text={t(texts[way])}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void (way === 'passkey' ? prove(checkByPasskey) : confirm(code));
        }}
      >
        <Stack gap="md">
          {error && (
            <Alert color="red" role="alert">
              {error}
            </Alert>
          )}
          {way === 'passkey' && !passkeysWork() && <Text size="sm">{t('passkeys.unavailable')}</Text>}
          {recovering && (
            <TextInput
              label={t(way === 'other' ? 'otp.other_label' : 'otp.recovery_label')}
              size="md"
              autoFocus
              autoComplete="off"
              value={code}
              onChange={(event) => setCode(event.currentTarget.value.toUpperCase())}
            />
          )}
          {(way === 'otp' || way === 'totp') && (
            <PinInput
              length={6}
              type="number"
              oneTimeCode
              autoFocus
              size="lg"
              gap={8}
              aria-label={t('otp.code')}
              getInputProps={(index) => ({ 'aria-label': `${t('otp.code')} ${index + 1}` })}
              styles={{ root: { justifyContent: 'center' } }}
              value={code}
              onChange={setCode}
              onComplete={(value) => void confirm(value)}
            />
          )}
          {way === 'passkey' ? (
            <Button type="submit" size="md" loading={busy} disabled={!passkeysWork()} autoFocus>
              {t('passkeys.check')}
            </Button>
          ) : (
            <Button type="submit" size="md" loading={busy} disabled={code.length < (way === 'recovery' ? 10 : 6)}>
              {t('otp.submit')}
            </Button>
          )}
          <Group justify="space-between">
            {factor !== 'otp' ? (
              <Button
                variant="subtle"
                size="compact-sm"
                onClick={() => {
                  setRecovering(!recovering);
                  setCode('');
                  setError(null);
                }}
              >
                {t((recovering ? returns : alternatives)[factor])}
              </Button>
            ) : (
              <Resend onError={setError} />
            )}
            <Anchor component="button" type="button" size="sm" onClick={() => void leave()}>
              {t('otp.other_account')}
            </Anchor>
          </Group>
        </Stack>
      </form>
    </PublicPage>
  );
}

/** Thrown if the user closes the browser's dialog for a passkey. */
class Stopped extends Error {}

async function checkByPasskey(): Promise<void> {
  const host = passkeyHost();
  const { options } = await call(beginPasskeyCheck, { body: { host } });
  const proof = await provePasskey(options);
  if (typeof proof === 'string') throw new Stopped();
  await call(checkPasskey, { body: { host, credential: proof.answer } });
}

/** Requests a new code, at most once a minute. */
function Resend(props: { onError: (text: string) => void }) {
  const { t } = useTranslation();
  const started = useSession((s) => s.otpStartTime) ?? 0;
  const [now, setNow] = useState(Date.now);
  const wait = Math.max(0, Math.ceil(PAUSE_S - (now - started) / 1000));

  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);

  async function resend() {
    try {
      await call(resendOtp);
      useSession.setState({ otpStartTime: Date.now() });
      setNow(Date.now());
      void toast('success', t('otp.resent'));
    } catch (failure) {
      props.onError(sentenceOf(failure));
    }
  }

  return (
    <Button variant="subtle" size="compact-sm" disabled={wait > 0} onClick={() => void resend()}>
      {wait > 0 ? t('otp.resend_in', { seconds: wait }) : t('otp.resend')}
    </Button>
  );
}
