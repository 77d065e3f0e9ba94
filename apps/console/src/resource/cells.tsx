import { Anchor, Tooltip } from '@mantine/core';
import i18next from 'i18next';
import { type ReactNode, useSyncExternalStore } from 'react';
import { useFormat } from '../platform/format.ts';
import { Link } from '../ui/link.tsx';
import classes from './cells.module.css';

/**
 * Cells that lists and pages share:
 *
 *   <RelativeTime at={row.created_at} />              3 min. ago, with the full time in a tooltip
 *   <MoneyText value="-600.00" currency="PHP" />      −₱600.00, aligned with the amounts above and below
 *   <NameLink to={`/users/${row.id}`}>Ana</NameLink>  the name as a link to its page
 *   <NameLink onClick={open}>Ana</NameLink>           the name as a button that opens its drawer
 *   <DotWord color="teal">Enabled</DotWord>           a dot and a word
 */

const CLOCK_MS = 30_000;
const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

/** Runs one clock for all relative times, only while one is shown. */
function watch(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = Date.now();
    for (const each of listeners) each();
  }, CLOCK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** Returns the current time to half a minute. */
function useNow(): number {
  if (listeners.size === 0) now = Date.now();
  return useSyncExternalStore(watch, () => now);
}

/** Time as a distance from now. The tooltip has the full time, here and in UTC. */
export function RelativeTime(props: { at: string }) {
  const format = useFormat();
  const clock = useNow();
  return (
    <Tooltip
      label={
        <>
          {format.instant(props.at)}
          <br />
          {i18next.t('common.utc', { time: format.instantUtc(props.at) })}
        </>
      }
    >
      <time dateTime={props.at}>{format.ago(props.at, Math.max(clock, Math.min(Date.now(), clock + CLOCK_MS)))}</time>
    </Tooltip>
  );
}

/** Amount whose decimals stand below each other in a right-aligned column. */
export function MoneyText(props: { value: string; currency?: string | undefined; strong?: boolean }) {
  const format = useFormat();
  const text = format.money(props.value, props.currency);
  return (
    <span className={classes.money} {...(props.strong ? { 'data-strong': true } : {})}>
      {text}
    </span>
  );
}

/** Name of a record: a link to its page, or a button that opens its drawer. */
export function NameLink(props: { to?: string; onClick?: () => void; children: ReactNode }) {
  const { to, onClick, children } = props;
  if (to !== undefined)
    return (
      <Anchor component={Link} to={to} className={classes.name!} onClick={(event) => event.stopPropagation()}>
        {children}
      </Anchor>
    );
  return (
    <Anchor
      component="button"
      type="button"
      className={classes.name!}
      onClick={(event) => {
        event.stopPropagation();
        onClick?.();
      }}
    >
      {children}
    </Anchor>
  );
}

/** State as a dot and a word. Colors are those of badges; gray is a neutral fact. */
export function DotWord(props: { color?: string; children: ReactNode }) {
  return (
    <span className={classes.state}>
      <span
        className={classes.dot}
        style={{ background: `var(--mantine-color-${props.color ?? 'gray'}-${props.color ? '6' : '5'})` }}
        aria-hidden="true"
      />
      {props.children}
    </span>
  );
}
