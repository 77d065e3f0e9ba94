import { tryRewriting } from '@heliograph/contract/links/try-rewriting';
import { Button, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { IconTestPipe } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { problemFrom, sentenceOf } from '../../platform/problem.ts';
import { AskDrawer, RulesTried } from '../../ui/ask-drawer.tsx';
import { Fact } from '../../ui/fact.tsx';
import type { LinkRow } from './link-feed.ts';

/** Button whose drawer shows what the link makes of a number, a sender ID and a text. */
export function TryRewriting({ row }: { row: LinkRow }) {
  const { t } = useTranslation();
  const [opened, setOpened] = useState(false);
  const [given, setGiven] = useState({ number: '', sender_id: '', text: '' });
  const ask = useMutation({ mutationFn: () => call(tryRewriting, { params: { id: row.id }, body: given }) });
  const faults = problemFrom(ask.error)?.errors;
  const answer = ask.data?.data;
  const ruleOf = (rule: { place: number; rule: string } | null) =>
    rule ? t('link.try_rule', rule) : t('link.try_unchanged');
  const field = (name: keyof typeof given) => ({
    required: true,
    error: faults?.[name]?.[0],
    value: given[name],
    onChange: (event: { currentTarget: { value: string } }) => {
      const { value } = event.currentTarget;
      setGiven((before) => ({ ...before, [name]: value }));
    },
  });
  return (
    <>
      <Button
        variant="default"
        size="compact-sm"
        leftSection={<IconTestPipe size={14} stroke={1.6} aria-hidden />}
        onClick={() => setOpened(true)}
      >
        {t('link.try')}
      </Button>
      {opened && (
        <AskDrawer
          title={t('link.try')}
          hint={t('link.try_hint')}
          submit={t('link.try_submit')}
          busy={ask.isPending}
          ready={Object.values(given).every((value) => value.trim() !== '')}
          fault={ask.error && !faults ? sentenceOf(ask.error) : undefined}
          onAsk={() => ask.mutate()}
          onClose={() => setOpened(false)}
          answer={
            answer && (
              <Stack gap="sm">
                <Fact label={t('link.try_number')}>
                  {answer.number}
                  <Text size="xs" c="dimmed">
                    {[ruleOf(answer.number_rule), answer.network].filter(Boolean).join(' · ')}
                  </Text>
                </Fact>
                <Fact label={t('link.try_sender')}>
                  {answer.sender_id}
                  <Text size="xs" c="dimmed">
                    {ruleOf(answer.sender_rule)}
                  </Text>
                </Fact>
                <Fact label={t('link.try_text')}>
                  <span style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>{answer.text}</span>
                  <Text size="xs" c="dimmed">
                    {t('link.try_parts', { count: answer.parts })}
                  </Text>
                </Fact>
                <RulesTried
                  title={t('resources.links.fields.text_rules')}
                  none={t('link.try_unchanged')}
                  ordered
                  rules={answer.text_rules.map(({ rule, result }, id) => ({
                    id,
                    name: rule,
                    verdict: t(`link.try_result.${result}`),
                    chosen: result === 'changed',
                  }))}
                />
              </Stack>
            )
          }
        >
          <TextInput label={t('link.try_number')} data-autofocus inputMode="numeric" {...field('number')} />
          <TextInput label={t('link.try_sender')} {...field('sender_id')} />
          <Textarea label={t('link.try_text')} autosize minRows={2} {...field('text')} />
        </AskDrawer>
      )}
    </>
  );
}
