import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../platform/session.ts';
import { shadesOf } from '../../ui/theme.ts';
import classes from './team.module.css';
import type { TeamRow } from './teams.tsx';

/** Small preview of the page that a browser shows at a reseller's address. */
export function LookPreview({ row }: { row: TeamRow }) {
  const { t } = useTranslation();
  const platform = useSession((s) => s.pageConfigurations?.color) ?? '#2f6fde';
  const name = row.app_name ?? row.corporation_name;
  return (
    <figure style={{ margin: 0 }}>
      <Text component="figcaption" size="xs" c="dimmed" mb={6}>
        {t('teams.preview')}
      </Text>
      <div className={classes.page}>
        <div className={classes.tab}>
          {row.favicon_path && <img src={row.favicon_path} alt="" />}
          <span>{`${name} – ${t('menu.login')}`}</span>
          <span className={classes.address}>{row.base_url}</span>
        </div>
        <div className={classes.sheet}>
          {row.login_logo_path ? (
            <img src={row.login_logo_path} alt={name} />
          ) : (
            <Text fw={600} fz={20}>
              {name}
            </Text>
          )}
          <div className={classes.card} aria-hidden>
            <Text size="sm" fw={600}>
              {t('signin.title', { name })}
            </Text>
            <div className={classes.line} />
            <div className={classes.line} />
            <div className={classes.button} style={{ background: shadesOf(row.theme_color ?? platform)[6] }} />
          </div>
        </div>
      </div>
    </figure>
  );
}
