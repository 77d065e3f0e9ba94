import { Input, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../../platform/session.ts';
import { Section } from '../../../ui/section.tsx';
import { edit } from './draft.ts';
import { MessageSection } from './message-section.tsx';
import { Options } from './options.tsx';
import { Recipients } from './recipients.tsx';
import { ScheduleSection } from './schedule.tsx';
import { SenderSelect } from './sender-select.tsx';
import { type Composition, testOf } from './use-composition.ts';
import { fieldsBrought } from './use-recipients.ts';

/** All that the user enters: sender, recipients, message, options, schedule and name. */
export function ComposerForm(props: {
  of: Composition;
  /** Name of the campaign if the user enters none. */
  suggestedName: string;
  /** Faults that the server found in the schedule, by field. */
  scheduleFaults: Readonly<Record<string, string>>;
}) {
  const { t } = useTranslation();
  const ownZone = useSession((s) => s.corporationTimeZone) || 'UTC';
  const { draft, sender, limits, rules, pasted, recipients, recipient, measured, faults } = props.of;
  return (
    <Stack gap="md">
      <Section title={t('compose.from')}>
        <SenderSelect value={draft.sender_id} error={faults['sender_id']} />
        <ContentType value={draft.content_type} />
      </Section>
      <Section title={t('compose.to')}>
        <Recipients {...{ draft, pasted, rules }} corporationId={sender?.corporation_id} errors={faults} />
      </Section>
      <MessageSection
        draft={draft}
        corporationId={sender?.corporation_id}
        measured={measured}
        fields={fieldsBrought(draft, recipients)}
        recipient={recipient}
        test={testOf(props.of)}
        error={faults['content']}
      />
      <Section title={t('compose.options')}>
        <Options draft={draft} fields={measured.compiled.fields} limits={limits} errors={faults} />
      </Section>
      <ScheduleSection zone={limits.timezone ?? ownZone} blackout={limits.blackout} errors={props.scheduleFaults} />
      <Section title={t('final.name')}>
        <TextInput
          aria-label={t('final.name')}
          description={t('final.name_hint')}
          placeholder={props.suggestedName}
          maxLength={150}
          value={draft.name}
          onChange={(event) => edit({ name: event.currentTarget.value })}
        />
      </Section>
    </Stack>
  );
}

/**
 * Choice between the same message for everyone and a file. The file holds a personal text per row, or the values for
 * one text.
 */
function ContentType({ value }: { value: 'single' | 'multi' }) {
  const { t } = useTranslation();
  return (
    <Input.Wrapper label={t('resources.campaigns.fields.content_type')} labelElement="div">
      <div>
        <SegmentedControl
          aria-label={t('resources.campaigns.fields.content_type')}
          data={[
            { value: 'single', label: t('content_type.single') },
            { value: 'multi', label: t('content_type.multi') },
          ]}
          value={value}
          onChange={(next) => edit({ content_type: next === 'multi' ? 'multi' : 'single' })}
        />
      </div>
      <Text size="xs" c="dimmed" mt={4}>
        {t(`content_type.${value}_hint`)}
      </Text>
    </Input.Wrapper>
  );
}
