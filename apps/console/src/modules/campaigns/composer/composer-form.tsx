import { Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Section } from '../../../ui/section.tsx';
import { MessageSection } from './message-section.tsx';
import { MoreOptions } from './more-options.tsx';
import { ContentType, Recipients } from './recipients.tsx';
import type { Composition } from './use-composition.ts';
import { fieldsBrought } from './use-recipients.ts';
import { When } from './when.tsx';

/** All that the user enters: audience, message, time, and further options. */
export function ComposerForm(props: {
  of: Composition;
  /** Faults that the server found in the schedule, by field. */
  scheduleFaults: Readonly<Record<string, string>>;
}) {
  const { t } = useTranslation();
  const { of, scheduleFaults } = props;
  const { draft, lists, pasted, rules, recipients, limits, faults } = of;
  return (
    <Stack gap="md">
      <Section title={t('compose.audience')} actions={<ContentType value={draft.content_type} />}>
        <Recipients
          {...{ draft, lists, pasted, rules }}
          corporationId={of.sender?.corporation_id ?? lists.corporationId}
          errors={faults}
        />
      </Section>
      <MessageSection of={of} fields={fieldsBrought(draft, recipients)} />
      <Section title={t('compose.when')}>
        <When limits={limits} errors={scheduleFaults} />
        <MoreOptions draft={draft} limits={limits} errors={{ ...faults, ...scheduleFaults }} />
      </Section>
    </Stack>
  );
}
