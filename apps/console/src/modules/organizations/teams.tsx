import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { team } from '@heliograph/contract/organizations/team';
import { Button, ColorSwatch, Group, Text } from '@mantine/core';
import { IconPlus, IconSettings } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../../platform/session.ts';
import { ResourceList } from '../../resource/resource-list.tsx';
import { MakeReseller } from './reseller-dialogs.tsx';

export type TeamRow = ReplyOf<typeof team.get>['data'];

/** Screen of the resellers. A reseller itself sees only its own record. */
export function Teams() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const mayMake = useMay(team.permissions.create);
  const mayShow = useMay(team.permissions.show);
  const mayRoute = useMay('links-index');
  const [making, setMaking] = useState(false);
  const open = (row: TeamRow) => void navigate({ to: `/teams/${row.id}` });
  return (
    <>
      <ResourceList<typeof team>
        resource={team}
        creates={false}
        columns={[
          'corporation_name',
          'app_name',
          'base_url',
          { field: 'theme_color', cell: (row) => <ThemeColor color={row.theme_color} /> },
          'corporations_count',
          'mail_server',
          'enabled',
          ...(mayRoute ? [{ field: 'link_name', hidden: true } as const] : []),
          { field: 'created_at', hidden: true },
        ]}
        filters={['enabled']}
        header={{
          actions: mayMake && (
            <Button leftSection={<IconPlus size={16} stroke={1.6} />} onClick={() => setMaking(true)} data-create>
              {t('teams.make')}
            </Button>
          ),
        }}
        rowActions={(row) =>
          mayShow
            ? [
                {
                  label: t('teams.view'),
                  icon: <IconSettings size={16} stroke={1.6} />,
                  onClick: () => open(row),
                },
              ]
            : []
        }
        {...(mayShow && { rowTo: (row) => `/teams/${row.id}` })}
      />
      {making && <MakeReseller onClose={() => setMaking(false)} />}
    </>
  );
}

/** Color as a swatch and as its code. */
export function ThemeColor({ color }: { color: string | null }) {
  const { t } = useTranslation();
  if (color === null)
    return (
      <Text span inherit c="dimmed">
        {t('teams.platform_look')}
      </Text>
    );
  return (
    <Group gap={8} wrap="nowrap" component="span">
      <ColorSwatch component="span" color={color} size={16} aria-hidden />
      {color}
    </Group>
  );
}
