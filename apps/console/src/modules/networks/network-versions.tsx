import { network, networkVersions, restoreNetworkVersion } from '@heliograph/contract/networks/network';
import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../platform/action.ts';
import { call } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { queryClient } from '../../platform/queries.ts';
import { useMay } from '../../platform/session.ts';
import { toast } from '../../platform/toast.ts';
import { Cell } from '../../resource/columns.tsx';
import { openDialog } from '../../ui/dialogs.ts';
import { FormDrawer } from '../../ui/form-frame.tsx';

const SHOWN = 50;

/** Button whose drawer lists the versions of all prefixes, and returns to an earlier one. */
export function NetworkVersions() {
  const { t } = useTranslation();
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button variant="default" leftSection={<IconHistory size={16} stroke={1.6} />} onClick={() => setOpened(true)}>
        {t('networks.versions')}
      </Button>
      {opened && (
        <FormDrawer title={t('networks.versions')} onClose={() => setOpened(false)}>
          <Versions />
        </FormDrawer>
      )}
    </>
  );
}

function Versions() {
  const { t } = useTranslation();
  const format = useFormat();
  const mayRestore = useMay('networks-upload');
  const { busy, run } = useAction();
  const list = useQuery({
    queryKey: [network.name, 'versions'],
    queryFn: ({ signal }) => call(networkVersions, { query: { limit: SHOWN }, signal }),
  });
  const restore = (id: number) =>
    run(async () => {
      const { message } = await call(restoreNetworkVersion, { params: { id } });
      void toast('success', message);
      await queryClient.invalidateQueries({ queryKey: [network.name] });
    });
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        {t('networks.versions_hint')}
      </Text>
      {list.data?.data.map((version, place) => (
        <Group key={version.id} justify="space-between" wrap="nowrap" align="flex-start">
          <div>
            <Text size="sm" fw={600}>
              {t('networks.version', { version: format.integer(version.id) })} · {t(`network_source.${version.source}`)}
            </Text>
            <Text size="xs" c="dimmed">
              <Cell show="instant" value={version.in_force_at} />
              {version.user_name && ` · ${version.user_name}`}
            </Text>
            <Text size="xs" c="dimmed">
              {t('networks.changes', {
                networks: format.integer(version.networks),
                added: format.integer(version.added),
                removed: format.integer(version.removed),
              })}
            </Text>
          </div>
          {mayRestore && place > 0 && (
            <Anchor
              component="button"
              type="button"
              size="sm"
              disabled={busy}
              onClick={() =>
                openDialog({
                  title: t('networks.restore'),
                  text: t('networks.restore_text', { version: format.integer(version.id) }),
                  confirm: t('networks.restore'),
                  onConfirm: () => restore(version.id),
                })
              }
            >
              {t('networks.restore')}
            </Anchor>
          )}
        </Group>
      ))}
    </Stack>
  );
}
