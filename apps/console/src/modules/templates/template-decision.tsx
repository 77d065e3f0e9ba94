import { keyIn } from '@heliograph/contract/kernel/message-keys';
import type { LanguageText } from '@heliograph/contract/templates/language-texts';
import {
  decideTemplates,
  getTemplateHistory,
  type messageTemplate,
  submitTemplate,
} from '@heliograph/contract/templates/message-template';
import { Badge, Modal, Stack, Text, Timeline } from '@mantine/core';
import { IconBan, IconCheck, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Fragment, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { useAction } from '../../platform/action.ts';
import { call } from '../../platform/call.ts';
import { queryClient } from '../../platform/queries.ts';
import { toast } from '../../platform/toast.ts';
import { Cell } from '../../resource/columns.tsx';
import { NoteDialog } from '../../ui/note-dialog.tsx';
import { SENDER_COLORS } from '../../ui/state-colors.ts';
import { TextBubble } from './text-measure.tsx';

export type Template = z.output<typeof messageTemplate.row>;
export type Verdict = 'approve' | 'reject' | 'withdraw';

const ICON = { size: 16, stroke: 1.6, 'aria-hidden': true } as const;

/** Icon of each decision. */
export const VERDICT_ICONS: Readonly<Record<Verdict, ReactNode>> = {
  approve: <IconCheck {...ICON} />,
  reject: <IconX {...ICON} />,
  withdraw: <IconBan {...ICON} />,
};

/** Returns the decisions that the caller may take about a template. */
export function verdictsOf({ state, valid, may_decide }: Template): Verdict[] {
  if (!may_decide) return [];
  return [
    ...(state === 'submitted' ? (['approve', 'reject'] as const) : []),
    ...(valid ? (['withdraw'] as const) : []),
  ];
}

/** Badge with the state of a template. */
export function TemplateState({ template: { state, state_reason } }: { template: Template }) {
  const { t } = useTranslation();
  return (
    <Badge variant="light" size="sm" color={SENDER_COLORS[state] ?? 'gray'} title={state_reason ?? undefined}>
      {t(`template_state.${state}`)}
    </Badge>
  );
}

const reread = () =>
  Promise.all(['message-templates', 'composer'].map((key) => queryClient.invalidateQueries({ queryKey: [key] })));

/** Returns an action that submits a template, and tells about it. */
export function useSubmit() {
  const { t } = useTranslation();
  const { run } = useAction();
  return ({ id, name }: Template) =>
    void run(async () => {
      await call(submitTemplate, { params: { id } });
      await reread();
      void toast('success', t('sender.submitted', { name }));
    });
}

/** Dialog that asks before a decision about templates. It shows the texts that are decided. */
export function TemplateDecision(props: { templates: readonly Template[]; verdict: Verdict; onClose: () => void }) {
  const { t } = useTranslation();
  const { templates, verdict } = props;
  const { busy, run } = useAction();
  const approves = verdict === 'approve';
  const decide = (reason = '') =>
    run(async () => {
      const asked = templates.map(({ id, revision }) => ({ id, revision }));
      const { data } = await call(decideTemplates, { body: { templates: asked, decision: verdict, reason } });
      const refused = data.filter(({ error_code }) => error_code !== null);
      for (const { id, message } of refused)
        void toast('error', `${templates.find((each) => each.id === id)?.name ?? ''}: ${message}`);
      const count = data.length - refused.length;
      if (count > 0) void toast('success', t('templates.decide.done', { count }));
      await reread();
      props.onClose();
    });
  return (
    <NoteDialog
      title={t(`templates.decide.${verdict}.title`, { count: templates.length, name: templates[0]?.name ?? '' })}
      label={t('sender.decide.reason')}
      hint={t('sender.decide.reason_hint')}
      longest={500}
      required={!approves}
      action={t(`templates.decide.${verdict}.action`)}
      danger={!approves}
      busy={busy}
      onAct={(reason) => void decide(reason)}
      onClose={props.onClose}
    >
      <Text size="sm">{t(`templates.decide.${verdict}.text`)}</Text>
      <Stack gap="xs" mah={280} style={{ overflowY: 'auto' }}>
        {templates.map((each) => (
          <Fragment key={each.id}>
            <TextBubble text={verdict === 'withdraw' ? (each.approved_text ?? each.template) : each.template} />
            <ByLanguage texts={verdict === 'withdraw' ? each.approved_language_texts : each.language_texts} />
          </Fragment>
        ))}
      </Stack>
    </NoteDialog>
  );
}

/** Texts by language, each under its language. */
function ByLanguage({ texts, clamp = false }: { texts: readonly LanguageText[]; clamp?: boolean }) {
  return texts.map(({ language, text }) => (
    <div key={language}>
      <Text size="xs" c="dimmed">
        {language}
      </Text>
      <TextBubble text={text} clamp={clamp} />
    </div>
  ));
}

/** Dialog with the history of a template: who submitted and decided which text, and why. */
export function TemplateHistory({ template, onClose }: { template: Template; onClose: () => void }) {
  const { t } = useTranslation();
  const history = useQuery({
    queryKey: ['message-templates', 'history', template.id],
    queryFn: ({ signal }) => call(getTemplateHistory, { params: { id: template.id }, signal }),
  });
  const steps = [
    ...(history.data?.data ?? []),
    {
      created_at: template.created_at,
      to_state: 'created',
      template: null,
      language_texts: [],
      user_name: null,
      reason: null,
    },
  ];
  return (
    <Modal
      opened
      onClose={onClose}
      title={`${t('templates.history')}: ${template.name}`}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <Timeline bulletSize={14} lineWidth={2} active={steps.length} aria-label={t('templates.history')}>
        {steps.map((step) => (
          <Timeline.Item
            key={`${step.created_at} ${step.to_state}`}
            color={SENDER_COLORS[step.to_state] ?? 'gray'}
            title={
              <Text size="sm" fw={500} component="span">
                {t(keyIn('template_step', step.to_state))}
              </Text>
            }
          >
            <Text size="xs" c="dimmed" component="div">
              <Cell show="instant" value={step.created_at} />
              {step.user_name && ` · ${step.user_name}`}
            </Text>
            {step.reason && <Text size="sm">“{step.reason}”</Text>}
            {step.template && <TextBubble text={step.template} clamp />}
            <ByLanguage texts={step.language_texts} clamp />
          </Timeline.Item>
        ))}
      </Timeline>
    </Modal>
  );
}
