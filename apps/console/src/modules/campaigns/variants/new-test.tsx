import { createCampaignTest, MOST_VARIANTS } from '@heliograph/contract/campaigns/campaign-test';
import { allFields, compileText } from '@heliograph/contract/kernel/merge-fields';
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconCalculator, IconPlus } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../platform/call.ts';
import { useFormat } from '../../../platform/format.ts';
import { problemFrom, sentenceOf } from '../../../platform/problem.ts';
import { useSession } from '../../../platform/session.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Link } from '../../../ui/link.tsx';
import { PageHeader } from '../../../ui/page-header.tsx';
import { Section } from '../../../ui/section.tsx';
import { contentOf, type Draft, edit, hasRecipients, nameFromText } from '../composer/draft.ts';
import { type Composition, useComposition } from '../composer/use-composition.ts';
import { scheduleOf } from '../composer/when.tsx';
import { DecisionFields } from './decision-fields.tsx';
import { clearSetUp, editVariant, setUp, useSetUp } from './set-up.ts';
import { keysOf, VariantFields } from './variant-fields.tsx';

const startOf = (draft: Draft): string | null => scheduleOf(draft).start;

/** Screen that sets up an A/B test from the draft of Send SMS: its variants, the sample, and what decides. */
export function NewTest() {
  const { t } = useTranslation();
  const composition = useComposition();
  const owner = useSession((s) => s.profile?.id ?? null);
  useEffect(() => {
    if (useSetUp.getState().owner !== owner) clearSetUp(owner);
  }, [owner]);
  const toComposer = (
    <Button component={Link} to="/send-sms">
      {t('campaign_tests.to_composer')}
    </Button>
  );
  return (
    <>
      <PageHeader
        title={t('menu.new-campaign-test')}
        subtitle={t('campaign_tests.subtitle')}
        crumbs={[
          { label: t('menu.campaigns'), to: '/campaigns' },
          { label: t('menu.campaign-tests'), to: '/campaign-tests' },
        ]}
      />
      {hasRecipients(composition.draft) ? (
        <Form of={composition} />
      ) : (
        <Section title={t('campaign_tests.recipients')}>
          <EmptyState
            of="campaigns"
            learn
            title={t('campaign_tests.recipients')}
            text={t('campaign_tests.start_in_composer')}
            action={toComposer}
          />
        </Section>
      )}
    </>
  );
}

function Form({ of }: { of: Composition }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { owner: _, further, expected: _expected, ...chosen } = useSetUp();
  const { draft, content } = of;
  const check = useMutation({
    mutationFn: () => {
      const { sender_id } = content;
      const first = { sender_id, content: draft.content, start: startOf(draft) };
      const variants = [first, ...further.map((each) => ({ ...each, sender_id: each.sender_id ?? sender_id }))];
      // The defaults of a field belong to every text that uses it.
      const used = variants.flatMap((each) => allFields(compileText(each.content, keysOf(of))));
      const { sender_id: _sender, content: _text, ...common } = contentOf(draft, [...new Set(used)], of.limits);
      const name = draft.name.trim() || nameFromText(draft) || t('menu.campaign-test');
      const { quiet, spread_minutes } = scheduleOf(draft);
      const schedule = { quiet, spread_minutes };
      return call(createCampaignTest, { body: { ...chosen, name, common, variants, schedule } });
    },
    onSuccess: ({ data }) => void navigate({ to: `/campaign-tests/${data.id}` }),
  });
  const faults: Record<string, string> = {};
  for (const [field, [first]] of Object.entries(problemFrom(check.error)?.errors ?? {})) faults[field] = first ?? '';
  const elsewhere = Object.entries(faults).find(([field]) => !field.startsWith('variants.'))?.[1];
  return (
    <Stack gap="md">
      <Recipients of={of} />
      <Section title={t('campaign_tests.variants')}>
        <Stack gap="lg">
          <VariantFields
            place={1}
            of={of}
            value={{ sender_id: draft.sender_id, content: draft.content, start: startOf(draft) }}
            faults={faults}
            onChange={({ start, ...change }) => {
              edit(change);
              if (start !== undefined) edit({ schedule: { ...scheduleOf(draft), start } });
            }}
          />
          {further.map((value, at) => (
            <VariantFields
              // biome-ignore lint/suspicious/noArrayIndexKey: a variant has no other name than its place
              key={at}
              place={at + 2}
              of={of}
              value={value}
              faults={faults}
              onChange={(change) => editVariant(at, change)}
              onRemove={
                further.length > 1
                  ? () => setUp({ further: further.filter((_each, place) => place !== at) })
                  : undefined
              }
            />
          ))}
          {further.length + 1 < MOST_VARIANTS && (
            <Group>
              <Button
                variant="default"
                leftSection={<IconPlus size={16} aria-hidden />}
                onClick={() => setUp({ further: [...further, { sender_id: null, content: '', start: null }] })}
              >
                {t('campaign_tests.add')}
              </Button>
            </Group>
          )}
        </Stack>
      </Section>
      <DecisionFields of={of} variants={further.length + 1} faults={faults} />
      {check.error && (
        <Alert color="red" variant="light" role="alert">
          {elsewhere ?? sentenceOf(check.error)}
        </Alert>
      )}
      <Group justify="flex-end">
        <Button
          size="md"
          leftSection={<IconCalculator size={18} aria-hidden />}
          loading={check.isPending}
          onClick={() => check.mutate()}
        >
          {t('campaign_tests.check')}
        </Button>
      </Group>
    </Stack>
  );
}

/** Recipients and settings that all variants share; they are changed in Send SMS. */
function Recipients({ of }: { of: Composition }) {
  const { t } = useTranslation();
  const format = useFormat();
  const count = of.estimated.estimate?.total_count ?? null;
  const { end, canary, repeat } = scheduleOf(of.draft);
  return (
    <Section
      title={t('campaign_tests.recipients')}
      actions={
        <Button component={Link} to="/send-sms" variant="default" size="xs">
          {t('campaign_tests.change')}
        </Button>
      }
    >
      <Text size="sm">
        {count === null ? (
          t('campaign_tests.recipients_unknown')
        ) : (
          <b>{t('campaign_tests.recipients_count', { count, n: format.integer(count) })}</b>
        )}{' '}
        <Text span c="dimmed">
          {t('campaign_tests.recipients_text')}
        </Text>
      </Text>
      {(end !== null || canary !== null || repeat !== null) && (
        <Alert color="orange" variant="light">
          {t('campaign_tests.left_out')}
        </Alert>
      )}
    </Section>
  );
}
