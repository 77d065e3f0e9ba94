import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import {
  confirmErasure,
  erasePerson,
  type getPersonRequest,
  withdrawErasure,
} from '@heliograph/contract/privacy/person-request';
import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { IconTrash, IconUserCheck } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../platform/action.ts';
import { call } from '../../platform/call.ts';
import { NoteDialog } from '../../ui/note-dialog.tsx';

type Request = ReplyOf<typeof getPersonRequest>['data'];

/** Returns the function that runs a change of a request and reads it again. */
function useChange() {
  const client = useQueryClient();
  const { run, ...action } = useAction('form');
  const change = (work: () => Promise<unknown>, done: () => void) =>
    void run(async () => {
      await work();
      await client.invalidateQueries({ queryKey: ['privacy'] });
      done();
    });
  const fault = action.errors['number']?.[0] ?? action.failure;
  return { change, busy: action.busy, fault: fault && <Alert color="red">{fault}</Alert> };
}

/** Sentences about what goes and what stays. */
function Consequences() {
  const { t } = useTranslation();
  return (
    <>
      <Text size="sm">{t('person.goes')}</Text>
      <Text size="sm">{t('person.stays')}</Text>
      <Text size="sm" fw={600}>
        {t('person.once')}
      </Text>
    </>
  );
}

/** Dialog that asks for the reason of an erasure. */
export function Erase({ request: { id }, onClose }: { request: Request; onClose: () => void }) {
  const { t } = useTranslation();
  const { change, busy, fault } = useChange();
  return (
    <NoteDialog
      title={t('person.erase_title')}
      label={t('person.reason')}
      hint={t('person.reason_hint')}
      required
      danger
      action={t('person.erase')}
      busy={busy}
      fault={fault}
      onClose={onClose}
      onAct={(reason) => change(() => call(erasePerson, { params: { id }, body: { reason: reason ?? '' } }), onClose)}
    >
      <Consequences />
      <Text size="sm">{t('person.two')}</Text>
    </NoteDialog>
  );
}

/** Notice about an erasure that waits: who asked for it, why, and who may confirm it. */
export function AskedErasure({ request: { state, erased_by_name, reason, needs_other } }: { request: Request }) {
  const { t } = useTranslation();
  if (state !== 'asked') return null;
  return (
    <Alert color="orange" icon={<IconUserCheck size={20} stroke={1.6} aria-hidden />}>
      <Text size="sm">{t('person.asked_by', { name: erased_by_name ?? '–', reason: reason ?? '' })}</Text>
      <Text size="sm" mt={4}>
        {t(needs_other ? 'person.needs_other' : 'person.two')}
      </Text>
    </Alert>
  );
}

/** Buttons for an erasure that waits: another person confirms or refuses it, the one who asked withdraws it. */
export function Confirm({ request: { id, needs_other } }: { request: Request }) {
  const { t } = useTranslation();
  const [opened, setOpened] = useState(false);
  const { change, busy, fault } = useChange();
  const close = () => setOpened(false);
  return (
    <Group gap="xs">
      <Button
        variant="default"
        loading={busy && !opened}
        onClick={() => change(() => call(withdrawErasure, { params: { id } }), close)}
      >
        {t(needs_other ? 'person.withdraw' : 'person.refuse')}
      </Button>
      {!needs_other && (
        <Button
          variant="default"
          c="var(--mantine-color-error)"
          leftSection={<IconTrash size={16} stroke={1.6} aria-hidden />}
          onClick={() => setOpened(true)}
        >
          {t('person.confirm')}
        </Button>
      )}
      <Modal
        opened={opened}
        onClose={close}
        title={<Text fw={600}>{t('person.erase_title')}</Text>}
        closeButtonProps={{ 'aria-label': t('actions.close') }}
      >
        <Stack gap="md">
          <Consequences />
          {fault}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              {t('actions.cancel')}
            </Button>
            <Button
              color="red.8"
              loading={busy}
              onClick={() => change(() => call(confirmErasure, { params: { id } }), close)}
            >
              {t('person.confirm')}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </Group>
  );
}
