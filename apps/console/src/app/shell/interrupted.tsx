import { Alert, Button, Group } from '@mantine/core';
import { IconPlugConnectedX, IconRefresh } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useConnection, useRelease } from '../../platform/connection.ts';
import { useLive } from '../../platform/live.ts';

/** Minimum duration of an interruption that is shown, in ms. Shorter interruptions are not reported. */
const INTERRUPTION_SHOWN_MS = 3_000;

/** Bars above each screen: the server cannot be reached, live updates are paused, or a new release is ready. */
export function Interrupted() {
  const { t } = useTranslation();
  const interrupted = useLive((s) => s.interrupted);
  const offline = useConnection((s) => s.offline);
  const load = useRelease((s) => s.load);
  const [shown, setShown] = useState(false);
  useEffect(() => {
    if (!interrupted) return setShown(false);
    const timer = setTimeout(() => setShown(true), INTERRUPTION_SHOWN_MS);
    return () => clearTimeout(timer);
  }, [interrupted]);
  return (
    <div role="status">
      {offline && (
        <Alert color="yellow" py="xs" mb="md" icon={<IconPlugConnectedX size={18} />}>
          <strong>{t('shell.no_connection')}</strong> <Countdown />
          <div>{t('shell.no_connection_hint')}</div>
        </Alert>
      )}
      {!offline && shown && (
        <Alert color="orange" py="xs" mb="md" icon={<IconPlugConnectedX size={18} />}>
          {t('shell.offline')}
        </Alert>
      )}
      {!offline && load && (
        <Alert py="xs" mb="md" icon={<IconRefresh size={18} />}>
          <Group gap="sm">
            {t('shell.new_release')}
            <Button size="compact-sm" variant="default" onClick={load}>
              {t('actions.reload')}
            </Button>
          </Group>
        </Alert>
      )}
    </div>
  );
}

/** Seconds until the next try. They are not read aloud: they change every second. */
function Countdown() {
  const { t } = useTranslation();
  const retryAt = useConnection((s) => s.retryAt);
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.ceil((retryAt - now) / 1_000));
  return <span aria-hidden="true">– {t('shell.retrying', { seconds })}</span>;
}
