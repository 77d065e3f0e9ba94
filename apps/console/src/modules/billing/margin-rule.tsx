import {
  previewMarginRule,
  removeMarginRule,
  setMarginRule,
  showMarginRule,
} from '@heliograph/contract/billing/margin-rule';
import type { BodyOf, ReplyOf } from '@heliograph/contract/kernel/operation';
import { link } from '@heliograph/contract/links/link';
import { Alert, Button, Group, List, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call, request } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { sentenceOf } from '../../platform/problem.ts';
import { toast } from '../../platform/toast.ts';
import { fieldsOf } from '../../resource/fields.tsx';
import { RecordForm, useFormState } from '../../resource/form.tsx';
import { LoadError } from '../../resource/load-error.tsx';
import { openDialog } from '../../ui/dialogs.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { Section } from '../../ui/section.tsx';
import { MarginPreview } from './margin-preview.tsx';
import { PriceTrial, TryRule } from './price-trial.tsx';

type Shown = ReplyOf<typeof showMarginRule>['data'];
type Rule = BodyOf<typeof setMarginRule>;

const Field = fieldsOf(setMarginRule.body);
const NEW_RULE: Rule = {
  percent: '20',
  fixed: '0.000',
  floor: '0.000',
  step: '0.001',
  below_cost: false,
  link_id: null,
};

/** Page of a price plan's margin rule: the rule, the prices that it gives, and the cards that it made. */
export function MarginRule() {
  const { t } = useTranslation();
  const { id } = useParams({ strict: false }) as { id: string };
  const query = useQuery({
    queryKey: ['margin-rules', Number(id)],
    queryFn: ({ signal }) => call(showMarginRule, { params: { id: Number(id) }, signal }),
  });
  const shown = query.data?.data;
  return (
    <>
      <PageHeader
        title={shown?.price_plan_name ?? t('menu.margin-rule')}
        subtitle={t('margin_rule.about')}
        crumbs={[{ label: t('menu.price-plans'), to: '/price-plans' }]}
      />
      {shown ? (
        <Stack gap="md">
          <RuleForm shown={shown} />
          {!shown.of_platform && <PriceTrial planId={shown.price_plan_id} />}
          <Cards shown={shown} />
        </Stack>
      ) : query.error ? (
        <LoadError error={query.error} retry={() => void query.refetch()} />
      ) : (
        <Skeleton h={240} radius="lg" role="status" aria-label={t('common.loading')} />
      )}
    </>
  );
}

function RuleForm({ shown }: { shown: Shown }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const navigate = useNavigate();
  const params = { id: shown.price_plan_id };
  const readAgain = () => client.invalidateQueries({ queryKey: ['margin-rules', params.id] });

  async function remove() {
    try {
      await call(removeMarginRule, { params });
      await readAgain();
      void toast('success', t('margin_rule.removed', { name: shown.price_plan_name }));
    } catch (error) {
      void toast('error', sentenceOf(error));
    }
  }

  return (
    <Section
      title={t('menu.margin-rule')}
      actions={
        shown.rule && (
          <Button
            variant="default"
            onClick={() =>
              openDialog({
                title: t('margin_rule.remove'),
                text: t('margin_rule.remove_hint'),
                confirm: t('margin_rule.remove'),
                danger: true,
                onConfirm: remove,
              })
            }
          >
            {t('margin_rule.remove')}
          </Button>
        )
      }
    >
      <div>
        <Text size="sm">
          {shown.of_platform
            ? t('margin_rule.cost_of_link')
            : shown.cost_name === null
              ? t('margin_rule.cost_unknown')
              : t('margin_rule.cost', { name: shown.cost_name })}
        </Text>
        <Text size="sm" c="dimmed">
          {t(shown.rule ? 'margin_rule.on' : 'margin_rule.off')}
        </Text>
      </div>
      {shown.problem && (
        <Alert color="orange" variant="light" role="alert" icon={<IconAlertTriangle size={18} />}>
          {t(`margin_rule.problem.${shown.problem}`)}
        </Alert>
      )}
      <RecordForm
        key={JSON.stringify(shown.rule)}
        name="margin-rules"
        schema={setMarginRule.body}
        initial={shown.rule ?? NEW_RULE}
        submitLabel={t('margin_rule.save')}
        page
        onCancel={() => void navigate({ to: '/price-plans' })}
        submit={async (values) => {
          await request(setMarginRule, { params, body: values as Rule });
          await readAgain();
          void toast('success', t('margin_rule.saved', { name: shown.price_plan_name }));
        }}
      >
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <Field.Text name="percent" />
          <Field.Money name="fixed" currency={shown.currency} />
          <Field.Money name="floor" currency={shown.currency} />
          <Field.Select name="step" />
        </SimpleGrid>
        {shown.of_platform && <Field.Reference name="link_id" to={link} />}
        <Field.Switch name="below_cost" />
        <Preview planId={shown.price_plan_id} tries={!shown.of_platform} />
      </RecordForm>
    </Section>
  );
}

/** Prices that the values of the form would give. */
function Preview({ planId, tries }: { planId: number; tries: boolean }) {
  const { t } = useTranslation();
  const { values, schema } = useFormState();
  const [asked, setAsked] = useState<Rule | null>(null);
  const valid = schema.safeParse(values).success;
  const { data, error, isFetching } = useQuery({
    queryKey: ['margin-rules', planId, 'preview', asked],
    queryFn: ({ signal }) => call(previewMarginRule, { params: { id: planId }, body: asked!, signal }),
    enabled: asked !== null,
    gcTime: 0,
  });
  return (
    <>
      <Group>
        <Button
          variant="default"
          disabled={!valid}
          loading={isFetching}
          onClick={() => setAsked({ ...(values as Rule) })}
        >
          {t('margin_rule.preview')}
        </Button>
        {tries && <TryRule planId={planId} rule={values as Rule} disabled={!valid} />}
      </Group>
      {error && (
        <Alert color="red" role="alert">
          {sentenceOf(error)}
        </Alert>
      )}
      {data && <MarginPreview preview={data.data} />}
    </>
  );
}

function Cards({ shown }: { shown: Shown }) {
  const { t } = useTranslation();
  const format = useFormat();
  if (shown.cards.length === 0) return null;
  return (
    <Section title={t('margin_rule.cards')}>
      <List spacing="xs" size="sm">
        {shown.cards.map((card) => (
          <List.Item key={card.version}>
            {format.instant(card.created_at)}:{' '}
            {t('margin_rule.card', {
              version: format.integer(card.version),
              dearer: format.integer(card.dearer),
              cheaper: format.integer(card.cheaper),
            })}
          </List.Item>
        ))}
      </List>
    </Section>
  );
}
