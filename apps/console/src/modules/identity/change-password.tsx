import { changePassword } from '@heliograph/contract/identity/password';
import { Button, Group, PasswordInput, Stack } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../platform/action.ts';
import { call } from '../../platform/call.ts';
import { queryClient } from '../../platform/queries.ts';
import { toast } from '../../platform/toast.ts';

const EMPTY = { current_password: '', password: '', password_confirmation: '' };
type Field = keyof typeof EMPTY;

const LABELS = {
  current_password: ['password.current', 'current-password'],
  password: ['password.new', 'new-password'],
  password_confirmation: ['password.confirm', 'new-password'],
} as const satisfies Record<Field, readonly [string, string]>;

/** Form that changes the user's own password. */
export function ChangePassword(props: { username: string }) {
  const { t } = useTranslation();
  const [values, setValues] = useState(EMPTY);
  const { busy, errors, run } = useAction();

  function save(event: FormEvent) {
    event.preventDefault();
    void run(async () => {
      const { message } = await call(changePassword, { body: values });
      setValues(EMPTY);
      void toast('success', message ?? t('password.changed'));
      await queryClient.invalidateQueries({ queryKey: ['identity'] });
    });
  }

  return (
    <form onSubmit={save}>
      <Stack>
        {/* Password managers need the user name to which the password belongs. */}
        <input type="text" name="username" autoComplete="username" value={props.username} readOnly hidden />
        {(Object.keys(EMPTY) as Field[]).map((field) => (
          <PasswordInput
            key={field}
            label={t(LABELS[field][0])}
            {...(field === 'password' ? { description: t('validation.password_standard') } : {})}
            autoComplete={LABELS[field][1]}
            required
            withAsterisk={false}
            visibilityToggleButtonProps={{ 'aria-label': t('signin.show_password') }}
            error={errors[field]?.[0]}
            value={values[field]}
            onChange={(event) => {
              const { value } = event.currentTarget;
              setValues((present) => ({ ...present, [field]: value }));
            }}
          />
        ))}
        <Group justify="flex-end">
          <Button type="submit" loading={busy}>
            {t('password.submit')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
