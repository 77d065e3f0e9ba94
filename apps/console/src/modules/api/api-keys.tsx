import { user } from '@heliograph/contract/access/user';
import { apiKey, revokeApiKey } from '@heliograph/contract/api/api-key';
import { corporation } from '@heliograph/contract/organizations/corporation';
import { Button, Code, Text } from '@mantine/core';
import { IconBook2, IconRobot, IconRotate } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { call } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { fieldsOf } from '../../resource/fields.tsx';
import { ResourceList } from '../../resource/resource-list.tsx';
import { Link } from '../../ui/link.tsx';
import {
  Doors,
  KeyMode,
  KeyState,
  LastUse,
  type MadeKey,
  madeKeyIn,
  revokeAction,
  rightsColumns,
  Scopes,
  ShownKey,
} from './key-parts.tsx';
import { RotateKey } from './rotate-key.tsx';

const Field = fieldsOf(apiKey.create);
const ICON = { size: 16, stroke: 1.6, 'aria-hidden': true } as const;
export type KeyRow = z.output<(typeof apiKey)['row']>;

/** Screen of the API keys with which customers' programs call the public API. */
export function ApiKeys() {
  const { t } = useTranslation();
  const [shown, setShown] = useState<MadeKey | null>(null);
  const [rotating, setRotating] = useState<KeyRow | null>(null);
  const actions = (row: KeyRow) =>
    row.abilities.edit && row.revoked_at === null
      ? [
          { label: t('api_keys.rotate'), icon: <IconRotate {...ICON} />, onClick: () => setRotating(row) },
          revokeAction(apiKey.name, row.name, () => call(revokeApiKey, { params: { id: row.id } })),
        ]
      : [];
  return (
    <>
      <ResourceList
        resource={apiKey}
        columns={[
          'name',
          { field: 'prefix', cell: (row) => <Code>{row.prefix}…</Code> },
          { field: 'mode', cell: ({ mode }) => <KeyMode mode={mode} />, csv: ({ mode }) => t(`api_key_mode.${mode}`) },
          {
            field: 'state',
            cell: (row) => <StateOfKey row={row} />,
            csv: ({ state }) => t(`key_state.${state}`),
          },
          'last_day',
          { field: 'last_used_at', cell: (row) => <LastUse row={row} /> },
          'user_name',
          'corporation_name',
          ...rightsColumns<KeyRow>(),
          { field: 'previous_until', hidden: true },
          { field: 'created_at', hidden: true },
        ]}
        filters={[
          { field: 'corporation_id', to: corporation },
          { field: 'user_id', to: user },
        ]}
        header={{
          subtitle: t('service_accounts.pointer'),
          actions: (
            <>
              <Button variant="default" component={Link} to="/service-accounts" leftSection={<IconRobot {...ICON} />}>
                {t('service_accounts.open')}
              </Button>
              <Button variant="default" component={Link} to="/api-reference" leftSection={<IconBook2 {...ICON} />}>
                {t('api_keys.reference')}
              </Button>
            </>
          ),
        }}
        rowActions={actions}
        onSaved={(row) => setShown(madeKeyIn(row))}
        form={
          <>
            <Field.Text name="name" autoFocus />
            <Field.Reference name="user_id" to={user} />
            <Field.Select name="mode" words="api_key_mode" />
            <Scopes of="api-keys" />
            <Field.Tags name="allowed_ips" />
            <Field.Date name="last_day" />
            <Field.Switch name="read_national" />
            <Doors of="api-keys" />
          </>
        }
      />
      {rotating && <RotateKey row={rotating} onClose={() => setRotating(null)} onMade={setShown} />}
      <ShownKey made={shown} onClose={() => setShown(null)} />
    </>
  );
}

/** State of a key. For a rotated key, it shows until when the previous one is valid. */
function StateOfKey({ row }: { row: KeyRow }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { previous_until } = row;
  const overlaps = previous_until !== null && Date.parse(previous_until) > Date.now();
  return (
    <KeyState row={row}>
      {overlaps && (
        <Text size="xs" c="dimmed">
          {t('api_keys.replaced_until', { time: format.instant(previous_until) })}
        </Text>
      )}
    </KeyState>
  );
}
