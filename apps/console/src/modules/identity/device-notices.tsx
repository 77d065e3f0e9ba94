import {
  endPushDevice,
  keepPushDevice,
  PUSH_KINDS,
  type PushKind,
  pushDevice,
} from '@heliograph/contract/notifications/push';
import { Fieldset, Stack, Switch, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { sentenceOf } from '../../platform/problem.ts';
import { useMay } from '../../platform/session.ts';
import { toast } from '../../platform/toast.ts';

const isAble = () => 'serviceWorker' in navigator && 'PushManager' in window;

/** Asks the browser for its address, with the person's permission; null if the person refuses. */
async function addressOf(publicKey: string): Promise<PushSubscriptionJSON | null> {
  if ((await Notification.requestPermission()) !== 'granted') return null;
  const { pushManager } = await navigator.serviceWorker.ready;
  const present = await pushManager.getSubscription();
  const subscription =
    present ?? (await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey }));
  return subscription.toJSON();
}

/** Section for the notices that this device gets even while the console is closed. */
export function DeviceNotices() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const mayInbox = useMay('inbox-index');
  const mayLinks = useMay('links-index');
  const { data } = useQuery({ queryKey: ['push-device'], queryFn: () => call(pushDevice) });
  const [busy, setBusy] = useState(false);
  const able = isAble() && data?.public_key != null;
  const blocked = able && Notification.permission === 'denied';
  const kinds = data?.kinds ?? [];
  const offered = PUSH_KINDS.filter((kind) => (kind === 'reply' ? mayInbox : kind === 'link' ? mayLinks : true));

  async function keep(next: readonly PushKind[]) {
    setBusy(true);
    try {
      if (next.length === 0) await call(endPushDevice);
      else {
        const { endpoint, keys } = (await addressOf(data!.public_key!)) ?? {};
        if (!endpoint || !keys?.['p256dh'] || !keys['auth']) return;
        await call(keepPushDevice, {
          body: { endpoint, keys: { p256dh: keys['p256dh'], auth: keys['auth'] }, kinds: [...next] },
        });
      }
      await client.invalidateQueries({ queryKey: ['push-device'] });
    } catch (error) {
      void toast('error', error instanceof DOMException ? t('push.refused') : sentenceOf(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <Fieldset legend={t('push.title')} variant="unstyled">
      <Stack gap="sm">
        {offered.map((kind) => (
          <Switch
            key={kind}
            label={t(`push.kind.${kind}`)}
            disabled={busy || !able || blocked}
            checked={kinds.includes(kind)}
            onChange={({ currentTarget: { checked } }) =>
              void keep(PUSH_KINDS.filter((each) => (each === kind ? checked : kinds.includes(each))))
            }
          />
        ))}
      </Stack>
      <Text size="xs" c="dimmed" mt={6} role="status">
        {t(blocked ? 'push.blocked' : able || !data ? 'push.hint' : 'push.unavailable')}
      </Text>
    </Fieldset>
  );
}
