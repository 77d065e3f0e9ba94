import { resetUserPassword } from '@heliograph/contract/access/user';
import { Alert, Button, Checkbox, Group, Modal, PasswordInput, Radio, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../platform/action.ts';
import { call } from '../../platform/call.ts';
import { queryClient } from '../../platform/queries.ts';
import { toast } from '../../platform/toast.ts';
import { labelOf } from '../../resource/columns.tsx';
import type { UserRow } from './users.tsx';

/** Dialog that resets a person's password: by a link in an email, or by hand. */
export function ResetPassword(props: { row: UserRow; onClose: () => void }) {
  const { t } = useTranslation();
  const { row, onClose } = props;
  const [way, setWay] = useState<'mail' | 'hand'>('mail');
  const [values, setValues] = useState({ password: '', password_confirmation: '' });
  const [twoFactor, setTwoFactor] = useState(false);
  const { busy, failure, errors, run } = useAction('form');

  function reset(event: FormEvent) {
    event.preventDefault();
    void run(async () => {
      const body = way === 'hand' ? { ...values, two_factor: twoFactor } : { two_factor: twoFactor };
      const { message } = await call(resetUserPassword, { params: { id: row.id }, body });
      void toast('success', message ?? '');
      await queryClient.invalidateQueries({ queryKey: ['users'] });
      onClose();
    });
  }

  const field = (name: keyof typeof values) => ({
    label: labelOf('users', name),
    autoComplete: 'new-password',
    required: true,
    withAsterisk: false,
    error: errors[name]?.[0],
    value: values[name],
    visibilityToggleButtonProps: { 'aria-label': t('form.show_secret') },
    onChange: (event: { currentTarget: { value: string } }) => {
      const { value } = event.currentTarget;
      setValues((present) => ({ ...present, [name]: value }));
    },
  });

  return (
    <Modal
      opened
      onClose={onClose}
      title={<Text fw={600}>{t('users.reset_title', { name: row.name })}</Text>}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <form onSubmit={(event) => void reset(event)}>
        <Stack>
          {failure && (
            <Alert color="red" role="alert">
              {failure}
            </Alert>
          )}
          <Radio.Group value={way} onChange={(value) => setWay(value as typeof way)} aria-label={t('users.reset')}>
            <Stack gap="sm">
              <Radio value="mail" label={t('users.reset_by_mail')} description={row.email} />
              <Radio value="hand" label={t('users.reset_by_hand')} />
            </Stack>
          </Radio.Group>
          {way === 'hand' && (
            <>
              <PasswordInput {...field('password')} description={t('validation.password_standard')} />
              <PasswordInput {...field('password_confirmation')} />
            </>
          )}
          <Checkbox
            label={t('users.reset_two_factor')}
            description={t('users.reset_two_eyes')}
            checked={twoFactor}
            onChange={(event) => setTwoFactor(event.currentTarget.checked)}
          />
          <Text size="sm" c="dimmed">
            {t('users.reset_text')}
          </Text>
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {t('actions.cancel')}
            </Button>
            <Button type="submit" loading={busy}>
              {t('users.reset')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
