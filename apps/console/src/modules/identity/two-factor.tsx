import {
  beginTotp,
  confirmTotp,
  endTotp,
  renewRecoveryCodes,
  showTwoFactor,
} from '@heliograph/contract/identity/two-factor';
import type { MessageKey } from '@heliograph/contract/kernel/message-keys';
import { Badge, Button, Center, Code, Group, Modal, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../platform/action.ts';
import { call } from '../../platform/call.ts';
import { lazyPart } from '../../platform/connection.ts';
import { useFormat } from '../../platform/format.ts';
import { toast } from '../../platform/toast.ts';
import { openDialog } from '../../ui/dialogs.ts';
import { Section } from '../../ui/section.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';

const QrCode = lazyPart(async () => (await import('qrcode.react')).QRCodeSVG);

/** Present step: a secret is shown, or recovery codes are shown. */
type Step = { secret: string; uri: string } | { codes: string[] } | null;

/** Section for the second factor that the user needs in addition to the password. */
export function TwoFactor() {
  const { t } = useTranslation();
  const format = useFormat();
  const client = useQueryClient();
  const [step, setStep] = useState<Step>(null);
  const query = useQuery({
    queryKey: ['identity', 'two-factor'],
    queryFn: ({ signal }) => call(showTwoFactor, { signal }),
  });
  const state = query.data;
  const recovers = state !== undefined && (state.totp || state.passkeys > 0);
  const close = () => {
    setStep(null);
    void client.invalidateQueries({ queryKey: ['identity'] });
  };

  const { busy, run } = useAction();
  const add = () => run(async () => setStep(await call(beginTotp)));
  const renew = () => run(async () => setStep({ codes: (await call(renewRecoveryCodes)).recovery_codes }));
  const remove = () =>
    openDialog({
      title: t('two_factor.remove'),
      text: t('two_factor.remove_text'),
      confirm: t('two_factor.remove'),
      danger: true,
      onConfirm: () =>
        run(async () => {
          const { message } = await call(endTotp);
          void toast('success', message ?? t('two_factor.removed'));
          close();
        }),
    });

  return (
    <Section title={t('two_factor.title')}>
      {!state && <Skeleton h={80} radius="md" />}
      {state && (
        <Stack gap="sm">
          <Text size="sm" c="dimmed">
            {t('password.changed_at', { time: format.instant(state.password_changed_at) })}
          </Text>
          {state.otp && <Text size="sm">{t('two_factor.otp_on')}</Text>}
          <Group gap={8}>
            <Text size="sm" fw={600}>
              {t('two_factor.app')}
            </Text>
            {state.totp && <Badge color="teal.8">{t('common.yes')}</Badge>}
          </Group>
          <Text size="sm" c="dimmed">
            {t(state.totp ? 'two_factor.app_on' : 'two_factor.app_off')}
          </Text>
          {recovers && <Text size="sm">{t('two_factor.recovery_left', { count: state.recovery_codes_left })}</Text>}
          <Group gap="xs">
            {recovers && (
              <Button variant="default" size="xs" loading={busy} onClick={() => void renew()}>
                {t('two_factor.recovery_renew')}
              </Button>
            )}
            {state.totp ? (
              <Button variant="default" size="xs" c="var(--mantine-color-error)" onClick={remove}>
                {t('two_factor.remove')}
              </Button>
            ) : (
              <Button variant="default" size="xs" loading={busy} onClick={() => void add()}>
                {t('two_factor.add')}
              </Button>
            )}
          </Group>
        </Stack>
      )}
      <Modal
        opened={step !== null}
        onClose={close}
        // Recovery codes are shown only once. A click outside the dialog must not close them.
        closeOnClickOutside={step === null}
        title={<Text fw={600}>{t(titleOf(step))}</Text>}
        closeButtonProps={{ 'aria-label': t('actions.close') }}
      >
        {step && 'secret' in step && <Enrol {...step} onDone={(codes) => setStep({ codes })} />}
        {step && 'codes' in step && <RecoveryCodes codes={step.codes} onDone={close} />}
      </Modal>
    </Section>
  );
}

function titleOf(step: Step): MessageKey {
  return step && 'codes' in step ? 'two_factor.recovery_title' : 'two_factor.add';
}

function Enrol(props: { secret: string; uri: string; onDone: (codes: string[]) => void }) {
  const { t } = useTranslation();
  const { busy, fault, run } = useAction('form');
  const [code, setCode] = useState('');
  const confirm = async () => {
    const { recovery_codes, message } = await call(confirmTotp, { body: { code } });
    void toast('success', message ?? t('two_factor.added'));
    props.onDone(recovery_codes);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void run(confirm);
      }}
    >
      <Stack>
        <Text size="sm">{t('two_factor.scan')}</Text>
        <Suspense fallback={<Skeleton h={208} w={208} mx="auto" />}>
          <Center>
            <QrCode
              value={props.uri}
              size={208}
              marginSize={4}
              level="M"
              bgColor="#ffffff"
              fgColor="#000000"
              title={t('two_factor.qr_label')}
              role="img"
            />
          </Center>
        </Suspense>
        <div>
          <Text size="xs" c="dimmed">
            {t('two_factor.key')}
          </Text>
          <Code style={{ overflowWrap: 'anywhere' }}>{props.secret.replace(/(.{4})/g, '$1 ').trim()}</Code>
        </div>
        <TextInput
          label={t('two_factor.code')}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={6}
          required
          withAsterisk={false}
          error={fault}
          value={code}
          onChange={(event) => setCode(event.currentTarget.value.replace(/\D/g, ''))}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={busy} disabled={code.length < 6}>
            {t('two_factor.confirm')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
