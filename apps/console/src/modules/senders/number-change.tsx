import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { corporation } from '@heliograph/contract/organizations/corporation';
import {
  assignNumber,
  moveNumber,
  type numberAssignments,
  takeBackNumber,
} from '@heliograph/contract/senders/number-assignment';
import { Alert, Button, Group, Modal, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../platform/action.ts';
import { call } from '../../platform/call.ts';
import { queryClient } from '../../platform/queries.ts';
import { toast } from '../../platform/toast.ts';
import { ReferenceSelect } from '../../resource/reference.tsx';

export type Assignment = ReplyOf<typeof numberAssignments>['data'][number];

/** Change of a number's owner: a first assignment has no `row`. */
export type Change = { what: 'assign'; row: null } | { what: 'take' | 'move'; row: Assignment };

const LONGEST = 500;

/** Dialog that assigns a number, takes it back or moves it, with the reason. */
export function NumberChange({ change, onClose }: { change: Change; onClose: () => void }) {
  const { t } = useTranslation();
  const { what, row } = change;
  const [number, setNumber] = useState(row?.number ?? '');
  const [corporation_id, setCorporation] = useState<number | null>(null);
  const [reason, setReason] = useState('');
  const { busy, run, errors, failure } = useAction('form');
  const named = ['number', 'corporation_id', 'reason'].some((field) => errors[field]);
  const ready =
    (what === 'take' || corporation_id !== null) && (row ? reason.trim() !== '' : number.trim() !== '') && !busy;

  const send = async () => {
    if (!row) return call(assignNumber, { body: { number, corporation_id: corporation_id ?? 0, reason } });
    const params = { id: row.id };
    return what === 'take'
      ? call(takeBackNumber, { params, body: { reason } })
      : call(moveNumber, { params, body: { corporation_id: corporation_id ?? 0, reason } });
  };
  function submit(event: FormEvent) {
    event.preventDefault();
    if (!ready) return;
    void run(async () => {
      const { message } = await send();
      for (const key of ['number-assignments', 'sender-ids', 'routings', 'composer'])
        void queryClient.invalidateQueries({ queryKey: [key] });
      void toast('success', message ?? '');
      onClose();
    });
  }

  return (
    <Modal
      opened
      onClose={onClose}
      title={<Text fw={600}>{t(`number.${what}.title`, { number })}</Text>}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <Text size="sm">{t(`number.${what}.text`, { name: row?.corporation_name ?? '' })}</Text>
          {!row && (
            <TextInput
              label={t('resources.number-assignments.fields.number')}
              inputMode="numeric"
              required
              data-autofocus
              value={number}
              error={errors['number']?.[0]}
              onChange={(event) => setNumber(event.currentTarget.value)}
            />
          )}
          {what !== 'take' && (
            <ReferenceSelect
              label={row ? t('number.to') : t('resources.number-assignments.fields.corporation_id')}
              to={corporation}
              required
              value={corporation_id}
              error={errors['corporation_id']?.[0]}
              onChange={setCorporation}
            />
          )}
          <Textarea
            label={t('resources.number-assignments.fields.reason')}
            description={t('number.hint')}
            maxLength={LONGEST}
            required={row !== null}
            autosize
            minRows={2}
            value={reason}
            error={errors['reason']?.[0]}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
          {failure && !named && (
            <Alert color="red" role="alert" p="xs">
              {failure}
            </Alert>
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {t('actions.cancel')}
            </Button>
            <Button type="submit" color={what === 'take' ? 'red.8' : 'brand'} loading={busy} disabled={!ready}>
              {t(`number.${what}.action`)}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
