import { resendOtp } from '@heliograph/contract/identity/password';
import { beginProof, prove } from '@heliograph/contract/identity/proof';
import type { BodyInput } from '@heliograph/contract/kernel/operation';
import { PROOF_MINUTES } from '@heliograph/contract/kernel/operation';
import { Alert, Button, Group, Modal, PasswordInput, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../platform/action.ts';
import { call } from '../../platform/call.ts';
import { useProofAsked } from '../../platform/fresh-proof.ts';
import { sentenceOf } from '../../platform/problem.ts';
import { toast } from '../../platform/toast.ts';
import { passkeyHost, provePasskey } from './passkey-browser.ts';
import { passkeysWork } from './passkeys-work.ts';

/** Dialog in which the user proves that it is them, by the strongest way that they have. */
export function ProofDialog() {
  const { t } = useTranslation();
  const answer = useProofAsked((s) => s.answer);
  const asked = useQuery({
    queryKey: ['identity', 'proof'],
    queryFn: () => call(beginProof, { body: { host: passkeyHost() } }),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  return (
    <Modal
      opened
      onClose={() => answer?.(false)}
      title={<Text fw={600}>{t('proof.title')}</Text>}
      zIndex={500}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <Stack>
        <Text size="sm" c="dimmed">
          {t('proof.text', { minutes: PROOF_MINUTES })}
        </Text>
        {asked.isError && (
          <Alert color="red" role="alert">
            {sentenceOf(asked.error)}
          </Alert>
        )}
        {asked.isPending && <Skeleton h={64} radius="md" />}
        {asked.data && <Ways {...asked.data} onProved={() => answer?.(true)} />}
      </Stack>
    </Modal>
  );
}

type Asked = Awaited<ReturnType<typeof call<typeof beginProof>>>;

function Ways({ way, options, onProved }: Asked & { onProved: () => void }) {
  const { t } = useTranslation();
  const { busy, fault, run } = useAction('form');
  const [byCode, setByCode] = useState(options === null || !passkeysWork());
  const [entered, setEntered] = useState('');
  const isPasskey = way === 'passkey' && !byCode;

  async function send(body: BodyInput<typeof prove>) {
    await call(prove, { body });
    onProved();
  }
  async function byPasskey() {
    const proof = await provePasskey(options!);
    if (typeof proof === 'string') return void toast('error', t('passkeys.stopped'));
    await send({ host: passkeyHost(), credential: proof.answer });
  }
  const go = () =>
    isPasskey ? byPasskey() : send(way === 'password' ? { password: entered } : { code: entered.trim() });

  const field = {
    'data-autofocus': true,
    autoFocus: true,
    required: true,
    withAsterisk: false,
    value: entered,
  } as const;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void run(go);
      }}
    >
      <Stack>
        {fault && (
          <Alert color="red" role="alert">
            {fault}
          </Alert>
        )}
        {way === 'password' && (
          <PasswordInput
            {...field}
            label={t('two_factor.password')}
            autoComplete="current-password"
            visibilityToggleButtonProps={{ 'aria-label': t('signin.show_password') }}
            onChange={(event) => setEntered(event.currentTarget.value)}
          />
        )}
        {way !== 'password' && !isPasskey && (
          <TextInput
            {...field}
            label={t(way === 'otp' ? 'otp.code' : 'otp.other_label')}
            description={way === 'otp' ? t('proof.sent') : undefined}
            autoComplete="one-time-code"
            onChange={(event) => setEntered(event.currentTarget.value.toUpperCase())}
          />
        )}
        <Group justify="space-between">
          <Alternative way={way} byCode={byCode} canSwitch={options !== null} onSwitch={() => setByCode(!byCode)} />
          <Button type="submit" loading={busy} {...(isPasskey && { 'data-autofocus': true })}>
            {t(isPasskey ? 'passkeys.check' : 'otp.submit')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface AlternativeProps {
  way: Asked['way'];
  byCode: boolean;
  canSwitch: boolean;
  onSwitch: () => void;
}

/** Button for another way: a new code by message, or a code in place of the passkey. */
function Alternative({ way, byCode, canSwitch, onSwitch }: AlternativeProps) {
  const { t } = useTranslation();
  const { busy, run } = useAction();
  const resend = async () => {
    const { message } = await call(resendOtp);
    void toast('success', message ?? t('otp.resent'));
  };
  if (way === 'otp')
    return (
      <Button variant="subtle" size="compact-sm" loading={busy} onClick={() => void run(resend)}>
        {t('otp.resend')}
      </Button>
    );
  if (way !== 'passkey' || !canSwitch) return <span />;
  return (
    <Button variant="subtle" size="compact-sm" onClick={onSwitch}>
      {t(byCode ? 'otp.use_passkey' : 'otp.other_way')}
    </Button>
  );
}
