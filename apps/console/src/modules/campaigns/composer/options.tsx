import { NumberInput, Stack, Switch, TagsInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { type Draft, edit } from './draft.ts';
import type { SendingOptions } from './use-sending-options.ts';

/** Sending options besides the schedule. */
export function Options(props: { draft: Draft; limits: SendingOptions; errors: Readonly<Record<string, string>> }) {
  const { t } = useTranslation();
  const { draft, limits, errors } = props;
  return (
    <Stack gap="lg">
      <NumberInput
        label={t('compose.validity')}
        description={t('compose.validity_hint', { count: limits.validity })}
        maw={260}
        min={1}
        max={limits.validity}
        clampBehavior="blur"
        allowDecimal={false}
        suffix={t('compose.hours_suffix')}
        error={errors['sms_validity']}
        value={Math.min(draft.sms_validity, limits.validity)}
        onChange={(value) => typeof value === 'number' && edit({ sms_validity: value })}
      />
      {limits.flash && (
        <Switch
          label={t('compose.flash')}
          description={t('compose.flash_hint')}
          error={errors['flash']}
          checked={draft.flash}
          onChange={(event) => edit({ flash: event.currentTarget.checked })}
        />
      )}
      <Switch
        label={t('compose.short_links')}
        description={t('compose.short_links_hint', { base: limits.shortLinkBase })}
        checked={draft.short_links}
        onChange={(event) => edit({ short_links: event.currentTarget.checked })}
      />
      <Switch
        label={t('compose.notify_number')}
        description={t('compose.notify_number_hint')}
        // An impossible option shows its error before a quote is requested.
        error={
          draft.notify_number && limits.phone === false ? t('errors.notify_number_missing') : errors['notify_number']
        }
        checked={draft.notify_number}
        onChange={(event) => edit({ notify_number: event.currentTarget.checked })}
      />
      {limits.lookups && (
        <Switch
          label={t('compose.skip_dead')}
          description={t('compose.skip_dead_hint')}
          checked={draft.skip_dead}
          onChange={(event) => edit({ skip_dead: event.currentTarget.checked })}
        />
      )}
      {limits.parameters && (
        <TagsInput
          label={t('compose.parameters')}
          description={t('compose.parameters_hint')}
          error={Object.entries(errors).find(([field]) => field.startsWith('parameters'))?.[1]}
          value={draft.parameters}
          onChange={(parameters) => edit({ parameters })}
          acceptValueOnBlur
        />
      )}
    </Stack>
  );
}
