import { resendOtp, verifyOtp } from '@heliograph/contract/identity/password';
import { Alert, Anchor, Button, Group, PinInput, Stack, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { sentenceOf } from '../../platform/problem.ts';
import { useSession } from '../../platform/session.ts';
import { leave, loadProfile, pathAfterSignIn } from '../../platform/sign-in.ts';
import { toast } from '../../platform/toast.ts';
import { PublicPage } from './public-page.tsx';

/** Minimum seconds between two codes. */
const PAUSE_S = 60;

/** Second factor of the sign-in: a code by message, a code of the authenticator app, or a recovery code. */
export function VerifyOtp() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const byApp = useSession((s) => s.secondFactor) === 'totp';
  const [recovering, setRecovering] = useState(false);
  const [code, setCode] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const way = recovering ? 'recovery' : byApp ? 'totp' : 'otp';

  async function confirm(entered: string) {
    setBusy(true);
    setError(null);
    try {
      await call(verifyOtp, { body: { code: entered } });
      await loadProfile();
      await navigate({ to: pathAfterSignIn(), replace: true });
    } catch (failure) {
      setError(sentenceOf(failure));
      setCode('');
    } finally {
      setBusy(false);
    }
  }

  const titles = { otp: 'otp.title', totp: 'otp.totp_title', recovery: 'otp.recovery' } as const;
  const texts = { otp: 'otp.text', totp: 'otp.totp_text', recovery: 'otp.recovery_text' } as const;
  return (
    <PublicPage title={t(titles[way])} text={t(texts[way])}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void confirm(code);
        }}
      >
        <Stack gap="md">
          {error && (
            <Alert color="red" role="alert">
              {error}
            </Alert>
          )}
          {recovering ? (
            <TextInput
              label={t('otp.recovery_label')}
              size="md"
              autoFocus
              autoComplete="off"
              value={code}
              onChange={(event) => setCode(event.currentTarget.value.toUpperCase())}
            />
          ) : (
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
          <Button type="submit" size="md" loading={busy} disabled={code.length < (recovering ? 10 : 6)}>
            {t('otp.submit')}
          </Button>
          <Group justify="space-between">
            {byApp ? (
              <Button
                variant="subtle"
                size="compact-sm"
                onClick={() => {
                  setRecovering(!recovering);
                  setCode('');
                  setError(null);
                }}
              >
                {t(recovering ? 'otp.use_app' : 'otp.recovery')}
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
