import { user } from '@heliograph/contract/access/user';
import { ACTION_USES, type RouteAction, routing } from '@heliograph/contract/inbound-routing/routing';
import { corporation } from '@heliograph/contract/organizations/corporation';
import { senderId } from '@heliograph/contract/senders/sender-id';
import { Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../platform/format.ts';
import { fieldsOf } from '../../resource/fields.tsx';
import { useFormState } from '../../resource/form.tsx';
import { FormPage } from '../../resource/form-page.tsx';

const Field = fieldsOf(routing.create);

/** Page that creates or edits an inbound routing. */
export const RoutingForm = () => (
  <FormPage
    resource={routing}
    groups={{
      match: (
        <>
          <Field.Reference name="corporation_id" to={corporation} />
          <Field.Text name="number" autoFocus />
          <Field.Text name="keyword" />
          <Field.Switch name="enabled" />
        </>
      ),
      action: (
        <>
          <Field.Select name="action" words="route_action" />
          <UrlFields />
          <Field.Reference name="user_id" to={user} within="corporation_id" />
        </>
      ),
      answers: (
        <>
          <Field.Text name="campaign_name" />
          <AnswerFields />
          <Field.Reference name="sender_id_id" to={senderId} within="corporation_id" />
        </>
      ),
    }}
  />
);

/** Returns the part of a routing that the chosen action uses; undefined while no action is chosen. */
const usedBy = (values: Readonly<Record<string, unknown>>) => ACTION_USES[values['action'] as RouteAction];

/** Fields for the address to which messages are passed on, if the routing does that. */
function UrlFields() {
  const { t } = useTranslation();
  const format = useFormat();
  const { values, row } = useFormState();
  if (usedBy(values) !== 'address') return null;
  const setAt = row?.['password_set_at'];
  return (
    <>
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
    </>
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
