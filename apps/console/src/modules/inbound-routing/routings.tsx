import { user } from '@heliograph/contract/access/user';
import { ACTION_USES, type RouteAction, routing } from '@heliograph/contract/inbound-routing/routing';
import { corporation } from '@heliograph/contract/organizations/corporation';
import { senderId } from '@heliograph/contract/senders/sender-id';
import { Badge, Button, Fieldset, Group, Stack, Text } from '@mantine/core';
import { IconHistory, IconTestPipe } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../platform/format.ts';
import { useMay } from '../../platform/session.ts';
import { fieldsOf } from '../../resource/fields.tsx';
import { useFormState } from '../../resource/form.tsx';
import { ResourceList } from '../../resource/resource-list.tsx';
import { InEffect } from '../../ui/in-effect.tsx';
import { TryRouting } from './try-routing.tsx';

const Field = fieldsOf(routing.create);

const COLORS = { inbox: 'brand', url: 'cyan' } as const satisfies Record<RouteAction, string>;

/** Returns the part of a routing that the chosen action uses; undefined while no action is chosen. */
const usedBy = (values: Readonly<Record<string, unknown>>) => ACTION_USES[values['action'] as RouteAction];

/** Screen of the rules that decide where an inbound message goes. */
export function Routings() {
  const { t } = useTranslation();
  const [trying, setTrying] = useState(false);
  const navigate = useNavigate();
  const mayShow = useMay(routing.permissions.show);
  return (
    <>
      <ResourceList
        resource={routing}
        columns={[
          { field: 'number', cell: (row) => <InEffect {...row}>{row.number}</InEffect> },
          {
            field: 'keyword',
            cell: (row) =>
              row.keyword ?? (
                <Text span inherit c="dimmed">
                  {t('routings.catch_all')}
                </Text>
              ),
          },
          {
            field: 'action',
            cell: (row) => (
              <Badge variant="light" size="sm" color={COLORS[row.action]}>
                {t(`route_action.${row.action}`)}
              </Badge>
            ),
          },
          'campaign_name',
          'user_name',
          'sender_id_name',
          'corporation_name',
          'enabled',
          { field: 'url', hidden: true },
          { field: 'valid_reply_message', hidden: true },
          { field: 'invalid_reply_message', hidden: true },
          { field: 'created_at', hidden: true },
        ]}
        filters={[
          { field: 'corporation_id', to: corporation },
          { field: 'action', words: 'route_action' },
          { field: 'user_id', to: user },
          'enabled',
        ]}
        header={{
          actions: (
            <Button
              variant="default"
              leftSection={<IconTestPipe size={16} stroke={1.6} />}
              onClick={() => setTrying(true)}
            >
              {t('routings.try')}
            </Button>
          ),
        }}
        rowActions={(row) =>
          ACTION_USES[row.action] === 'address' && mayShow
            ? [
                {
                  label: t('routings.calls'),
                  icon: <IconHistory size={16} stroke={1.6} />,
                  onClick: () => void navigate({ to: '/http-deliveries', search: { routing_id: String(row.id) } }),
                },
              ]
            : []
        }
        form={
          <>
            <Field.Reference name="corporation_id" to={corporation} />
            <Field.Text name="number" autoFocus />
            <Field.Text name="keyword" />
            <Field.Select name="action" words="route_action" />
            <UrlFields />
            <Field.Text name="campaign_name" />
            <AnswerFields />
            <Field.Reference name="sender_id_id" to={senderId} within="corporation_id" />
            <Field.Reference name="user_id" to={user} within="corporation_id" />
            <Field.Switch name="enabled" />
          </>
        }
      />
      {trying && <TryRouting onClose={() => setTrying(false)} />}
    </>
  );
}

/** Fields for the address to which messages are passed on, if the routing does that. */
function UrlFields() {
  const { t } = useTranslation();
  const format = useFormat();
  const { values, row } = useFormState();
  if (usedBy(values) !== 'address') return null;
  const setAt = row?.['password_set_at'];
  return (
    <Fieldset legend={t('route_action.url')}>
      <Stack gap="sm">
        <Field.Text name="url" type="url" />
        <Group grow align="flex-start">
          <Field.Select name="method" />
          {values['method'] !== 'GET' && <Field.Select name="body_format" words="route_format" />}
        </Group>
        <Field.Text name="username" />
        <Field.Secret name="password" />
        {typeof setAt === 'string' && (
          <Text size="xs" c="dimmed">
            {t('routings.password_set', { time: format.instant(setAt) })}
          </Text>
        )}
        <Field.Switch name="reply_with_answer" />
      </Stack>
    </Fieldset>
  );
}

/** Fields for the automatic replies of the inbox. */
function AnswerFields() {
  const { values } = useFormState();
  if (usedBy(values) === 'address') return null;
  return (
    <>
      <Field.Tags name="valid_replies" />
      <Field.Textarea name="valid_reply_message" rows={2} />
      <Field.Textarea name="invalid_reply_message" rows={2} />
    </>
  );
}
