import { revokeServiceAccountKey, serviceAccount, serviceAccountKey } from '@heliograph/contract/api/service-account';
import { Button, Code } from '@mantine/core';
import { IconRobot, IconRotate } from '@tabler/icons-react';
import { useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { call } from '../../platform/call.ts';
import { fieldsOf } from '../../resource/fields.tsx';
import { useFormState } from '../../resource/form.tsx';
import { ResourceList } from '../../resource/resource-list.tsx';
import { Link } from '../../ui/link.tsx';
import { KeyMode, KeyState, LastUse, type MadeKey, madeKeyIn, revokeAction, ShownKey } from './key-parts.tsx';
import { ReplaceKey } from './replace-key.tsx';

export type KeyOfAccount = z.output<(typeof serviceAccountKey)['row']>;

const Field = fieldsOf(serviceAccountKey.create);
const ICON = { size: 16, stroke: 1.6, 'aria-hidden': true } as const;

/** Screen of the keys of service accounts, with their states. */
export function ServiceAccountKeys() {
  const { t } = useTranslation();
  const search = useSearch({ strict: false }) as Record<string, string | undefined>;
  const account = Number(search['service_account_id']) || null;
  const preset = useMemo(() => ({ service_account_id: account }), [account]);
  const [shown, setShown] = useState<MadeKey | null>(null);
  const [replaced, setReplaced] = useState<KeyOfAccount | null>(null);
  return (
    <>
      <ResourceList
        resource={serviceAccountKey}
        preset={preset}
        columns={[
          'name',
          'service_account_name',
          { field: 'prefix', cell: (row) => <Code>{row.prefix}…</Code> },
          { field: 'mode', cell: ({ mode }) => <KeyMode mode={mode} />, csv: ({ mode }) => t(`api_key_mode.${mode}`) },
          { field: 'state', cell: (row) => <KeyState row={row} />, csv: ({ state }) => t(`key_state.${state}`) },
          'last_day',
          { field: 'last_used_at', cell: (row) => <LastUse row={row} /> },
          { field: 'corporation_name', hidden: true },
          { field: 'created_by_name', hidden: true },
          { field: 'created_at', hidden: true },
        ]}
        filters={[
          { field: 'service_account_id', to: serviceAccount },
          { field: 'state', words: 'key_state' },
          { field: 'mode', words: 'api_key_mode' },
        ]}
        header={{
          actions: (
            <Button variant="default" component={Link} to="/service-accounts" leftSection={<IconRobot {...ICON} />}>
              {t('service_accounts.open')}
            </Button>
          ),
        }}
        rowActions={(row) =>
          row.abilities.edit
            ? [
                {
                  label: t('service_accounts.replace'),
                  icon: <IconRotate {...ICON} />,
                  onClick: () => setReplaced(row),
                },
                revokeAction(serviceAccountKey.name, row.name, () =>
                  call(revokeServiceAccountKey, { params: { id: row.id } }),
                ),
              ]
            : []
        }
        onSaved={(row) => setShown(madeKeyIn(row))}
        form={
          <>
            <NewFields />
            <Field.Text name="name" autoFocus />
            <Field.Select name="mode" words="api_key_mode" />
            <Field.Date name="last_day" />
          </>
        }
      />
      {replaced && <ReplaceKey row={replaced} onClose={() => setReplaced(null)} onMade={setShown} />}
      <ShownKey made={shown} onClose={() => setShown(null)} />
    </>
  );
}

/** Field for the account of a new key. */
function NewFields() {
  const { row } = useFormState();
  return row ? null : <Field.Reference name="service_account_id" to={serviceAccount} />;
}
