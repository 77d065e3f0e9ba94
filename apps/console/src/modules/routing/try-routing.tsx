import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { explainRouting } from '@heliograph/contract/routing/routing';
import { Alert, Button, Divider, Drawer, Group, List, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { problemFrom, sentenceOf } from '../../platform/problem.ts';
import { labelOf } from '../../resource/columns.tsx';

type Explanation = ReplyOf<typeof explainRouting>['data'];

/** Asks for a number and a text, and shows which routing takes it and why. */
export function TryRouting(props: { onClose: () => void }) {
  const { t } = useTranslation();
  const [number, setNumber] = useState('');
  const [text, setText] = useState('');
  const explain = useMutation({ mutationFn: () => call(explainRouting, { query: { number, text } }) });
  const faults = problemFrom(explain.error)?.errors;

  function submit(event: FormEvent) {
    event.preventDefault();
    explain.mutate();
  }

  return (
    <Drawer
      opened
      onClose={props.onClose}
      title={
        <Text fw={650} size="lg">
          {t('routings.try')}
        </Text>
      }
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {t('routings.try_hint')}
        </Text>
        <form onSubmit={submit} noValidate>
          <Stack gap="sm">
            <TextInput
              label={labelOf('routings', 'number')}
              inputMode="tel"
              required
              data-autofocus
              error={faults?.['number']?.[0]}
              value={number}
              onChange={(event) => setNumber(event.currentTarget.value)}
            />
            <Textarea
              label={t('routings.try_text')}
              autosize
              minRows={2}
              maxLength={1_530}
              error={faults?.['text']?.[0]}
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
            />
            {explain.error && !faults && (
              <Text size="sm" c="var(--mantine-color-error)" role="alert">
                {sentenceOf(explain.error)}
              </Text>
            )}
            <Group justify="flex-end">
              <Button type="submit" loading={explain.isPending} disabled={number.trim() === ''}>
                {t('routings.try_submit')}
              </Button>
            </Group>
          </Stack>
        </form>
        <div aria-live="polite">{explain.data && <Answer {...explain.data.data} />}</div>
      </Stack>
    </Drawer>
  );
}

function Answer(props: Explanation) {
  const { t } = useTranslation();
  const { routing, opt, rules } = props;
  return (
    <Stack gap="md">
      <Alert color={opt === 'opt_out' ? 'orange' : routing ? 'teal' : 'gray'} variant="light">
        {sentences(props, t).join(' ')}
      </Alert>
      <Stack gap={6}>
        <Divider label={t('routings.rules_tried')} labelPosition="left" />
        {rules.length === 0 && (
          <Text size="sm" c="dimmed">
            {t('routings.no_rules')}
          </Text>
        )}
        <List size="sm" spacing={4}>
          {rules.map((rule) => (
            <List.Item key={rule.id}>
              <Text span size="sm" fw={rule.verdict === 'chosen' ? 650 : 400}>
                {rule.keyword ?? t('routings.catch_all')} · {rule.corporation_name}
              </Text>
              {' · '}
              <Text span size="sm" {...(rule.verdict === 'chosen' ? { fw: 650 } : { c: 'dimmed' })}>
                {t(`routing_verdict.${rule.verdict}`)}
              </Text>
            </List.Item>
          ))}
        </List>
      </Stack>
    </Stack>
  );
}

/** What would become of the text, one thing after the other. */
function sentences(
  { routing, opt, alias_of, valid, answer }: Explanation,
  t: ReturnType<typeof useTranslation>['t'],
): string[] {
  if (opt === 'opt_out') return [t('routings.opt_out')];
  const said = opt === 'opt_in' ? [t('routings.opt_in')] : [];
  if (!routing) return [...said, t('routings.taken_none')];
  if (alias_of) said.push(t('routings.taken_alias', { keyword: alias_of }));
  else if (routing.keyword) said.push(t('routings.taken', { keyword: routing.keyword }));
  else said.push(t('routings.taken_rest'));
  if (routing.action === 'url') return [...said, t('routings.to_url', { url: routing.url ?? '' })];
  said.push(t('routings.to_inbox'));
  if (valid !== null) said.push(t(valid ? 'routings.valid' : 'routings.invalid'));
  said.push(answer === null ? t('routings.silent') : t('routings.answers', { text: answer }));
  return said;
}
