import { forgotPassword, resetExpiredPassword, resetPassword } from '@heliograph/contract/identity/password';
import { Alert, Anchor, Button, Group, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useLocation, useNavigate, useSearch } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../platform/action.ts';
import { call } from '../../platform/call.ts';
import { problemFrom } from '../../platform/problem.ts';
import { useSession } from '../../platform/session.ts';
import { toast } from '../../platform/toast.ts';
import { Link } from '../../ui/link.tsx';
import { PublicPage } from './public-page.tsx';

/** Texts for each second factor; only a code can be entered here. */
const FACTOR_TEXTS = { otp: 'otp.text', totp: 'otp.totp_text', passkey: 'otp.other_text' } as const;

function BackToSignIn() {
  const { t } = useTranslation();
  return (
    <Group justify="center">
      <Anchor component={Link} to="/login" size="sm">
        {t('password.back')}
      </Anchor>
    </Group>
  );
}

export function ForgotPassword() {
  const { t } = useTranslation();
  const { busy, failure, errors, run } = useAction('form');
  const [email, setEmail] = useState('');
  const [done, setDone] = useState(false);
  const send = (event: FormEvent) => {
    event.preventDefault();
    void run(async () => {
      await call(forgotPassword, { body: { email } });
      setDone(true);
    });
  };
  return (
    <PublicPage title={t('menu.forgot-password')} text={t('password.forgot_text')}>
      {done ? (
        <Alert color="teal" role="status">
          {t('password.forgot_done')}
        </Alert>
      ) : (
        <form onSubmit={send}>
          <Stack>
            {failure && (
              <Alert color="red" role="alert">
                {failure}
              </Alert>
            )}
            <TextInput
              label={t('signin.username')}
              type="email"
              autoComplete="username"
              size="md"
              required
              withAsterisk={false}
              autoFocus
              error={errors.email?.[0]}
              value={email}
              onChange={(event) => setEmail(event.currentTarget.value)}
            />
            <Button type="submit" size="md" loading={busy}>
              {t('password.forgot_submit')}
            </Button>
          </Stack>
        </form>
      )}
      <BackToSignIn />
    </PublicPage>
  );
}

/**
 * Form for a new password, which is typed twice. It shows the operator's default rule; the server applies the rule in
 * force.
 */
function NewPassword(props: {
  text: string;
  withCurrent?: boolean;
  /** Extra fields, below the password fields. */
  more?: ReactNode;
  /** Returns false if another input is needed before the password is replaced. */
  save: (password: string, confirmation: string, current: string) => Promise<boolean>;
}) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { busy, failure, errors, run } = useAction('form');
  const [mismatch, setMismatch] = useState(false);
  const [values, setValues] = useState({ current: '', password: '', confirmation: '' });
  const field = (name: keyof typeof values) => ({
    size: 'md' as const,
    required: true,
    withAsterisk: false,
    value: values[name],
    visibilityToggleButtonProps: { 'aria-label': t('signin.show_password') },
    onChange: (event: { currentTarget: { value: string } }) => {
      const { value } = event.currentTarget;
      setValues((present) => ({ ...present, [name]: value }));
    },
  });
  const save = (event: FormEvent) => {
    event.preventDefault();
    const mismatch = values.password !== values.confirmation;
    setMismatch(mismatch);
    if (mismatch) return;
    void run(async () => {
      if (!(await props.save(values.password, values.confirmation, values.current))) return;
      useSession.setState({ token: null });
      void toast('success', t('password.done'));
      await navigate({ to: '/login', replace: true });
    });
  };
  return (
    <PublicPage title={t('menu.reset-password')} text={props.text}>
      <form onSubmit={save}>
        <Stack>
          {failure && (
            <Alert color="red" role="alert">
              {failure}
            </Alert>
          )}
          {props.withCurrent && (
            <PasswordInput
              label={t('password.current')}
              autoComplete="current-password"
              error={errors.current_password?.[0]}
              {...field('current')}
            />
          )}
          <PasswordInput
            label={t('password.new')}
            description={t('validation.password_standard')}
            autoComplete="new-password"
            error={errors.password?.[0]}
            {...field('password')}
          />
          <PasswordInput
            label={t('password.confirm')}
            autoComplete="new-password"
            error={mismatch ? t('validation.password_confirmation') : errors.password_confirmation?.[0]}
            {...field('confirmation')}
          />
          {props.more}
          <Button type="submit" size="md" loading={busy}>
            {t('password.submit')}
          </Button>
        </Stack>
      </form>
      <BackToSignIn />
    </PublicPage>
  );
}

export function ResetPassword() {
  const { t } = useTranslation();
  const { token = '' } = useSearch({ strict: false }) as { token?: string };
  return (
    <NewPassword
      text={t('password.reset_text')}
      save={async (password, password_confirmation) => {
        await call(resetPassword, { body: { token: String(token), password, password_confirmation } });
        return true;
      }}
    />
  );
}

export function ResetExpiredPassword() {
  const { t } = useTranslation();
  // The user name is kept in the state of the browser's history entry. In the address, it would appear in the logs of
  // proxies.
  const username = useLocation({ select: ({ state }) => state.username }) ?? '';
  const [waiting, setWaiting] = useState<{ factor: 'otp' | 'totp' | 'passkey'; access_token: string } | null>(null);
  const [code, setCode] = useState('');

  async function save(password: string, password_confirmation: string, current_password: string): Promise<boolean> {
    const proof = waiting && { access_token: waiting.access_token, code };
    try {
      const { second_factor, access_token } = await call(resetExpiredPassword, {
        body: { username, current_password, password, password_confirmation, ...proof },
      });
      if (second_factor === null || access_token === undefined) return true;
      setWaiting({ factor: second_factor, access_token });
      return false;
    } catch (failure) {
      setCode('');
      // The next attempt requests a new code.
      if (['otp_expired', 'otp_too_many_tries'].includes(problemFrom(failure)?.code ?? '')) setWaiting(null);
      throw failure;
    }
  }

  return (
    <NewPassword
      text={t('password.expired_text')}
      withCurrent
      save={save}
      more={
        waiting && (
          <TextInput
            label={t('otp.code')}
            description={t(FACTOR_TEXTS[waiting.factor])}
            size="md"
            required
            withAsterisk={false}
            autoFocus
            autoComplete="one-time-code"
            value={code}
            onChange={(event) => setCode(event.currentTarget.value.toUpperCase())}
          />
        )
      }
    />
  );
}
