import { Menu, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../platform/format.ts';
import { useMay, useSession } from '../../platform/session.ts';
import { Link } from '../../ui/link.tsx';
import classes from './shell.module.css';

/** Balance or debt of the user's billing account, in the top bar and with the account's name in the user menu. */
export function Outstanding(props: { inMenu?: boolean }) {
  const { t } = useTranslation();
  const format = useFormat();
  const outstanding = useSession((s) => s.totalOutstanding);
  const mayOpen = useMay('credit-changes-index');
  if (!outstanding || outstanding.type === 'none') return null;
  const content = (
    <>
      <Text
        size="xs"
        {...(props.inMenu ? {} : { c: 'dimmed' })}
        lh={1.25}
        truncate
        maw={180}
        title={t('shell.billing_account', { label: outstanding.label })}
      >
        {t('shell.billing_account', { label: outstanding.label })}
      </Text>
      <Text
        size="sm"
        fw={600}
        lh={1.25}
        {...(outstanding.amount.startsWith('-') ? { c: 'var(--mantine-color-error)' } : {})}
      >
        {format.money(outstanding.amount, outstanding.currency)}
      </Text>
    </>
  );
  if (props.inMenu)
    return mayOpen ? (
      <Menu.Item component={Link} to="/credit-changes">
        {content}
      </Menu.Item>
    ) : (
      <div style={{ padding: '6px 12px' }}>{content}</div>
    );
  const label = `${t('shell.billing_account', { label: outstanding.label })}: ${format.money(outstanding.amount, outstanding.currency)}`;
  return mayOpen ? (
    <Link to="/credit-changes" className={classes.badge!} aria-label={label} data-outstanding>
      {content}
    </Link>
  ) : (
    <div className={classes.badge} data-outstanding>
      {content}
    </div>
  );
}
