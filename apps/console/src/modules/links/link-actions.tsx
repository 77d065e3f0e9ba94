import { disableLink, drainLink, enableLink } from '@heliograph/contract/links/link';
import { IconPlayerPlay, IconPlayerStop, IconPlugConnected, IconRipple } from '@tabler/icons-react';
import i18next from 'i18next';
import { call } from '../../platform/call.ts';
import { sentenceOf } from '../../platform/problem.ts';
import { queryClient } from '../../platform/queries.ts';
import { toast } from '../../platform/toast.ts';
import { openDialog } from '../../ui/dialogs.ts';
import type { RowAction } from '../../ui/table-parts.tsx';
import type { LinkRow } from './link-feed.ts';

const ICON = { size: 16, stroke: 1.6, 'aria-hidden': true } as const;
const SWITCHES = { enable: enableLink, disable: disableLink, drain: drainLink } as const;

async function change(name: keyof typeof SWITCHES, { id }: LinkRow): Promise<void> {
  try {
    const { message } = await call(SWITCHES[name], { params: { id } });
    void toast('success', message ?? i18next.t(`link.${name}`));
  } catch (error) {
    void toast('error', sentenceOf(error));
  } finally {
    await queryClient.invalidateQueries({ queryKey: ['links'] });
  }
}

function askToDisable(row: LinkRow): void {
  openDialog({
    title: i18next.t('link.disable_title', { name: row.name }),
    text: i18next.t('link.disable_text'),
    confirm: i18next.t('link.disable'),
    danger: true,
    onConfirm: () => change('disable', row),
  });
}

/** Returns the actions possible for a link now, as far as the caller is permitted. */
export function linkActions(row: LinkRow, test: () => void): RowAction[] {
  if (!row.abilities.edit) return [];
  const t = i18next.t.bind(i18next);
  return [
    { label: t('link.test'), icon: <IconPlugConnected {...ICON} />, onClick: test },
    ...(row.enabled
      ? [{ label: t('link.drain'), icon: <IconRipple {...ICON} />, onClick: () => void change('drain', row) }]
      : [{ label: t('link.enable'), icon: <IconPlayerPlay {...ICON} />, onClick: () => void change('enable', row) }]),
    ...(row.state === 'disabled'
      ? []
      : [{ label: t('link.disable'), icon: <IconPlayerStop {...ICON} />, onClick: () => askToDisable(row) }]),
  ];
}
