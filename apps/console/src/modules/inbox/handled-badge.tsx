import { Badge } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { InboxRow } from './inbox-table.tsx';

const COLORS: Readonly<Record<InboxRow['handled'], string>> = {
  inbox: 'brand',
  url: 'cyan',
  opt_out: 'red',
  opt_in: 'teal',
  loop: 'orange',
  unrouted: 'gray',
};

/** Badge with the result of an inbound message, and whether it was a valid reply. */
export function HandledBadge({ row }: { row: Pick<InboxRow, 'handled' | 'valid'> }) {
  const { t } = useTranslation();
  const validity = row.valid === null ? null : t(row.valid ? 'inbox.valid' : 'inbox.invalid');
  return (
    <Badge variant="light" size="sm" color={row.valid === false ? 'orange' : row.valid ? 'teal' : COLORS[row.handled]}>
      {validity ?? t(`inbox.handled.${row.handled}`)}
    </Badge>
  );
}
