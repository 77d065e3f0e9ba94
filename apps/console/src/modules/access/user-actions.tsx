import { endUserSessions, inviteUser, unlockUser, user } from '@heliograph/contract/access/user';
import { beginSupport } from '@heliograph/contract/identity/support';
import {
  IconEye,
  IconId,
  IconKey,
  IconLockOpen,
  IconLogout,
  IconMail,
  IconShieldCheck,
  IconUsers,
} from '@tabler/icons-react';
import i18next from 'i18next';
import { call } from '../../platform/call.ts';
import { sentenceOf } from '../../platform/problem.ts';
import { queryClient } from '../../platform/queries.ts';
import { may, useSession } from '../../platform/session.ts';
import { toast } from '../../platform/toast.ts';
import type { RowAction } from '../../ui/table-parts.tsx';
import type { UserDialog, UserRow } from './users.tsx';

const ICON = { size: 16, stroke: 1.6 } as const;

/** Returns the actions for one person, in addition to editing and deleting. */
export function userActions(
  row: UserRow,
  to: { show?: (row: UserRow) => void; open: (dialog: UserDialog) => void; give?: (row: UserRow) => void },
): RowAction[] {
  const t = i18next.t.bind(i18next);
  const actions: (RowAction | false | undefined)[] = [
    to.show &&
      may(user.permissions.show) && {
        label: t('users.view'),
        icon: <IconId {...ICON} />,
        onClick: () => to.show?.(row),
      },
    row.abilities.edit &&
      may('users-reset-password') && {
        label: t('users.reset'),
        icon: <IconKey {...ICON} />,
        onClick: () => to.open({ row, what: 'reset' }),
      },
    row.invited_at !== null &&
      row.abilities.edit &&
      may('users-reset-password') && {
        label: t('invitation.again'),
        icon: <IconMail {...ICON} />,
        onClick: () => void act(() => call(inviteUser, { params: { id: row.id } })),
      },
    row.locked &&
      row.abilities.edit &&
      may('users-unlock') && {
        label: t('users.unlock'),
        icon: <IconLockOpen {...ICON} />,
        onClick: () => void act(() => call(unlockUser, { params: { id: row.id } })),
      },
    row.abilities.edit &&
      row.id !== useSession.getState().profile?.id &&
      may('users-unlock') && {
        label: t('users.sign_out'),
        icon: <IconLogout {...ICON} />,
        onClick: () => void act(() => call(endUserSessions, { params: { id: row.id } })),
      },
    row.abilities.edit &&
      row.corporation_id !== null &&
      may('users-supervisors') && {
        label: t('users.supervisors'),
        icon: <IconUsers {...ICON} />,
        onClick: () => to.open({ row, what: 'supervisors' }),
      },
    row.corporation_id !== null &&
      row.corporation_id !== useSession.getState().profile?.corporation_id &&
      may(beginSupport.permission!) && {
        label: t('support.see'),
        icon: <IconEye {...ICON} />,
        onClick: () => to.open({ row, what: 'support' }),
      },
    to.give &&
      may('give-permissions-index') && {
        label: t('users.permissions'),
        icon: <IconShieldCheck {...ICON} />,
        onClick: () => to.give?.(row),
      },
  ];
  return actions.filter((action): action is RowAction => Boolean(action));
}

async function act(work: () => Promise<{ message?: string | undefined }>): Promise<void> {
  try {
    void toast('success', (await work()).message ?? '');
  } catch (error) {
    void toast('error', sentenceOf(error));
  }
  await queryClient.invalidateQueries({ queryKey: ['users'] });
}
