import type { Alarm } from '@heliograph/contract/alarms/alarm';
import { Button } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../platform/format.ts';
import { type Alarms, useSession } from '../../platform/session.ts';
import { Link } from '../../ui/link.tsx';
import classes from './alarm-strip.module.css';

/** Age in ms from which the time of an alarm is shown with its date. */
const LONG_MS = 18 * 3_600_000;

/**
 * One line about what is wrong now, with the way to it. With `calm` it also says that nothing is wrong; otherwise
 * nothing is shown then. `apart` keeps a distance from the screen below.
 */
export function AlarmStrip({ calm = false, apart = false }: { calm?: boolean; apart?: boolean }) {
  const { t } = useTranslation();
  const alarms = useSession((s) => s.alarms);
  if (!alarms) return calm ? <div className={classes.strip} data-waiting /> : null;
  if (alarms.present.length > 0) return <Alarming {...alarms} apart={apart} />;
  if (!calm) return null;
  return (
    <div className={classes.strip} data-good role="status">
      <IconCircleCheck size={20} stroke={1.8} aria-hidden />
      <strong>{t('alarms.normal')}</strong>
      <span className={classes.facts}>{t('alarms.links_up', { count: alarms.links })}</span>
    </div>
  );
}

/** Alarms that the line is about: all links that are down, else the oldest one. */
function subjectOf(present: readonly Alarm[]): readonly Alarm[] {
  const down = present.filter(({ condition }) => condition === 'link_down');
  return down.length > 0 ? down : present.slice(0, 1);
}

const placeOf = ([first, ...more]: readonly Alarm[]): string =>
  first?.link_id == null ? '/nodes' : more.length > 0 ? '/links' : `/links/${first.link_id}`;

function Alarming({ present, links, waiting, apart }: Alarms & { apart: boolean }) {
  const { t } = useTranslation();
  const format = useFormat();
  const subject = subjectOf(present);
  const first = subject[0]!;
  const since = subject.map((alarm) => alarm.since).sort()[0]!;
  const long = Date.now() - Date.parse(since) > LONG_MS;
  const others = present.length - subject.length;
  const facts = [t('alarms.since', { time: long ? format.instant(since) : format.clock(since) })];
  if (first.lost && first.currency) facts.push(t('alarms.lost', { amount: format.money(first.lost, first.currency) }));
  if (waiting > 0) facts.push(t('alarms.waiting', { count: waiting, replace: { count: format.integer(waiting) } }));
  if (others > 0) facts.push(t('alarms.more', { count: others }));
  const to = placeOf(subject);
  return (
    <div className={classes.strip} data-bad data-apart={apart || undefined} role="status">
      <IconAlertTriangle size={20} stroke={1.8} aria-hidden />
      <strong>
        {subject.length > 1
          ? t('alarms.links_down', { down: format.integer(subject.length), links: format.integer(links) })
          : t(`alarms.begun.${first.condition}.title`, { name: first.name })}
      </strong>
      <span className={classes.facts}>{facts.join(' · ')}</span>
      <Button component={Link} to={to} size="compact-sm" variant="white" color="red" className={classes.open!}>
        {t(to === '/nodes' ? 'alarms.view_nodes' : subject.length > 1 ? 'alarms.view_links' : 'alarms.view_link')}
      </Button>
    </div>
  );
}
