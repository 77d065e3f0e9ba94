import { UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';
import { RelativeTime } from '../../resource/cells.tsx';
import { Link } from '../../ui/link.tsx';
import classes from './notification-center.module.css';

/** Entry of the bell. */
export interface Entry {
  key: string;
  /** Tab that lists it beside the first one. */
  kind: 'approvals' | 'replies' | 'files' | 'alarms';
  at: string;
  icon: ReactNode;
  title: string;
  facts: ReactNode;
  unread: boolean;
  /** Screen that the entry leads to, or the work of a click. */
  to?: string;
  /** Parameters of that screen's address. */
  search?: Record<string, string>;
  onClick?: () => void;
  disabled?: boolean;
}

/** Line of an entry, which leads to its screen or does its work. */
export function NotificationRow({
  icon,
  title,
  facts,
  at,
  unread,
  to,
  search = {},
  onClick,
  disabled,
  onClose,
}: Omit<Entry, 'key'> & { onClose: () => void }) {
  const content = (
    <>
      <span className={classes.icon}>{icon}</span>
      <span className={classes.text}>
        <span className={classes.title} data-unread={unread || undefined}>
          {title}
        </span>
        <span className={classes.facts}>{facts}</span>
      </span>
      <span className={classes.time}>
        <RelativeTime at={at} />
      </span>
    </>
  );
  return to === undefined ? (
    <UnstyledButton className={classes.row} onClick={onClick} disabled={disabled ?? false}>
      {content}
    </UnstyledButton>
  ) : (
    <Link to={to} search={search} className={classes.row!} onClick={onClose}>
      {content}
    </Link>
  );
}
