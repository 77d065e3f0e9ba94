import { DOORS, type Door } from '@heliograph/contract/api/doors';
import type { KEY_STATES } from '@heliograph/contract/api/service-account';
import { accountSid } from '@heliograph/contract/api/twilio';
import { keyIn } from '@heliograph/contract/kernel/message-keys';
import { API_SCOPES } from '@heliograph/contract/kernel/public-operation';
import { Badge, Checkbox, Group, Stack, Text } from '@mantine/core';
import { IconBan } from '@tabler/icons-react';
import i18next from 'i18next';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../platform/format.ts';
import { sentenceOf } from '../../platform/problem.ts';
import { queryClient } from '../../platform/queries.ts';
import { toast } from '../../platform/toast.ts';
import { type Column, type Key, labelOf } from '../../resource/columns.tsx';
import { useFormState } from '../../resource/form.tsx';
import { openDialog } from '../../ui/dialogs.ts';
import { ShownOnce } from '../../ui/secret-dialogs.tsx';

// Parts that the screens of API keys and of service accounts share.

/** Days before the last day of a key from which its end is shown. */
const SOON_MS = 14 * 86_400_000;
const COLORS = { valid: 'teal', ended: 'gray', revoked: 'red' } as const;

/** Returns the key of a scope's text. Keys of texts contain no colon. */
export const scopeKey = (scope: string) => keyIn('api_scope', scope.replace(':', '_'));

interface Rights {
  scopes: string[];
  allowed_ips: string[];
  doors: Door[];
}

/** Returns the columns with what a program may do, and from where. They are offered in the column chooser. */
export const rightsColumns = <Row extends Rights>(): Column<Row>[] => [
  {
    field: 'scopes' as Key<Row>,
    hidden: true,
    cell: ({ scopes }) => scopes.map((scope) => i18next.t(scopeKey(scope))).join(', '),
    csv: ({ scopes }) => scopes.join(' '),
  },
  {
    field: 'allowed_ips' as Key<Row>,
    hidden: true,
    cell: ({ allowed_ips }) => allowed_ips.join(', ') || i18next.t('api_keys.any_address'),
    csv: ({ allowed_ips }) => allowed_ips.join(' '),
  },
  {
    field: 'doors' as Key<Row>,
    hidden: true,
    cell: ({ doors }) => doors.map((door) => i18next.t(`api_door.${door}`)).join(', '),
    csv: ({ doors }) => doors.join(' '),
  },
];

/** Returns the action of a row that asks, and then revokes a key of the list `of` by `call`. */
export const revokeAction = (of: string, name: string, call: () => Promise<{ message?: string | undefined }>) => ({
  label: i18next.t('api_keys.revoke'),
  icon: <IconBan size={16} stroke={1.6} aria-hidden />,
  danger: true,
  onClick: () =>
    openDialog({
      title: i18next.t('api_keys.revoke_question', { name }),
      text: i18next.t('api_keys.revoke_explained'),
      confirm: i18next.t('api_keys.revoke'),
      danger: true,
      onConfirm: async () => {
        try {
          void toast('success', (await call()).message ?? i18next.t('api_keys.revoked'));
        } catch (error) {
          void toast('error', sentenceOf(error));
        } finally {
          await queryClient.invalidateQueries({ queryKey: [of] });
        }
      },
    }),
});

/** Key that was made just now, and the interfaces of other gateways that it opens. */
export interface MadeKey {
  id: number;
  key: string;
  auth_token: string;
  doors: readonly Door[];
}

/** Returns the key that a saved record brings, if it is new. */
export const madeKeyIn = (row: Record<string, unknown>): MadeKey | null =>
  typeof row['key'] === 'string' ? (row as unknown as MadeKey) : null;

/** Dialog with a new key, which only this answer shows. Programs of Twilio have other names for it. */
export function ShownKey({ made, onClose }: { made: MadeKey | null; onClose: () => void }) {
  const { t } = useTranslation();
  if (made === null) return null;
  const several = [
    { label: labelOf('api-keys', 'key'), value: made.key },
    { label: t('api_keys.account_sid'), value: accountSid(made.id) },
    { label: t('api_keys.auth_token'), value: made.auth_token },
  ];
  return (
    <ShownOnce
      title={t('api_keys.shown_title')}
      explained={t('api_keys.shown_explained')}
      value={made.key}
      several={made.doors.includes('twilio') ? several : []}
      onClose={onClose}
    />
  );
}

interface KeyStateProps {
  row: { state: (typeof KEY_STATES)[number]; revoked_at: string | null; last_day: string | null };
  children?: ReactNode;
}

/** State of a key. A key that ends soon shows its last day. */
export function KeyState({ row: { state, revoked_at, last_day }, children }: KeyStateProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const soon = state === 'valid' && last_day !== null && Date.parse(last_day) - Date.now() < SOON_MS;
  return (
    <Group gap={8} wrap="nowrap">
      <Badge variant="light" size="sm" color={soon ? 'orange' : COLORS[state]} style={{ minWidth: 'max-content' }}>
        {revoked_at
          ? t('api_keys.revoked_on', { time: format.instant(revoked_at) })
          : soon
            ? t('service_accounts.ends_on', { day: format.date(last_day) })
            : t(`key_state.${state}`)}
      </Badge>
      {children}
    </Group>
  );
}

/** Type of a key: live keys stand out, because their messages cost money. */
export function KeyMode({ mode }: { mode: 'live' | 'test' }) {
  const { t } = useTranslation();
  return (
    <Badge variant="light" color={mode === 'live' ? 'green' : 'gray'} tt="none" style={{ minWidth: 'max-content' }}>
      {t(`api_key_mode.${mode}`)}
    </Badge>
  );
}

/** Time and address of the last use. */
export function LastUse({ row }: { row: { last_used_at: string | null; last_used_ip: string | null } }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <Text size="sm">
      {row.last_used_at === null
        ? t('api_keys.never_used')
        : `${format.instant(row.last_used_at)} · ${row.last_used_ip ?? ''}`}
    </Text>
  );
}

type Of = 'api-keys' | 'service-accounts';

/** Field for the operations that a program may call. */
export function Scopes({ of }: { of: Of }) {
  const { t } = useTranslation();
  const choices = API_SCOPES.map((scope) => [scope, t(scopeKey(scope))] as const);
  return <Choices of={of} name="scopes" choices={choices} />;
}

/** Field for the interfaces of other gateways that a program may use. */
export function Doors({ of }: { of: Of }) {
  const { t } = useTranslation();
  return <Choices of={of} name="doors" choices={DOORS.map((door) => [door, t(`api_door.${door}`)] as const)} />;
}

interface ChoicesProps {
  of: Of;
  name: 'scopes' | 'doors';
  /** Values with their texts. */
  choices: readonly (readonly [string, string])[];
}

function Choices({ of, name, choices }: ChoicesProps) {
  const { t } = useTranslation();
  const { values, set, errors } = useFormState();
  return (
    <Checkbox.Group
      label={labelOf(of, name)}
      description={t(`resources.${of}.hints.${name}`)}
      error={errors[name]}
      value={(values[name] as string[] | null) ?? []}
      onChange={(chosen) => set(name, chosen)}
    >
      <Stack gap={6} mt={6}>
        {choices.map(([value, label]) => (
          <Checkbox key={value} value={value} label={label} />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}
