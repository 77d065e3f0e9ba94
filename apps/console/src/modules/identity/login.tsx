import { signIn } from '@heliograph/contract/identity/session';
import { keyIn } from '@heliograph/contract/kernel/message-keys';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { Alert, Anchor, Button, Group, PasswordInput, Stack, Text, TextInput, UnstyledButton } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type FormEvent, Suspense, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { lazyPart } from '../../platform/connection.ts';
import { problemFrom, sentenceOf } from '../../platform/problem.ts';
import { isScreen } from '../../platform/return-place.ts';
import { keepSignIn, useSession } from '../../platform/session.ts';
import { loadProfile, pathAfterSignIn } from '../../platform/sign-in.ts';
import { useAppName } from '../../platform/title.ts';
import { Link } from '../../ui/link.tsx';
import classes from './login.module.css';
import { passkeysWork } from './passkeys-work.ts';
import { PublicPage } from './public-page.tsx';

// Most of its code is the browser library, which the sign-in does not wait for.
const CompanySignIn = lazyPart(async () => (await import('./company-sign-in.tsx')).CompanySignIn);
const PasskeySignIn = lazyPart(async () => (await import('./passkey-sign-in.tsx')).PasskeySignIn);

export function Login() {
  const { t } = useTranslation();
  const name = useAppName();
  const navigate = useNavigate();
  const search = useSearch({ strict: false }) as { from?: string };
  const demo = useSession((s) => s.pageConfigurations?.demo_logins) ?? [];
  const ofCompanies = useSession((s) => s.pageConfigurations?.company_sign_in) === true;
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const submit = useRef<HTMLButtonElement>(null);

  async function open(reply: ReplyOf<typeof signIn>) {
    keepSignIn(reply);
    if (!reply.verified) return await navigate({ to: '/verify-otp' });
    await loadProfile();
    const kept = pathAfterSignIn();
    await navigate({ to: wanted(search.from) ?? kept, replace: true });
  }

  async function run(work: () => Promise<unknown>) {
    setBusy(true);
    setError(null);
    try {
      await work();
    } catch (failure) {
      if (problemFrom(failure)?.code === 'password_expired') {
        useSession.setState({ token: null, refresh_token: null, expires_in: null, expires_at: null });
        return await navigate({ to: '/reset-expired-password', state: { username: username.trim() } });
      }
      setError(sentenceOf(failure));
    } finally {
      setBusy(false);
    }
  }

  function enter(event: FormEvent) {
    event.preventDefault();
    void run(async () => open(await call(signIn, { body: { username: username.trim(), password } })));
  }

  return (
    <PublicPage
      title={t('signin.title', { name })}
      text={t('signin.subtitle')}
      aside={
        demo.length > 0 && (
          <Stack gap={6} className={`app-card ${classes.demo}`}>
            <div>
              <Text fw={600} size="sm">
                {t('signin.demo_title')}
              </Text>
              <Text size="xs" c="dimmed">
                {t('signin.demo_hint')}
              </Text>
            </div>
            {demo.map((login) => (
              <UnstyledButton
                key={login.username}
                className={classes.login}
                onClick={() => {
                  setUsername(login.username);
                  setPassword(login.password);
                  setError(null);
                  submit.current?.focus();
                }}
              >
                <Text size="sm" fw={500}>
                  {t(keyIn('roles', login.role), { defaultValue: login.role })}
                </Text>
                <Text size="xs" c="dimmed" truncate>
                  {login.username}
                </Text>
              </UnstyledButton>
            ))}
          </Stack>
        )
      }
    >
      <form onSubmit={(event) => void enter(event)}>
        <Stack gap="md">
          {error && (
            <Alert color="red" variant="light" role="alert">
              {error}
            </Alert>
          )}
          <TextInput
            label={t('signin.username')}
            type="email"
            name="username"
            autoComplete="username webauthn"
            size="md"
            required
            withAsterisk={false}
            autoFocus
            value={username}
            onChange={(event) => setUsername(event.currentTarget.value)}
          />
          <PasswordInput
            label={t('signin.password')}
            name="password"
            autoComplete="current-password"
            size="md"
            required
            withAsterisk={false}
            visibilityToggleButtonProps={{ 'aria-label': t('signin.show_password') }}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          <Button ref={submit} type="submit" size="md" loading={busy} fullWidth>
            {t('signin.submit')}
          </Button>
          {passkeysWork() && (
            <Suspense fallback={null}>
              <PasskeySignIn busy={busy} run={(work) => void run(work)} onSignedIn={open} onFault={setError} />
            </Suspense>
          )}
          {ofCompanies && (
            <Suspense fallback={null}>
              <CompanySignIn
                email={username.trim()}
                from={search.from}
                busy={busy}
                run={(work) => void run(work)}
                onFault={setError}
              />
            </Suspense>
          )}
          <Group justify="center">
            <Anchor component={Link} to="/forgot-password" size="sm">
              {t('signin.forgot')}
            </Anchor>
          </Group>
        </Stack>
      </form>
    </PublicPage>
  );
}

/** Returns the screen that the user wanted to open, if it is one of the console's screens. */
function wanted(from: string | undefined): string | undefined {
  return from && isScreen(from) ? from : undefined;
}
