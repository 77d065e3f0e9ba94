import { team } from '@heliograph/contract/organizations/team';
import { Anchor, Badge, Button, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconEdit, IconTrash } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../platform/format.ts';
import { useMay } from '../../platform/session.ts';
import { labelOf } from '../../resource/columns.tsx';
import { deleteRecords } from '../../resource/delete.ts';
import { OneRecord } from '../../resource/one-record.tsx';
import { Fact } from '../../ui/fact.tsx';
import { Link } from '../../ui/link.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Section } from '../../ui/section.tsx';
import { Customers } from './customers.tsx';
import { LookPreview } from './look-preview.tsx';
import { TeamImages } from './team-images.tsx';
import { type TeamRow, ThemeColor } from './teams.tsx';
import { TestMail } from './test-mail.tsx';

/** Page of one reseller: its look, its mail server, its SMSC and the corporations it owns. */
export function TeamPage() {
  const { t } = useTranslation();
  return (
    <OneRecord name="teams" operation={team.get} notFound={t('teams.not_found')}>
      {(row) => <Loaded row={row} />}
    </OneRecord>
  );
}

function Loaded({ row }: { row: TeamRow }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const mayEdit = useMay(team.permissions.edit) && row.abilities.edit;
  const mayDelete = useMay(team.permissions.delete) && row.abilities.delete;
  const mayList = useMay('corporations-index');
  return (
    <>
      <PageHeader
        title={
          <Group component="span" gap={12}>
            <span style={{ overflowWrap: 'anywhere' }}>{row.corporation_name}</span>
            {!row.enabled && <Badge color="gray">{t('users.disabled')}</Badge>}
          </Group>
        }
        subtitle={row.base_url ?? undefined}
        crumbs={[{ label: t('menu.teams'), to: '/teams' }]}
        actions={
          <>
            {mayDelete && (
              <Button
                variant="default"
                leftSection={<IconTrash size={16} stroke={1.6} aria-hidden />}
                onClick={() => deleteRecords(team, [row], () => void navigate({ to: '/teams' }))}
              >
                {t('actions.delete')}
              </Button>
            )}
            {mayEdit && (
              <Button
                component={Link}
                to={`/teams/${row.id}/edit`}
                leftSection={<IconEdit size={16} stroke={1.6} aria-hidden />}
              >
                {t('actions.edit')}
              </Button>
            )}
          </>
        }
      />
      <Stack gap="md">
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md" style={{ alignItems: 'start' }}>
          <Look row={row} />
          <MailServer row={row} mayTest={mayEdit} />
        </SimpleGrid>
        <TeamImages row={row} editable={mayEdit} />
        {mayList && <Customers row={row} />}
      </Stack>
    </>
  );
}

function Facts({ facts }: { facts: readonly (readonly [field: string, value: ReactNode])[] }) {
  return (
    <SimpleGrid component="dl" cols={{ base: 1, xs: 2 }} m={0} spacing="md">
      {facts.map(([field, value]) => (
        <Fact key={field} label={labelOf('teams', field)}>
          {value ?? '–'}
        </Fact>
      ))}
    </SimpleGrid>
  );
}

function Look({ row }: { row: TeamRow }) {
  const { t } = useTranslation();
  const mayRoute = useMay('links-index');
  return (
    <Section
      title={t('resources.teams.sections.look')}
      actions={
        row.base_url && (
          <Anchor href={row.base_url} target="_blank" rel="noreferrer" size="sm">
            {t('teams.open_console')}
          </Anchor>
        )
      }
    >
      <Facts
        facts={[
          ['app_name', row.app_name ?? row.corporation_name],
          ['base_url', row.base_url],
          ['short_link_host', row.short_link_host],
          ['theme_color', <ThemeColor key="color" color={row.theme_color} />],
          ...(mayRoute ? [['link_id', row.link_name] as const] : []),
        ]}
      />
      <LookPreview row={row} />
    </Section>
  );
}

function MailServer({ row, mayTest }: { row: TeamRow; mayTest: boolean }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <Section title={t('resources.teams.sections.mail')}>
      {row.mail_server === null ? (
        <Text size="sm" c="dimmed">
          {t('teams.mail_platform')}
        </Text>
      ) : (
        <>
          <Facts
            facts={[
              ['email_address', row.email_address],
              ['mail_server', `${row.mail_server}:${row.mail_port}`],
              ['mail_security', t(`mail_security.${row.mail_security}`)],
              ['mail_user', row.mail_user ?? row.email_address],
              [
                'mail_credentials_set_at',
                row.mail_credentials_set_at ? format.instant(row.mail_credentials_set_at) : t('teams.no_password'),
              ],
            ]}
          />
          {mayTest && <TestMail row={row} />}
        </>
      )}
    </Section>
  );
}
