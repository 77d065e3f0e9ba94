import {
  addPasskey,
  beginPasskey,
  type passkeys as listPasskeys,
  passkeys,
  removePasskey,
  renamePasskey,
} from '@heliograph/contract/identity/passkey';
import type { MessageKey } from '@heliograph/contract/kernel/message-keys';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { Badge, Button, Group, Modal, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../platform/action.ts';
import { call } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { toast } from '../../platform/toast.ts';
import { openDialog } from '../../ui/dialogs.ts';
import { Section } from '../../ui/section.tsx';
import { makePasskey, passkeyHost } from './passkey-browser.ts';
import { passkeysWork } from './passkeys-work.ts';
import { RecoveryCodes } from './recovery-codes.tsx';
import { deviceOf } from './sessions.tsx';

type Passkey = ReplyOf<typeof listPasskeys>['data'][number];
/** Present dialog: a passkey is added or renamed, or recovery codes are shown. */
type Step = { add: true } | { rename: Passkey } | { codes: string[] } | null;

/** Section of the user's passkeys, which sign in without a password. */
export function Passkeys() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [step, setStep] = useState<Step>(null);
  const query = useQuery({ queryKey: ['identity', 'passkeys'], queryFn: ({ signal }) => call(passkeys, { signal }) });
  const list = query.data?.data;
  const close = () => {
    setStep(null);
    void client.invalidateQueries({ queryKey: ['identity'] });
  };
  const done = (text: string) => {
    void toast('success', text);
    close();
  };

  const { run } = useAction();
  const remove = ({ id, name }: Passkey) =>
    openDialog({
      title: t('passkeys.remove'),
      text: t('passkeys.remove_text', { name }),
      confirm: t('passkeys.remove'),
      danger: true,
      onConfirm: () =>
        run(async () => {
          const { message } = await call(removePasskey, { params: { id } });
          done(message ?? t('passkeys.removed'));
        }),
    });

  return (
    <Section title={t('passkeys.title')}>
      <Text size="sm" c="dimmed">
        {t('passkeys.text')}
      </Text>
      {!list && <Skeleton h={40} radius="md" />}
      {list?.length === 0 && <Text size="sm">{t('passkeys.empty')}</Text>}
      <Stack gap="sm">
        {list?.map((passkey) => (
          <PasskeyLine
            key={passkey.id}
            passkey={passkey}
            onRename={() => setStep({ rename: passkey })}
            onRemove={() => remove(passkey)}
          />
        ))}
      </Stack>
      {passkeysWork() ? (
        <Group>
          <Button variant="default" size="xs" onClick={() => setStep({ add: true })}>
            {t('passkeys.add')}
          </Button>
        </Group>
      ) : (
        <Text size="sm" c="dimmed">
          {t('passkeys.unavailable')}
        </Text>
      )}
      <Modal
        opened={step !== null}
        onClose={close}
        closeOnClickOutside={step === null || !('codes' in step)}
        title={<Text fw={600}>{t(titleOf(step))}</Text>}
        closeButtonProps={{ 'aria-label': t('actions.close') }}
      >
        {step && 'add' in step && (
          <AddPasskey onCodes={(codes) => (codes.length > 0 ? setStep({ codes }) : done(t('passkeys.added')))} />
        )}
        {step && 'rename' in step && <Rename passkey={step.rename} onDone={() => done(t('passkeys.renamed'))} />}
        {step && 'codes' in step && <RecoveryCodes codes={step.codes} onDone={() => done(t('passkeys.added'))} />}
      </Modal>
    </Section>
  );
}

function titleOf(step: Step): MessageKey {
  if (step && 'codes' in step) return 'two_factor.recovery_title';
  if (step && 'rename' in step) return 'passkeys.rename';
  return 'passkeys.add';
}

function PasskeyLine(props: { passkey: Passkey; onRename: () => void; onRemove: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { name, host, synced, created_at, last_used_at } = props.passkey;
  return (
    <Group justify="space-between" wrap="nowrap" gap="sm">
      <div style={{ minWidth: 0 }}>
        <Group gap={8}>
          <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
            {name}
          </Text>
          {synced && (
            <Badge size="sm" variant="light" color="gray">
              {t('passkeys.synced')}
            </Badge>
          )}
        </Group>
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {t('passkeys.created', { time: format.instant(created_at) })} ·{' '}
          {last_used_at === null ? t('passkeys.unused') : t('passkeys.used', { time: format.instant(last_used_at) })}
          {host !== passkeyHost() && ` · ${t('passkeys.elsewhere', { host })}`}
        </Text>
      </div>
      <Group gap={4} wrap="nowrap" style={{ flexShrink: 0 }}>
        <Button variant="subtle" size="compact-sm" onClick={props.onRename}>
          {t('passkeys.rename')}
        </Button>
        <Button variant="subtle" size="compact-sm" c="var(--mantine-color-error)" onClick={props.onRemove}>
          {t('actions.delete')}
        </Button>
      </Group>
    </Group>
  );
}

function NameField(props: { name: string; onName: (name: string) => void; fault?: string | undefined }) {
  const { t } = useTranslation();
  return (
    <TextInput
      label={t('passkeys.name')}
      description={t('passkeys.name_hint')}
      autoComplete="off"
      required
      withAsterisk={false}
      data-autofocus
      maxLength={60}
      error={props.fault}
      value={props.name}
      onChange={(event) => props.onName(event.currentTarget.value)}
    />
  );
}

/** Asks for a name, and lets the browser make the passkey. */
export function AddPasskey({ onCodes }: { onCodes: (codes: string[]) => void }) {
  const { t } = useTranslation();
  const [name, setName] = useState(() => deviceOf(navigator.userAgent) ?? '');
  const { busy, fault, run } = useAction('form');
  async function go() {
    const host = passkeyHost();
    const { options } = await call(beginPasskey, { body: { host } });
    const made = await makePasskey(options);
    if (typeof made === 'string') return void toast('error', t(`passkeys.${made}`));
    const { recovery_codes } = await call(addPasskey, { body: { name, host, credential: made.answer } });
    onCodes(recovery_codes);
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void run(go);
      }}
    >
      <Stack>
        <Text size="sm" c="dimmed">
          {t('passkeys.add_text')}
        </Text>
        <NameField name={name} onName={setName} fault={fault ?? undefined} />
        <Group justify="flex-end">
          <Button type="submit" loading={busy}>
            {t('passkeys.add')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Rename({ passkey, onDone }: { passkey: Passkey; onDone: () => void }) {
  const { t } = useTranslation();
  const { busy, fault, run } = useAction('form');
  const [name, setName] = useState(passkey.name);
  const go = async () => {
    await call(renamePasskey, { params: { id: passkey.id }, body: { name } });
    onDone();
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void run(go);
      }}
    >
      <Stack>
        <NameField name={name} onName={setName} fault={fault ?? undefined} />
        <Group justify="flex-end">
          <Button type="submit" loading={busy}>
            {t('actions.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
