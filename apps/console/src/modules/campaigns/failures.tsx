import { reasonCode } from '@heliograph/contract/links/carrier-status';
import { Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../platform/format.ts';
import { reasonOf } from '../reports/index.ts';
import classes from './failures.module.css';
import type { CampaignDetail } from './timeline.tsx';

/** List of the reasons for failed messages, most frequent first. */
export function Failures({ failures }: { failures: CampaignDetail['failures'] }) {
  const { t } = useTranslation();
  const format = useFormat();
  if (failures.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('campaign.no_failures')}
      </Text>
    );
  const most = Math.max(...failures.map(({ count }) => count));
  return (
    <Stack component="ul" gap="sm" m={0} p={0} className={classes.list ?? ''}>
      {failures.map((failure) => (
        <li key={`${failure.state} ${failure.error_code}`}>
          <div className={classes.line}>
            <span>{reasonOf(failure.error_code)}</span>
            <b>{format.integer(failure.count)}</b>
          </div>
          <div className={classes.bar} style={{ width: `${(failure.count / most) * 100}%` }} aria-hidden="true" />
          <Text size="xs" c="dimmed">
            {[t(`message_state.${failure.state}`), reasonCode(failure.error_code)].filter(Boolean).join(' · ')}
          </Text>
        </li>
      ))}
    </Stack>
  );
}
