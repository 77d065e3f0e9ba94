import { auditStream, newStreamSecret } from '@heliograph/contract/audit/audit-stream';
import { corporation } from '@heliograph/contract/organizations/corporation';
import { Badge, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { useAction } from '../../platform/action.ts';
import { call } from '../../platform/call.ts';
import { fieldsOf } from '../../resource/fields.tsx';
import { useFormState } from '../../resource/form.tsx';
import { FormPage } from '../../resource/form-page.tsx';
import { ResourceList } from '../../resource/resource-list.tsx';
import { ShownOnce } from '../../ui/secret-dialogs.tsx';
import { EventTypes } from '../callbacks/index.ts';

type StreamRow = z.output<typeof auditStream.row>;

const Field = fieldsOf(auditStream.create);
const ICON = { size: 16, stroke: 1.6, 'aria-hidden': true } as const;
const COLORS = { good: 'teal', failing: 'red', off: 'gray' } as const;

const statusOf = ({ enabled, error }: StreamRow): keyof typeof COLORS =>
  !enabled ? 'off' : error === null ? 'good' : 'failing';

/** State of a stream, with the reason of its last failure. */
function StreamState({ row }: { row: StreamRow }) {
  const { t } = useTranslation();
  return (
    <Stack gap={2}>
      <Badge variant="light" size="sm" color={COLORS[statusOf(row)]} style={{ minWidth: 'max-content' }}>
        {t(`audit_stream.status.${statusOf(row)}`)}
      </Badge>
      {row.error && (
        <Text size="xs" c="dimmed">
          {t(`file_fault.${row.error}`)}
        </Text>
      )}
    </Stack>
  );
}

/** Screen of the streams of the activity log and of events. */
export function AuditStreams() {
  const { t } = useTranslation();
  const { run } = useAction();
  const [secret, setSecret] = useState<string | null>(null);
  return (
    <ResourceList
      resource={auditStream}
      columns={[
        'name',
        {
          field: 'enabled',
          title: 'common.state',
          cell: (row) => <StreamState row={row} />,
          csv: (row) => t(`audit_stream.status.${statusOf(row)}`),
        },
        {
          field: 'destination',
          cell: (row) =>
            `${t(`stream_destination.${row.destination}`)} · ${row.host ?? row.url ?? row.bucket ?? row.topic}`,
          csv: (row) => t(`stream_destination.${row.destination}`),
        },
        { field: 'contents', cell: (row) => t(`stream_contents.${row.contents}`), csv: (row) => row.contents },
        { field: 'corporation_name', cell: (row) => row.corporation_name ?? t('scheduled_file.platform') },
        'sent_at',
        { field: 'position', hidden: true },
        { field: 'failing_since', hidden: true },
        { field: 'created_at', hidden: true },
      ]}
      filters={[
        { field: 'corporation_id', to: corporation },
        { field: 'contents', words: 'stream_contents' },
        { field: 'destination', words: 'stream_destination' },
        'enabled',
      ]}
      rowActions={(row) =>
        row.abilities.edit && row.destination === 'https'
          ? [
              {
                label: t('audit_stream.new_secret'),
                icon: <IconKey {...ICON} />,
                onClick: () =>
                  void run(async () =>
                    setSecret((await call(newStreamSecret, { params: { id: row.id } })).data.secret),
                  ),
              },
            ]
          : []
      }
    >
      {secret !== null && (
        <ShownOnce
          title={t('audit_stream.secret')}
          explained={t('audit_stream.secret_once')}
          value={secret}
          onClose={() => setSecret(null)}
        />
      )}
    </ResourceList>
  );
}

/** Fields of what a stream sends. */
function ContentFields() {
  const { values, row } = useFormState();
  const contents = values['contents'] ?? row?.['contents'];
  return (
    <>
      <Field.Text name="name" autoFocus />
      <Field.Select name="contents" words="stream_contents" />
      <Field.Reference name="corporation_id" to={corporation} />
      {contents === 'events' && <EventTypes resource="audit-streams" />}
      <Field.Switch name="enabled" />
    </>
  );
}

/** Fields of servers of Kafka or NATS, and the login. */
function BrokerFields({ isKafka }: { isKafka: boolean }) {
  return (
    <>
      <Field.Text name="servers" />
      <Field.Text name="topic" />
      <Field.Switch name="encrypted" />
      <Field.Textarea name="ca" rows={4} />
      {isKafka && <Field.Select name="sign_in" words="sasl_mechanism" />}
      <Field.Text name="username" />
      <Field.Secret name="secret" />
    </>
  );
}

/** Fields of the chosen kind of destination. */
function DestinationFields() {
  const { values, row } = useFormState();
  const kind = values['destination'] ?? row?.['destination'];
  return (
    <>
      <Field.Select name="destination" words="stream_destination" />
      {kind === 'syslog' && (
        <>
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <Field.Text name="host" />
            <Field.Number name="port" />
          </SimpleGrid>
          <Field.Textarea name="ca" rows={4} />
        </>
      )}
      {(kind === 'kafka' || kind === 'nats') && <BrokerFields isKafka={kind === 'kafka'} />}
      {kind === 'https' && <Field.Text name="url" type="url" />}
      {kind === 's3' && (
        <>
          <Field.Text name="endpoint" type="url" />
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <Field.Text name="region" />
            <Field.Text name="bucket" />
          </SimpleGrid>
          <Field.Text name="folder" />
          <Field.Text name="username" />
          <Field.Secret name="secret" />
        </>
      )}
    </>
  );
}

/** Page that creates or edits a stream. */
export const AuditStreamForm = () => (
  <FormPage
    resource={auditStream}
    groups={{
      content: <ContentFields />,
      destination: <DestinationFields />,
    }}
  />
);
