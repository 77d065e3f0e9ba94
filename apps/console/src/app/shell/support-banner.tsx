import { profile as readProfile } from '@heliograph/contract/identity/session';
import { Button, Portal } from '@mantine/core';
import { IconEye } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { useSession } from '../../platform/session.ts';
import { leave } from '../../platform/sign-in.ts';
import classes from './support-banner.module.css';

/** Interval in ms at which the banner asks whether the session still lasts: the person may withdraw their consent. */
const ASK_MS = 10_000;
const MINUTE_MS = 60_000;

/** Line above all screens of a support session: the person whose console it is, the time left, and the end. */
export function SupportBanner() {
  const { t } = useTranslation();
  const profile = useSession((s) => s.profile);
  const endsAt = Date.parse(profile?.support?.ends_at ?? '');
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => {
      setNow(Date.now());
      if (Date.now() >= endsAt) return void leave();
      // A refusal leads back to the own console.
      void call(readProfile).catch(() => undefined);
    }, ASK_MS);
    return () => clearInterval(timer);
  }, [endsAt]);
  if (!profile?.support) return null;
  const minutes = Math.max(0, Math.ceil((endsAt - now) / MINUTE_MS));
  return (
    <>
      <div className={classes.space} />
      <Portal>
        <section className={classes.banner} aria-label={t('support.banner')}>
          <IconEye size={18} stroke={1.8} aria-hidden className={classes.icon} />
          <span className={classes.text}>
            <span>{t('support.banner_of', { name: profile.name, corporation: profile.corporation_name ?? '' })}</span>{' '}
            <strong>{t('support.read_only')}</strong> <span>{t('support.left', { count: minutes })}.</span>
          </span>
          <Button size="compact-sm" variant="white" className={classes.end!} onClick={() => void leave()}>
            {t('support.end')}
          </Button>
        </section>
      </Portal>
    </>
  );
}
