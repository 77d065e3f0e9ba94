import { explainRouting } from '@heliograph/contract/inbound-routing/routing';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { unreachable } from '@heliograph/contract/kernel/unreachable';
import { Alert, Stack, Textarea, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { problemFrom, sentenceOf } from '../../platform/problem.ts';
import { labelOf } from '../../resource/columns.tsx';
import { AskDrawer, RulesTried } from '../../ui/ask-drawer.tsx';

type Explanation = ReplyOf<typeof explainRouting>['data'];

/** Drawer that asks for a number and a text. It shows the routing that takes them, and why. */
export function TryRouting(props: { onClose: () => void }) {
  const { t } = useTranslation();
  const [number, setNumber] = useState('');
  const [text, setText] = useState('');
  const explain = useMutation({ mutationFn: () => call(explainRouting, { query: { number, text } }) });
  const faults = problemFrom(explain.error)?.errors;

  return (
    <AskDrawer
      title={t('routings.try')}
      hint={t('routings.try_hint')}
      submit={t('routings.try_submit')}
      busy={explain.isPending}
      ready={number.trim() !== ''}
      fault={explain.error && !faults ? sentenceOf(explain.error) : undefined}
      onAsk={() => explain.mutate()}
      onClose={props.onClose}
      answer={explain.data && <Answer {...explain.data.data} />}
    >
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
    </AskDrawer>
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
      <RulesTried
        title={t('routings.rules_tried')}
        none={t('routings.no_rules')}
        rules={rules.map(({ id, keyword, corporation_name, verdict }) => ({
          id,
          name: `${keyword ?? t('routings.catch_all')} · ${corporation_name}`,
          verdict: t(`routing_verdict.${verdict}`),
          chosen: verdict === 'chosen',
        }))}
      />
    </Stack>
  );
}

/** Returns sentences about everything that would happen to the text, in order. */
function sentences(
  { routing, elsewhere, opt, alias_of, valid, answer }: Explanation,
  t: ReturnType<typeof useTranslation>['t'],
): string[] {
  if (opt === 'opt_out') return [t('routings.opt_out')];
  const said = opt === 'opt_in' ? [t('routings.opt_in')] : [];
  if (!routing) return [...said, t(elsewhere ? 'routings.taken_elsewhere' : 'routings.taken_none')];
  if (alias_of) said.push(t('routings.taken_alias', { keyword: alias_of }));
  else if (routing.keyword) said.push(t('routings.taken', { keyword: routing.keyword }));
  else said.push(t('routings.taken_rest'));
  switch (routing.action) {
    case 'url':
      return [...said, t('routings.to_url', { url: routing.url ?? '' })];
    case 'inbox':
      said.push(t('routings.to_inbox'));
      if (valid !== null) said.push(t(valid ? 'routings.valid' : 'routings.invalid'));
      said.push(answer === null ? t('routings.silent') : t('routings.answers', { text: answer }));
      return said;
    default:
      return unreachable(routing.action);
  }
}
