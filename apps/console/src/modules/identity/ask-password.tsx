import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../platform/action.ts';

interface AskPasswordProps {
  text: string;
  confirm: string;
  danger?: boolean;
  /** Fields before the password. */
  children?: ReactNode;
  go: (password: string) => Promise<unknown>;
}

/** Form that asks for the password before a change of how the user signs in. */
export function AskPassword({ text, confirm, danger, children, go }: AskPasswordProps) {
  const { t } = useTranslation();
  const { busy, fault, run } = useAction('form');
  const [password, setPassword] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void run(() => go(password));
      }}
    >
      <Stack>
        <Text size="sm" c="dimmed">
          {text}
        </Text>
        {children}
        <PasswordInput
          label={t('two_factor.password')}
          autoComplete="current-password"
          required
          withAsterisk={false}
          {...(children === undefined && { 'data-autofocus': true })}
          visibilityToggleButtonProps={{ 'aria-label': t('signin.show_password') }}
          error={fault}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={busy} {...(danger ? { color: 'red.8' } : {})}>
            {confirm}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
