import { ACCUSED_SCORE } from '@heliograph/contract/links/link-truth';
import { Anchor, Badge, Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../platform/format.ts';
import { Cell } from '../../resource/columns.tsx';
import { Link } from '../../ui/link.tsx';
import { Section } from '../../ui/section.tsx';
import type { LinkRow } from './link-feed.ts';

/** Judgment on the receipts of a link, with its evidence. Shown for links that get test messages. */
export function LinkTruth({ row }: { row: LinkRow }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { truth } = row;
  if (row.test_rate === 0) return null;
  const accused = truth !== null && truth.score >= ACCUSED_SCORE;
  return (
    <Section
      title={t('link_truth.title')}
      actions={
        <Anchor component={Link} to="/test-numbers" size="sm">
          {t('menu.test-numbers')}
        </Anchor>
      }
    >
      {truth === null ? (
        <Text size="sm" c="dimmed">
          {t('link_truth.not_yet')}
        </Text>
      ) : (
        <Stack gap="sm">
          <Group gap="sm">
            <Badge color={accused ? 'red.9' : 'teal.9'} variant="filled">
              {t('link_truth.score', { score: truth.score })}
            </Badge>
            <Text size="sm">{t(accused ? 'link_truth.accused' : 'link_truth.clear')}</Text>
          </Group>
          {truth.findings.map(({ sign, looked_at, found, honest_percent, score }) => (
            <div key={sign}>
              <Text size="sm" fw={score >= ACCUSED_SCORE ? 650 : 400}>
                {t(`link_truth.sign.${sign}`, {
                  found: format.integer(found),
                  of: format.integer(looked_at),
                  percent: honest_percent,
                })}
              </Text>
              <Text size="xs" c="dimmed">
                {t('link_truth.score', { score })}
              </Text>
            </div>
          ))}
          <Text size="xs" c="dimmed">
            {t('link_truth.tests', {
              dead: format.integer(truth.tests.dead),
              own: format.integer(truth.tests.own),
              delivered: format.integer(truth.tests.own_delivered),
              loop: format.integer(truth.tests.loop),
            })}{' '}
            <Cell show="instant" value={truth.judged_at} />
          </Text>
        </Stack>
      )}
    </Section>
  );
}
