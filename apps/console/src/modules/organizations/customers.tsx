import { corporation } from '@heliograph/contract/organizations/corporation';
import { assignReseller } from '@heliograph/contract/organizations/team';
import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { sentenceOf } from '../../platform/problem.ts';
import { queryClient } from '../../platform/queries.ts';
import { useMay } from '../../platform/session.ts';
import { toast } from '../../platform/toast.ts';
import { openDialog } from '../../ui/dialogs.ts';
import { Link } from '../../ui/link.tsx';
import { Section } from '../../ui/section.tsx';
import { AddCustomer } from './reseller-dialogs.tsx';
import type { TeamRow } from './teams.tsx';

const SHOWN = 10;

/** Section with the first corporations of a reseller, and a link to all of them. */
export function Customers({ row }: { row: TeamRow }) {
  const { t } = useTranslation();
  const mayAssign = useMay('teams-assign');
  const [adding, setAdding] = useState(false);
  const reseller_id = row.corporation_id;
  const list = useQuery({
    queryKey: ['corporations', 'of', reseller_id],
    queryFn: ({ signal }) => call(corporation.list, { query: { reseller_id, per_page: SHOWN, sort: 'name' }, signal }),
  });
  const found = list.data?.data ?? [];
  const total = list.data?.meta.total ?? row.corporations_count;

  const takeOff = ({ id, name }: { id: number; name: string }) =>
    openDialog({
      title: t('teams.take_off_title', { corporation: name, reseller: row.corporation_name }),
      text: t('teams.take_off_text'),
      confirm: t('teams.take_off'),
      cancel: t('actions.cancel'),
      onConfirm: async () => {
        try {
          const { message } = await call(assignReseller, { params: { id }, body: { reseller_id: null } });
          void toast('success', message ?? '');
        } catch (error) {
          void toast('error', sentenceOf(error));
        }
        for (const name of ['teams', 'corporations']) void queryClient.invalidateQueries({ queryKey: [name] });
      },
    });

  return (
    <Section
      title={t('teams.customers')}
      actions={
        mayAssign && (
          <Button
            variant="default"
            size="xs"
            leftSection={<IconPlus size={14} stroke={1.8} aria-hidden />}
            onClick={() => setAdding(true)}
          >
            {t('teams.add_customer')}
          </Button>
        )
      }
    >
      {list.data && found.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('teams.customers_none')}
        </Text>
      )}
      <Stack component="ul" gap={6} m={0} p={0} style={{ listStyle: 'none' }}>
        {found.map((each) => (
          <Group component="li" key={each.id} justify="space-between" gap="xs" wrap="nowrap">
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {each.name}
            </Text>
            {mayAssign && (
              <Button
                variant="subtle"
                size="compact-xs"
                aria-label={`${t('teams.take_off')}: ${each.name}`}
                onClick={() => takeOff(each)}
              >
                {t('teams.take_off')}
              </Button>
            )}
          </Group>
        ))}
      </Stack>
      {total > found.length && found.length > 0 && (
        <Anchor component={Link} to="/corporations" search={{ reseller_id: String(reseller_id) }} size="sm">
          {t('list.range', { from: 1, to: found.length, of: total })}
        </Anchor>
      )}
      {adding && (
        <AddCustomer reseller={{ id: reseller_id, name: row.corporation_name }} onClose={() => setAdding(false)} />
      )}
    </Section>
  );
}
