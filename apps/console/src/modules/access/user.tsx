import { user } from '@heliograph/contract/access/user';
import { keyIn } from '@heliograph/contract/kernel/message-keys';
import { LOCALE_NAMES } from '@heliograph/contract/kernel/scope';
import { Avatar, Badge, Button, Group, SimpleGrid } from '@mantine/core';
import { IconEdit, IconTrash } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../platform/format.ts';
import { useMay, useSession } from '../../platform/session.ts';
import { Cell, labelOf } from '../../resource/columns.tsx';
import { deleteRecords } from '../../resource/delete.ts';
import { OneRecord } from '../../resource/one-record.tsx';
import { Fact } from '../../ui/fact.tsx';
import { PageActions } from '../../ui/page-actions.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Section } from '../../ui/section.tsx';
import { roleName } from './role-name.ts';
import { SupportConsent } from './support-consent.tsx';
import { userActions } from './user-actions.tsx';
import { type UserDialog, UserDialogs, type UserRow } from './users.tsx';

/** Screen of one person: their identity, their permissions, and since when. */
export function UserPage() {
  const { t } = useTranslation();
  return (
    <OneRecord name="users" operation={user.get} notFound={t('users.not_found')}>
      {(row) => <Loaded row={row} />}
    </OneRecord>
  );
}

function Loaded({ row }: { row: UserRow }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [dialog, setDialog] = useState<UserDialog>(null);
  const mayEdit = useMay(user.permissions.edit) && row.abilities.edit;
  const mayDelete = useMay(user.permissions.delete) && row.abilities.delete;
  const actions = userActions(row, {
    open: setDialog,
    give: ({ id }) => void navigate({ to: '/give-permissions', search: { user: String(id) } }),
  });
  const remove = {
    label: t('actions.delete'),
    icon: <IconTrash size={16} stroke={1.6} aria-hidden />,
    danger: true,
    onClick: () => deleteRecords(user, [row], () => void navigate({ to: '/users' })),
  };
  return (
    <>
      <PageHeader
        title={
          <Group component="span" gap={12}>
            <Avatar size={40} src={row.image_path} name={row.name.replace(/[^\p{L}\s]/gu, '')} color="brand" alt="" />
            <span style={{ overflowWrap: 'anywhere' }}>{row.name}</span>
            {!row.enabled && <Badge color="gray">{t('users.disabled')}</Badge>}
            {row.locked && <Badge color="red.8">{t('users.locked')}</Badge>}
          </Group>
        }
        subtitle={row.email}
        crumbs={[{ label: t('menu.users'), to: '/users' }]}
        actions={
          <PageActions name={row.name} actions={[...actions, ...(mayDelete ? [remove] : [])]}>
            {mayEdit && (
              <Button
                leftSection={<IconEdit size={16} stroke={1.6} aria-hidden />}
                onClick={() => void navigate({ to: `/users/${row.id}/edit` })}
              >
                {t('actions.edit')}
              </Button>
            )}
          </PageActions>
        }
      />
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
        <Account row={row} />
        <Rights row={row} />
        <Access row={row} />
        <Freedoms row={row} />
        <SupportConsent row={row} />
      </SimpleGrid>
      <UserDialogs dialog={dialog} onClose={() => setDialog(null)} />
    </>
  );
}

type Field = keyof UserRow & string;

function Facts(props: { title: string; row: UserRow; fields: readonly (Field | [Field, ReactNode])[] }) {
  return (
    <Section title={props.title}>
      <SimpleGrid component="dl" cols={{ base: 1, xs: 2 }} m={0} spacing="md">
        {props.fields.map((entry) => {
          const [field, shown] = typeof entry === 'string' ? [entry, undefined] : entry;
          const value = props.row[field];
          const show = typeof value === 'boolean' ? 'yes-no' : /_at$/.test(field) ? 'instant' : 'text';
          return (
            <Fact key={field} label={labelOf('users', field)}>
              {shown ?? <Cell show={show} value={value} />}
            </Fact>
          );
        })}
      </SimpleGrid>
    </Section>
  );
}

function Account({ row }: { row: UserRow }) {
  const { t } = useTranslation();
  const language = LOCALE_NAMES[row.preferred_language];
  const fields = [
    'email',
    'phone',
    ['preferred_language', language],
    'activated_at',
    'updated_at',
    'created_at',
  ] as const;
  return <Facts title={t('users.account')} row={row} fields={[...fields.map(mutable), 'created_by_name']} />;
}

const mutable = (entry: Field | readonly [Field, ReactNode]): Field | [Field, ReactNode] =>
  typeof entry === 'string' ? entry : [entry[0], entry[1]];

function Rights({ row }: { row: UserRow }) {
  const { t } = useTranslation();
  const format = useFormat();
  const template = row.permission_template && t(`roles.${row.permission_template}`);
  const count = row.unlimited ? t('users.unlimited') : format.integer(row.permissions_count);
  return (
    <Facts
      title={t('users.rights')}
      row={row}
      fields={[
        ['role_name', roleName(row.role_name)],
        ['scope_level', t(keyIn('scope_level', row.scope_level))],
        ['permission_template', template],
        ['permissions_count', count],
        'corporation_name',
        'department_name',
        'billing_account_name',
        ['supervisors', row.supervisors.map(({ name }) => name).join(', ') || undefined],
      ].map((entry) => mutable(entry as Field | [Field, ReactNode]))}
    />
  );
}

function Access({ row }: { row: UserRow }) {
  const { t } = useTranslation();
  const menus = useSession((s) => s.menus);
  const known = menus.flatMap((entry) => [entry, ...entry.children]).some(({ url }) => url === row.landing_page);
  const page = known ? t(keyIn('menu', row.landing_page), { defaultValue: row.landing_page }) : row.landing_page;
  return (
    <Facts
      title={t('resources.users.sections.access')}
      row={row}
      fields={['enabled', 'otp', ['landing_page', page], 'connection_type_name']}
    />
  );
}

function Freedoms({ row }: { row: UserRow }) {
  const { t } = useTranslation();
  return (
    <Facts
      title={t('users.freedoms')}
      row={row}
      fields={['content_visible', 'numbers_visible', 'skip_blacklist', 'skip_signature', 'skip_blackout']}
    />
  );
}
