import { listVirtualHandsets, passVirtualTime } from '@heliograph/contract/sandbox/handsets';
import { Alert, Button, Group, Menu, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconClockPlay, IconDeviceMobile } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../platform/action.ts';
import { call } from '../../platform/call.ts';
import { readAgain } from '../../platform/queries.ts';
import { useSession } from '../../platform/session.ts';
import { toast } from '../../platform/toast.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Link } from '../../ui/link.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Section } from '../../ui/section.tsx';
import { Endings } from './endings.tsx';
import { HandsetConversation } from './handset-conversation.tsx';
import { HandsetList } from './handset-list.tsx';

/** Interval at which the handsets are read again, in ms. */
const EVERY_MS = 3_000;
const STEPS = { minute: 60, hour: 3_600, day: 86_400 } as const;

/** Screen of the phones that received messages of test keys. */
export function VirtualHandsets() {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<number>();
  const { data } = useQuery({
    queryKey: ['virtual-handsets'],
    queryFn: ({ signal }) => call(listVirtualHandsets, { signal }),
    refetchInterval: EVERY_MS,
  });
  const own = useSession((s) => s.profile?.corporation_id ?? null);
  const rows = data?.data ?? [];
  const open = rows.find(({ id }) => id === chosen) ?? rows[0];
  const corporation = open?.corporation_id ?? own;
  return (
    <>
      <PageHeader
        title={t('menu.virtual-handsets')}
        subtitle={t('sandbox.intro')}
        actions={corporation !== null && <TimeMenu corporation={corporation} />}
      />
      <Stack gap="md">
        {data?.elsewhere && (
          <Alert color="yellow" variant="light">
            {t('sandbox.elsewhere')}
          </Alert>
        )}
        {data && !open && (
          <EmptyState
            icon={<IconDeviceMobile size={28} stroke={1.5} />}
            title={t('sandbox.none')}
            text={t('sandbox.none_text')}
            action={
              <Button component={Link} to="/api-reference">
                {t('sandbox.reference')}
              </Button>
            }
            learn
          />
        )}
        {open && (
          <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md" style={{ alignItems: 'start' }}>
            <Section title={t('sandbox.list')}>
              <HandsetList rows={rows} open={open.id} onOpen={setChosen} />
            </Section>
            <HandsetConversation key={open.id} handset={open} />
          </SimpleGrid>
        )}
        <Section title={t('sandbox.endings_title')}>
          <Endings />
        </Section>
      </Stack>
    </>
  );
}

/** Button that lets the time of a corporation's tests pass. */
function TimeMenu({ corporation }: { corporation: number }) {
  const { t } = useTranslation();
  const { busy, run } = useAction();
  const pass = (seconds: number) =>
    run(async () => {
      const { data } = await call(passVirtualTime, { body: { corporation_id: corporation, seconds } });
      void toast('success', t('sandbox.passed', { ...data }));
      await readAgain(['virtual-handsets']);
    });
  return (
    <Menu position="bottom-end" width={280}>
      <Menu.Target>
        <Button variant="default" loading={busy} leftSection={<IconClockPlay size={16} stroke={1.6} aria-hidden />}>
          {t('sandbox.time')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Group px="sm" py={6}>
          <Text size="xs" c="dimmed">
            {t('sandbox.time_hint')}
          </Text>
        </Group>
        {(['minute', 'hour', 'day'] as const).map((step) => (
          <Menu.Item key={step} onClick={() => void pass(STEPS[step])}>
            {t(`sandbox.${step}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
