import { chargeOfMessage } from '@heliograph/contract/billing/rate-detail';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { Alert, Group, List, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { Cell } from '../../resource/columns.tsx';
import { LoadError } from '../../resource/load-error.tsx';
import { Fact } from '../../ui/fact.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Section } from '../../ui/section.tsx';
import { MessageMargin } from '../margins/index.tsx';
import { Amount } from './amount.tsx';
import { NumberWithPrefix } from './number-with-prefix.tsx';
import { useTierText } from './volume-tiers.tsx';

type Charge = ReplyOf<typeof chargeOfMessage>;

/** Screen that explains the cost of a message, step by step, down to the entries of the ledger. */
export function MessageCharge() {
  const { t } = useTranslation();
  const { id } = useParams({ strict: false }) as { id: string };
  const query = useQuery({
    queryKey: ['messages', 'charge', Number(id)],
    queryFn: ({ signal }) => call(chargeOfMessage, { params: { id }, signal }),
  });
  const charge = query.data;
  return (
    <>
      <PageHeader
        title={t('menu.message-charge')}
        subtitle={charge && t('message.to', { number: charge.number })}
        crumbs={[{ label: t('menu.transactions'), to: '/transactions' }]}
      />
      {charge ? (
        <Stack gap="md">
          <Answer charge={charge} />
          <Reasons charge={charge} />
          <MessageMargin id={Number(id)} />
          <Entries charge={charge} />
        </Stack>
      ) : query.error ? (
        <LoadError error={query.error} retry={() => void query.refetch()} />
      ) : (
        <Stack role="status" aria-label={t('common.loading')}>
          <Skeleton h={120} radius="lg" />
          <Skeleton h={220} radius="lg" />
        </Stack>
      )}
    </>
  );
}

/** Charge of the message and its calculation. */
function Answer({ charge }: { charge: Charge }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { parts_charged, parts_released, parts_open, currency } = charge;
  return (
    <Section title={t('charge.title')}>
      <div>
        <Text fw={600} fz={28} lh={1.2}>
          {format.money(charge.charge, currency)}
        </Text>
        <Text size="sm" mt={4}>
          {t('charge.sum', { count: parts_charged, price: format.money(charge.unit_price, currency) })}
        </Text>
      </div>
      <SimpleGrid component="dl" cols={{ base: 2, xs: 4 }} spacing="sm" m={0}>
        <Fact label={t('charge.parts')}>{format.integer(charge.parts)}</Fact>
        <Fact label={t('charge.parts_charged')}>{format.integer(parts_charged)}</Fact>
        <Fact label={t('charge.parts_released')}>{format.integer(parts_released)}</Fact>
        <Fact label={t('charge.parts_open')}>{format.integer(parts_open)}</Fact>
      </SimpleGrid>
    </Section>
  );
}

function Reasons({ charge }: { charge: Charge }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { pricing, currency } = charge;
  return (
    <Section title={t('charge.how')}>
      {pricing ? (
        <>
          <List type="ordered" spacing="xs" size="sm">
            <List.Item>
              {t('charge.step_plan', {
                account: charge.billing_account_name,
                plan: pricing.price_plan_name,
                date: format.date(pricing.priced_on),
              })}
            </List.Item>
            <List.Item>{t('charge.step_zone', { zone: pricing.rate_zone_name })}</List.Item>
            <List.Item>
              {pricing.prefix === null
                ? t('charge.step_default', { number: charge.number })
                : t('charge.step_prefix', { number: charge.number, prefix: pricing.prefix })}
            </List.Item>
            <List.Item>{t('charge.step_price', { price: format.money(pricing.charge, currency) })}</List.Item>
            {pricing.margin && <MarginStep margin={pricing.margin} currency={currency} />}
            {pricing.promotion && (
              <List.Item>
                {t('charge.step_promotion', {
                  name: pricing.promotion.name,
                  price: format.money(pricing.promotion.charge, currency),
                })}
              </List.Item>
            )}
            <List.Item>{t('charge.step_parts', { count: charge.parts })}</List.Item>
            <List.Item>
              {t(charge.charge_on_delivery ? 'charge.step_on_delivery' : 'charge.step_on_acceptance')}
            </List.Item>
            {charge.volume_discount && <VolumeStep discount={charge.volume_discount} currency={currency} />}
          </List>
          <SimpleGrid component="dl" cols={{ base: 2, xs: 3, md: 6 }} spacing="sm" m={0}>
            <Fact label={t('resources.messages.fields.number')}>
              <NumberWithPrefix number={charge.number} prefix={pricing.prefix} />
            </Fact>
            <Fact label={t('resources.rates.fields.prefix')}>{pricing.prefix ?? t('charge.default')}</Fact>
            <Fact label={t('resources.rate-zones.one')}>{pricing.rate_zone_name}</Fact>
            <Fact label={t('resources.price-plans.one')}>{pricing.price_plan_name}</Fact>
            <Fact label={t('charge.unit_price')}>{format.money(pricing.charge, currency)}</Fact>
            <Fact label={t('charge.card_version')}>{format.integer(pricing.card_version)}</Fact>
          </SimpleGrid>
        </>
      ) : (
        <Alert variant="light" color="gray" icon={<IconInfoCircle size={18} />}>
          {t('charge.no_pricing')}
        </Alert>
      )}
    </Section>
  );
}

/** Step of the month's volume discount: its terms or, once the month is over, what it came to. */
function VolumeStep({ discount, currency }: { discount: NonNullable<Charge['volume_discount']>; currency: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  const tierText = useTierText();
  const { name, month, given } = discount;
  return (
    <List.Item>
      {given
        ? t('charge.step_volume_given', {
            name,
            month: format.month(month),
            parts: format.integer(given.parts),
            charged: format.money(given.charged, currency),
            amount: format.money(given.amount, currency),
          })
        : t('charge.step_volume', {
            name,
            tiers: tierText(discount, currency),
            applies: t(`volume_discount.reach.${discount.applies}`),
          })}
    </List.Item>
  );
}

/** Step that tells a seller how its margin rule made the price. */
function MarginStep(props: { margin: NonNullable<NonNullable<Charge['pricing']>['margin']>; currency: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { rule, cost, cost_name } = props.margin;
  const money = (amount: string) => format.money(amount, props.currency);
  return (
    <List.Item>
      {t(cost === null ? 'charge.step_margin_link' : 'charge.step_margin', {
        cost: cost === null ? '' : money(cost),
        plan: cost_name ?? '–',
        percent: rule.percent,
        fixed: money(rule.fixed),
        step: rule.step,
        floor: money(rule.floor),
      })}{' '}
      {!rule.below_cost && t('charge.step_at_cost')}
    </List.Item>
  );
}

/** Ledger transfers behind the charge, with their ids. */
function Entries({ charge }: { charge: Charge }) {
  const { t } = useTranslation();
  if (charge.transfers.length === 0) return null;
  return (
    <Section title={t('credit_change.entries')}>
      <Text size="sm" c="dimmed">
        {t('charge.entries_hint')}
      </Text>
      <Stack component="ul" gap="sm" m={0} p={0} style={{ listStyle: 'none' }}>
        {charge.transfers.map((transfer) => (
          <Group component="li" key={transfer.id} justify="space-between" gap="xs">
            <div>
              <Text size="sm" fw={500}>
                {t(`credit_change_kind.${transfer.kind}`)} · {t('charge.entry', { id: transfer.id })}
              </Text>
              <Text size="xs" c="dimmed" component="div">
                <Cell show="instant" value={transfer.created_at} />
              </Text>
            </div>
            <Amount amount={transfer.amount} currency={charge.currency} />
          </Group>
        ))}
      </Stack>
    </Section>
  );
}
