import { resendOtp, verifyOtp } from '@heliograph/contract/identity/password';
import { Alert, Anchor, Button, Group, PinInput, Stack } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { sentenceOf } from '../../platform/problem.ts';
import { useSession } from '../../platform/session.ts';
import { landingPath, leave, loadProfile } from '../../platform/sign-in.ts';
import { toast } from '../../platform/toast.ts';
import { PublicPage } from './public-page.tsx';

/** Seconds between two codes. */
const PAUSE_S = 60;

export function VerifyOtp() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const started = useSession((s) => s.otpStartTime) ?? 0;
  const [code, setCode] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const [now, setNow] = useState(Date.now);
  const wait = Math.max(0, Math.ceil(PAUSE_S - (now - started) / 1000));

  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);

  async function confirm(entered: string) {
    setBusy(true);
    setError(null);
    try {
      await call(verifyOtp, { body: { code: entered } });
      await loadProfile();
      await navigate({ to: landingPath(), replace: true });
    } catch (failure) {
      setError(sentenceOf(failure));
      setCode('');
    } finally {
      setBusy(false);
    }
  }

  async function resend() {
    try {
      await call(resendOtp);
      useSession.setState({ otpStartTime: Date.now() });
      setNow(Date.now());
      void toast('success', t('otp.resent'));
    } catch (failure) {
      setError(sentenceOf(failure));
    }
  }

  return (
    <PublicPage title={t('otp.title')} text={t('otp.text')}>
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
          <Button type="submit" size="md" loading={busy} disabled={code.length < 6}>
            {t('otp.submit')}
          </Button>
          <Group justify="space-between">
            <Button variant="subtle" size="compact-sm" disabled={wait > 0} onClick={() => void resend()}>
              {wait > 0 ? t('otp.resend_in', { seconds: wait }) : t('otp.resend')}
            </Button>
            <Anchor component="button" type="button" size="sm" onClick={() => void leave()}>
              {t('otp.other_account')}
            </Anchor>
          </Group>
        </Stack>
      </form>
    </PublicPage>
  );
}
