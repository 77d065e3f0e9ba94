import { callback, resumeCallback, rotateCallbackSecret } from '@heliograph/contract/callbacks/callback';
import { corporation } from '@heliograph/contract/organizations/corporation';
import { department } from '@heliograph/contract/organizations/department';
import { Badge, Text } from '@mantine/core';
import { IconHistory, IconKey, IconPlayerPlay, IconTestPipe } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import i18next from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { sentenceOf } from '../../platform/problem.ts';
import { queryClient } from '../../platform/queries.ts';
import { useMay } from '../../platform/session.ts';
import { toast } from '../../platform/toast.ts';
import { fieldsOf } from '../../resource/fields.tsx';
import { useFormState } from '../../resource/form.tsx';
import { ResourceList } from '../../resource/resource-list.tsx';
import { ShownOnce } from '../../ui/secret-dialogs.tsx';
import type { EndpointRow } from './endpoint.ts';
import { EventTypes } from './event-types.tsx';
import { RotateSecret } from './rotate-secret.tsx';
import { SendSample } from './send-sample.tsx';

const Field = fieldsOf(callback.create);
const ICON = { size: 16, stroke: 1.6, 'aria-hidden': true } as const;

const statusOf = ({ enabled, paused_at, failing_since, key_ended }: EndpointRow) =>
  key_ended ? 'ended' : !enabled ? 'off' : paused_at ? 'paused' : failing_since ? 'failing' : 'good';
const COLORS = { good: 'teal', failing: 'yellow', paused: 'red', off: 'gray', ended: 'gray' } as const;

async function resume({ id }: EndpointRow): Promise<void> {
  try {
    await call(resumeCallback, { params: { id } });
    void toast('success', i18next.t('callbacks.resumed'));
  } catch (error) {
    void toast('error', sentenceOf(error));
  } finally {
    await queryClient.invalidateQueries({ queryKey: [callback.name] });
  }
}

/** Screen of the endpoints that receive callbacks. */
export function Callbacks() {
  const { t } = useTranslation();
  const format = useFormat();
  const navigate = useNavigate();
  const [sample, setSample] = useState<EndpointRow | null>(null);
  const [rotating, setRotating] = useState<EndpointRow | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const mayShow = useMay(callback.permissions.show);

  /** Shows the first secret of a new endpoint immediately. */
  async function saved(row: Record<string, unknown>) {
    if (row['secret_since'] !== null || row['kind'] !== 'own' || typeof row['id'] !== 'number') return;
    try {
      const { data } = await call(rotateCallbackSecret, { params: { id: row['id'] }, body: { overlap_hours: 0 } });
      setSecret(data.secret);
    } catch (error) {
      void toast('error', sentenceOf(error));
    }
  }

  return (
    <>
      <ResourceList
        resource={callback}
        columns={[
          { field: 'url', cell: (row) => <Text size="sm">{row.url ?? t('callbacks.own_addresses')}</Text> },
          {
            field: 'paused_at',
            title: 'common.state',
            cell: (row) => (
              <Badge variant="light" size="sm" color={COLORS[statusOf(row)]} style={{ minWidth: 'max-content' }}>
                {t(`callbacks.status.${statusOf(row)}`)}
              </Badge>
            ),
            csv: (row) => t(`callbacks.status.${statusOf(row)}`),
          },
          {
            field: 'types',
            cell: (row) => (
              <Text size="sm">
                {row.types.length === 0
                  ? t('callbacks.all_types')
                  : row.types.map((type) => t(`event_type.${type}`)).join(', ')}
              </Text>
            ),
            csv: (row) => row.types.join(' '),
          },
          { field: 'kind', cell: (row) => <Text size="sm">{t(`callback_kind.${row.kind}`)}</Text> },
          'corporation_name',
          'department_name',
          {
            field: 'failing_since',
            hidden: true,
            cell: (row) => <Text size="sm">{row.failing_since && format.instant(row.failing_since)}</Text>,
          },
          { field: 'secret_since', hidden: true },
          { field: 'old_secret_until', hidden: true },
          { field: 'key_name', hidden: true },
          { field: 'for_tests', hidden: true },
          { field: 'description', hidden: true },
          { field: 'enabled', hidden: true },
          { field: 'created_at', hidden: true },
        ]}
        filters={[{ field: 'corporation_id', to: corporation }, { field: 'kind', words: 'callback_kind' }, 'enabled']}
        onSaved={(row) => void saved(row)}
        rowActions={(row) => [
          ...(mayShow
            ? [
                {
                  label: t('callbacks.log'),
                  icon: <IconHistory {...ICON} />,
                  onClick: () =>
                    void navigate({ to: '/http-deliveries', search: { callback_endpoint_id: String(row.id) } }),
                },
              ]
            : []),
          ...(row.abilities.edit
            ? [
                ...(row.paused_at
                  ? [
                      {
                        label: t('callbacks.resume'),
                        icon: <IconPlayerPlay {...ICON} />,
                        onClick: () => void resume(row),
                      },
                    ]
                  : []),
                ...(row.url === null
                  ? []
                  : [{ label: t('callbacks.test'), icon: <IconTestPipe {...ICON} />, onClick: () => setSample(row) }]),
                { label: t('callbacks.rotate'), icon: <IconKey {...ICON} />, onClick: () => setRotating(row) },
              ]
            : []),
        ]}
        form={
          <>
            <NewFields />
            <Field.Text name="url" type="url" />
            <EventTypes resource={callback.name} />
            <Field.Text name="description" />
            <Field.Switch name="enabled" />
          </>
        }
      />
      {sample && <SendSample endpoint={sample} onClose={() => setSample(null)} />}
      {rotating && <RotateSecret endpoint={rotating} onClose={() => setRotating(null)} onMade={setSecret} />}
      {secret !== null && (
        <ShownOnce
          title={t('callbacks.secret')}
          explained={t('callbacks.secret_once')}
          value={secret}
          onClose={() => setSecret(null)}
        />
      )}
    </>
  );
}

/** Fields for the owner of the events. They are chosen once, for a new endpoint. */
function NewFields() {
  const { row } = useFormState();
  if (row) return null;
  return (
    <>
      <Field.Reference name="corporation_id" to={corporation} />
      <Field.Reference name="department_id" to={department} within="corporation_id" />
    </>
  );
}
