import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { corporation } from '@heliograph/contract/organizations/corporation';
import {
  createTextKey,
  destroyTextKey,
  stopTextKey,
  textKeys,
  textKeyUse,
} from '@heliograph/contract/privacy/text-key';
import { Alert, Badge, Button, Group, Modal, Table, Text, VisuallyHidden } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../platform/action.ts';
import { call } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { useMay } from '../../platform/session.ts';
import { toast } from '../../platform/toast.ts';
import { fieldsOf } from '../../resource/fields.tsx';
import { RecordForm } from '../../resource/form.tsx';
import { initialValues } from '../../resource/form-values.ts';
import { useOwn } from '../../resource/record-save.ts';
import { NoteDialog } from '../../ui/note-dialog.tsx';
import { Section } from '../../ui/section.tsx';

const NAME = 'text-keys';
const Field = fieldsOf(createTextKey.body);

type Key = ReplyOf<typeof textKeys>['data'][number];

const COLORS = { current: 'green', kept: 'gray', destroyed: 'red' } as const;

/** Part of a screen with the keys that encrypt the texts of messages. */
export function TextKeys() {
  const { t } = useTranslation();
  const mayAdd = useMay(createTextKey.permission!);
  const [adding, setAdding] = useState(false);
  const { data } = useQuery({
    queryKey: [NAME],
    queryFn: ({ signal }) => call(textKeys, { query: { limit: 100 }, signal }),
  });
  const keys = data?.data ?? [];
  return (
    <Section
      title={t('text_key.title')}
      actions={
        mayAdd && (
          <Button variant="default" onClick={() => setAdding(true)}>
            {t('text_key.add')}
          </Button>
        )
      }
    >
      <Text size="sm" c="dimmed">
        {t('text_key.intro')}
      </Text>
      {keys.length === 0 ? <Text size="sm">{t('resources.text-keys.empty')}</Text> : <Keys keys={keys} />}
      {adding && <AddKey onClose={() => setAdding(false)} />}
    </Section>
  );
}

const COLUMNS = ['corporation_name', 'number', 'state', 'created_at'] as const;

function Keys({ keys }: { keys: readonly Key[] }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <Table.ScrollContainer minWidth={520}>
      <Table aria-label={t('resources.text-keys.many')}>
        <Table.Thead>
          <Table.Tr>
            {COLUMNS.map((field) => (
              <Table.Th key={field}>{t(`resources.text-keys.fields.${field}`)}</Table.Th>
            ))}
            <Table.Th>
              <VisuallyHidden>{t('list.details')}</VisuallyHidden>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {keys.map((key) => (
            <Table.Tr key={key.id}>
              <Table.Td>{key.corporation_name}</Table.Td>
              <Table.Td>{key.number}</Table.Td>
              <Table.Td>
                <Badge color={COLORS[key.state]} variant="light" miw="max-content">
                  {t(`text_key.state.${key.state}`)}
                </Badge>
                {key.destroyed_at && (
                  <Text size="xs" c="dimmed">
                    {[format.instant(key.destroyed_at), key.destroyed_by_name, key.reason].filter(Boolean).join(' · ')}
                  </Text>
                )}
              </Table.Td>
              <Table.Td>
                {format.instant(key.created_at)}
                {key.created_by_name && (
                  <Text size="xs" c="dimmed">
                    {key.created_by_name}
                  </Text>
                )}
              </Table.Td>
              <Table.Td>
                <Actions of={key} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/** Buttons that end the encryption of new texts, and that destroy a key. */
function Actions({ of: { id, state } }: { of: Key }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const mayStop = useMay(stopTextKey.permission!);
  const mayDestroy = useMay(destroyTextKey.permission!);
  const { busy, run } = useAction();
  const [destroying, setDestroying] = useState(false);
  if (state === 'destroyed') return null;
  return (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      {state === 'current' && mayStop && (
        <Button
          size="xs"
          variant="default"
          loading={busy}
          onClick={() =>
            void run(async () => {
              await call(stopTextKey, { params: { id } });
              await client.invalidateQueries({ queryKey: [NAME] });
              void toast('success', t('text_key.stopped'));
            })
          }
        >
          {t('text_key.stop')}
        </Button>
      )}
      {mayDestroy && (
        <Button size="xs" variant="default" c="var(--mantine-color-error)" onClick={() => setDestroying(true)}>
          {t('text_key.destroy')}
        </Button>
      )}
      {destroying && <Destroy id={id} onClose={() => setDestroying(false)} />}
    </Group>
  );
}

/** Dialog that says what is lost and what waits, and asks for the reason. */
function Destroy({ id, onClose }: { id: number; onClose: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const client = useQueryClient();
  const { busy, run, failure } = useAction('form');
  const { data } = useQuery({
    queryKey: [NAME, id, 'use'],
    queryFn: ({ signal }) => call(textKeyUse, { params: { id }, signal }),
    staleTime: 0,
  });
  const use = data?.data;
  return (
    <NoteDialog
      title={t('text_key.destroy_title')}
      label={t('text_key.reason')}
      hint={t('text_key.reason_hint')}
      required
      danger
      action={t('text_key.destroy')}
      busy={busy || use === undefined}
      fault={failure && <Alert color="red">{failure}</Alert>}
      onClose={onClose}
      onAct={(reason) =>
        void run(async () => {
          await call(destroyTextKey, { params: { id }, body: { reason: reason ?? '' } });
          await client.invalidateQueries({ queryKey: [NAME] });
          onClose();
        })
      }
    >
      <Text size="sm">{t('text_key.goes')}</Text>
      {use && (
        <Text size="sm">
          {t('text_key.waiting', {
            messages: format.integer(use.messages),
            campaigns: format.integer(use.campaigns),
          })}
        </Text>
      )}
      <Text size="sm">{t('text_key.backups')}</Text>
      <Text size="sm" fw={600}>
        {t('text_key.once')}
      </Text>
    </NoteDialog>
  );
}

/** Dialog that adds a key for the new texts of a corporation. */
function AddKey({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  return (
    <Modal
      opened
      onClose={onClose}
      title={<Text fw={650}>{t('text_key.add')}</Text>}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <Text size="sm" mb="md">
        {t('text_key.add_hint')}
      </Text>
      <RecordForm
        name={NAME}
        schema={createTextKey.body}
        initial={initialValues(createTextKey.body, useOwn())}
        submitLabel={t('text_key.add')}
        onCancel={onClose}
        submit={async (values) => {
          await call(createTextKey, { body: values as never });
          await client.invalidateQueries({ queryKey: [NAME] });
          onClose();
        }}
      >
        <Field.Reference name="corporation_id" to={corporation} />
      </RecordForm>
    </Modal>
  );
}
