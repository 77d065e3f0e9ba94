import { Stack, Text } from '@mantine/core';
import { type ReactNode, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyPart } from '../../platform/connection.ts';
import { useFormat } from '../../platform/format.ts';
import { Cell } from '../../resource/columns.tsx';
import { Fact } from '../../ui/fact.tsx';
import classes from './campaign.module.css';
import { RejectedFile } from './composer/quote-card.tsx';
import { ScheduleMarks, ScheduleRange } from './schedule-words.tsx';
import type { CampaignDetail } from './timeline.tsx';

const KeptSegment = lazyPart(async () => (await import('../audience/index.ts')).KeptSegment);

/** Facts about a campaign that are not results, folded. */
export function About({ campaign }: { campaign: CampaignDetail }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { corporation_name, department_name, approved_by_name, approved_at } = campaign;
  const facts: [string, ReactNode][] = [
    [t('quote.parts'), format.integer(campaign.total_sms)],
    [t('campaign.estimated'), format.money(campaign.estimated_cost, campaign.currency)],
    [t('campaign.charged'), format.money(campaign.charged, campaign.currency)],
    [t('compose.validity'), t('campaign.validity', { count: campaign.sms_validity })],
    [t('resources.campaigns.fields.corporation_name'), corporation_name],
  ];
  for (const { id, name, rule, names } of campaign.segments)
    facts.push([
      t('segments.frozen'),
      <Suspense key={id} fallback={name}>
        <KeptSegment {...{ name, rule, names }} />
      </Suspense>,
    ]);
  if (department_name) facts.push([t('resources.campaigns.fields.department_name'), department_name]);
  if (campaign.starts_at || campaign.ends_at)
    facts.push([t('schedule.title'), <ScheduleRange key="schedule" campaign={campaign} />]);
  if (approved_at && approved_by_name) facts.push([t('resources.campaigns.fields.approved_by_name'), approved_by_name]);
  for (const field of ['started_at', 'finished_at'] as const)
    if (campaign[field])
      facts.push([
        t(`resources.campaigns.fields.${field}`),
        <Cell key={field} show="instant" value={campaign[field]} />,
      ]);
  return (
    <details className={`app-card ${classes.about}`}>
      <summary>{t('campaign.about')}</summary>
      <dl className={classes.facts}>
        {facts.map(([label, value], at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a campaign of several segments has a fact with this label for each
          <Fact key={at} label={label}>
            {value}
          </Fact>
        ))}
      </dl>
      <ScheduleMarks schedule={campaign.schedule} />
    </details>
  );
}

/** Texts of a campaign by language, and how many recipients got each; draws nothing for one text. */
function LanguageResults({ campaign: { languages, language_texts } }: { campaign: CampaignDetail }) {
  const { t } = useTranslation();
  const format = useFormat();
  const written = new Map((language_texts ?? []).map(({ language, text }) => [language, text]));
  const counted = new Map(languages.map(({ language, count }) => [language, count]));
  const all = [...new Set([...written.keys(), ...counted.keys()])];
  if (all.length === 0) return null;
  const countOf = (language: string | null) => {
    const count = counted.get(language);
    return count === undefined ? '' : ` · ${t('quote.messages_of', { count, n: format.integer(count) })}`;
  };
  return (
    <Stack gap="xs" component="section" aria-label={t('quote.languages')}>
      {all.map((language) => (
        <div key={language ?? ''}>
          <Text size="xs" c="dimmed">
            {language ?? t('templates.default_text')}
            {countOf(language)}
          </Text>
          {language !== null && written.has(language) && (
            <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
              {written.get(language)}
            </Text>
          )}
        </div>
      ))}
    </Stack>
  );
}

/** Text of a campaign, and the numbers that get no message. */
export function CampaignText({ campaign }: { campaign: CampaignDetail }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <>
      <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {campaign.content ?? t('campaign.text_hidden')}
      </Text>
      <LanguageResults campaign={campaign} />
      {campaign.flash && (
        <Text size="xs" c="dimmed">
          {t('compose.flash')}
        </Text>
      )}
      {campaign.rejected_count > 0 && (
        <Text size="sm" c="dimmed" component="div">
          {t('quote.rejected')}: {format.integer(campaign.rejected_count)}{' '}
          {campaign.rejected_file && <RejectedFile path={campaign.rejected_file} />}
        </Text>
      )}
    </>
  );
}
