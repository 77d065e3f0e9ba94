import { user } from '@heliograph/contract/access/user';
import { apiKey, revokeApiKey } from '@heliograph/contract/api/api-key';
import { keyIn } from '@heliograph/contract/kernel/message-keys';
import { API_SCOPES } from '@heliograph/contract/kernel/public-operation';
import { corporation } from '@heliograph/contract/organizations/corporation';
import { Badge, Button, Checkbox, Code, Group, Stack, Text } from '@mantine/core';
import { IconBan, IconBook2, IconRotate } from '@tabler/icons-react';
import i18next from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { call } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { sentenceOf } from '../../platform/problem.ts';
import { queryClient } from '../../platform/queries.ts';
import { toast } from '../../platform/toast.ts';
import { labelOf } from '../../resource/columns.tsx';
import { fieldsOf } from '../../resource/fields.tsx';
import { useFormState } from '../../resource/form.tsx';
import { ResourceList } from '../../resource/resource-list.tsx';
import { openDialog } from '../../ui/dialogs.ts';
import { Link } from '../../ui/link.tsx';
import { ShownOnce } from '../../ui/secret-dialogs.tsx';
import { RotateKey } from './rotate-key.tsx';

const Field = fieldsOf(apiKey.create);
const ICON = { size: 16, stroke: 1.6, 'aria-hidden': true } as const;
/** Returns the key of a scope's text. Keys of texts contain no colon. */
const scopeKey = (scope: string) => keyIn('api_scope', scope.replace(':', '_'));
export type KeyRow = z.output<(typeof apiKey)['row']>;

async function revoke({ id }: KeyRow): Promise<void> {
  try {
    const { message } = await call(revokeApiKey, { params: { id } });
    void toast('success', message ?? i18next.t('api_keys.revoked'));
  } catch (error) {
    void toast('error', sentenceOf(error));
  } finally {
    await queryClient.invalidateQueries({ queryKey: [apiKey.name] });
  }
}

/** Screen of the API keys with which customers' programs call the public API. */
export function ApiKeys() {
  const { t } = useTranslation();
  const format = useFormat();
  const [shown, setShown] = useState<string | null>(null);
  const [rotating, setRotating] = useState<KeyRow | null>(null);
  const actions = (row: KeyRow) =>
    row.abilities.edit && row.revoked_at === null
      ? [
          { label: t('api_keys.rotate'), icon: <IconRotate {...ICON} />, onClick: () => setRotating(row) },
          {
            label: t('api_keys.revoke'),
            icon: <IconBan {...ICON} />,
            danger: true,
            onClick: () =>
              openDialog({
                title: t('api_keys.revoke_question', { name: row.name }),
                text: t('api_keys.revoke_explained'),
                confirm: t('api_keys.revoke'),
                danger: true,
                onConfirm: () => revoke(row),
              }),
          },
        ]
      : [];
  return (
    <>
      <ResourceList
        resource={apiKey}
        columns={[
          'name',
          { field: 'prefix', cell: (row) => <Code>{row.prefix}…</Code> },
          {
            field: 'mode',
            cell: (row) => (
              <Badge
                variant="light"
                color={row.mode === 'live' ? 'green' : 'gray'}
                tt="none"
                style={{ minWidth: 'max-content' }}
              >
                {t(`api_key_mode.${row.mode}`)}
              </Badge>
            ),
          },
          {
            field: 'revoked_at',
            title: 'common.state',
            cell: (row) => <KeyState row={row} />,
            csv: (row) => t(row.revoked_at === null ? 'api_keys.in_use' : 'api_keys.revoked_state'),
          },
          {
            field: 'last_used_at',
            cell: (row) => (
              <Text size="sm">
                {row.last_used_at === null
                  ? t('api_keys.never_used')
                  : `${format.instant(row.last_used_at)} · ${row.last_used_ip ?? ''}`}
              </Text>
            ),
          },
          'user_name',
          'corporation_name',
          {
            field: 'scopes',
            hidden: true,
            cell: (row) => row.scopes.map((scope) => t(scopeKey(scope))).join(', '),
            csv: (row) => row.scopes.join(' '),
          },
          {
            field: 'allowed_ips',
            hidden: true,
            cell: (row) => (row.allowed_ips.length === 0 ? t('api_keys.any_address') : row.allowed_ips.join(', ')),
            csv: (row) => row.allowed_ips.join(' '),
          },
          { field: 'previous_until', hidden: true },
          { field: 'created_at', hidden: true },
        ]}
        filters={[
          { field: 'corporation_id', to: corporation },
          { field: 'user_id', to: user },
        ]}
        header={{
          actions: (
            <Button
              variant="default"
              component={Link}
              to="/api-reference"
              leftSection={<IconBook2 size={16} stroke={1.6} aria-hidden />}
            >
              {t('api_keys.reference')}
            </Button>
          ),
        }}
        rowActions={actions}
        onSaved={({ key }) => typeof key === 'string' && setShown(key)}
        form={
          <>
            <Field.Text name="name" autoFocus />
            <Field.Reference name="user_id" to={user} />
            <Field.Select name="mode" words="api_key_mode" />
            <Scopes />
            <Field.Tags name="allowed_ips" />
            <Field.Switch name="read_national" />
          </>
        }
      />
      {rotating && <RotateKey row={rotating} onClose={() => setRotating(null)} onMade={setShown} />}
      {shown !== null && (
        <ShownOnce
          title={t('api_keys.shown_title')}
          explained={t('api_keys.shown_explained')}
          value={shown}
          onClose={() => setShown(null)}
        />
      )}
    </>
  );
}

/** State of the key. For a rotated key, it shows until when the previous one is valid. */
function KeyState({ row: { revoked_at, previous_until } }: { row: KeyRow }) {
  const { t } = useTranslation();
  const format = useFormat();
  const overlaps = previous_until !== null && Date.parse(previous_until) > Date.now();
  return (
    <Group gap={8} wrap="nowrap">
      <Badge variant="light" size="sm" color={revoked_at ? 'red' : 'teal'} style={{ minWidth: 'max-content' }}>
        {revoked_at ? t('api_keys.revoked_on', { time: format.instant(revoked_at) }) : t('api_keys.in_use')}
      </Badge>
      {overlaps && (
        <Text size="xs" c="dimmed">
          {t('api_keys.replaced_until', { time: format.instant(previous_until) })}
        </Text>
      )}
    </Group>
  );
}

/** Field for the operations that the key may call. */
function Scopes() {
  const { t } = useTranslation();
  const { values, set, errors } = useFormState();
  return (
    <Checkbox.Group
      label={labelOf(apiKey.name, 'scopes')}
      description={t('resources.api-keys.hints.scopes')}
      error={errors['scopes']}
      value={(values['scopes'] as string[] | null) ?? []}
      onChange={(scopes) => set('scopes', scopes)}
    >
      <Stack gap={6} mt={6}>
        {API_SCOPES.map((scope) => (
          <Checkbox key={scope} value={scope} label={t(scopeKey(scope))} />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}
