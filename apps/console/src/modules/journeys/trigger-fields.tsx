import { contactField } from '@heliograph/contract/audience/contact-field';
import { segment } from '@heliograph/contract/audience/segment';
import { JOURNEY_TRIGGERS, type JourneyTrigger } from '@heliograph/contract/journeys/journey-definition';
import { Checkbox, NativeSelect, NumberInput, TagsInput, Text, TextInput } from '@mantine/core';
import { type ReactNode, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyPart } from '../../platform/connection.ts';
import { ReferenceSelect } from '../../resource/reference.tsx';
import classes from './journey.module.css';

const CampaignSelect = lazyPart(async () => (await import('../audience/index.ts')).CampaignSelect);

const FIRST: { readonly [On in JourneyTrigger['on']]: JourneyTrigger } = {
  segment: { on: 'segment', segment_id: 0 },
  event: { on: 'event' },
  date: { on: 'date', field_id: 0, yearly: true, days: 0, at: '09:00' },
  keyword: { on: 'keyword', keywords: [], number: null },
  click: { on: 'click', campaign_id: null, link: null },
};

/** Fields of the cause for which people enter. */
export function TriggerFields(props: {
  trigger: JourneyTrigger;
  corporationId: number;
  errorOf: (field: string) => ReactNode;
  onChange: (trigger: JourneyTrigger) => void;
}) {
  const { trigger, corporationId, errorOf, onChange } = props;
  const { t } = useTranslation();
  const within = { corporation_id: corporationId };
  return (
    <>
      <NativeSelect
        label={t('journeys.trigger')}
        value={trigger.on}
        data={JOURNEY_TRIGGERS.map((on) => ({ value: on, label: t(`journey_trigger.${on}`) }))}
        onChange={(event) => onChange(FIRST[event.currentTarget.value as JourneyTrigger['on']])}
      />
      {trigger.on === 'segment' && (
        <ReferenceSelect
          to={segment}
          within={within}
          label={t('journeys.segment')}
          value={trigger.segment_id || null}
          error={errorOf('segment_id')}
          onChange={(id) => onChange({ ...trigger, segment_id: id ?? 0 })}
        />
      )}
      {trigger.on === 'date' && (
        <>
          <ReferenceSelect
            to={contactField}
            within={within}
            label={t('journeys.field')}
            value={trigger.field_id || null}
            error={errorOf('field_id')}
            onChange={(id) => onChange({ ...trigger, field_id: id ?? 0 })}
          />
          <div className={classes.fields}>
            <NumberInput
              label={t('journeys.days')}
              description={t('journeys.days_hint')}
              min={-365}
              max={365}
              allowDecimal={false}
              value={trigger.days}
              error={errorOf('days')}
              onChange={(days) => onChange({ ...trigger, days: Number(days) })}
            />
            <TextInput
              type="time"
              label={t('journeys.at')}
              value={trigger.at}
              error={errorOf('at')}
              onChange={(event) => onChange({ ...trigger, at: event.currentTarget.value })}
            />
          </div>
          <Checkbox
            label={t('journeys.yearly')}
            checked={trigger.yearly}
            onChange={(event) => onChange({ ...trigger, yearly: event.currentTarget.checked })}
          />
        </>
      )}
      {trigger.on === 'keyword' && (
        <>
          <TagsInput
            label={t('journeys.keywords')}
            description={t('journeys.keywords_hint')}
            value={trigger.keywords}
            maxTags={20}
            error={errorOf('keywords') ?? trigger.keywords.map((_, at) => errorOf(`keywords.${at}`)).find(Boolean)}
            onChange={(keywords) => onChange({ ...trigger, keywords })}
          />
          <TextInput
            label={t('journeys.number')}
            description={t('journeys.number_hint')}
            maxLength={40}
            value={trigger.number ?? ''}
            error={errorOf('number')}
            onChange={(event) => onChange({ ...trigger, number: event.currentTarget.value || null })}
          />
        </>
      )}
      {trigger.on === 'click' && (
        <>
          <Suspense>
            <CampaignSelect
              corporationId={corporationId}
              label={t('journeys.campaign')}
              value={trigger.campaign_id}
              error={errorOf('campaign_id')}
              onChange={(campaign_id) =>
                onChange({ ...trigger, campaign_id, ...(campaign_id === null && { link: null }) })
              }
            />
          </Suspense>
          {trigger.campaign_id !== null && (
            <NumberInput
              label={t('journeys.link')}
              description={t('journeys.link_hint')}
              min={1}
              max={20}
              allowDecimal={false}
              value={trigger.link ?? ''}
              error={errorOf('link')}
              onChange={(link) => onChange({ ...trigger, link: link === '' ? null : Number(link) })}
            />
          )}
          <Text size="sm" c="dimmed">
            {t('journeys.click_hint')}
          </Text>
        </>
      )}
    </>
  );
}
