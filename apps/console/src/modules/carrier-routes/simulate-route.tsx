import { simulateCarrierRoute } from '@heliograph/contract/carrier-routes/carrier-route';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { call } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { sentenceOf } from '../../platform/problem.ts';
import { useFormState } from '../../resource/form.tsx';
import { FormDrawer } from '../../ui/form-frame.tsx';

type Result = ReplyOf<typeof simulateCarrierRoute>['data'];
type Body = z.input<NonNullable<typeof simulateCarrierRoute.body>>;

/** Button of the form that shows what the route, as it is filled in, would have done to the messages of last week. */
export function SimulateRoute() {
  const { t } = useTranslation();
  const format = useFormat();
  const { values, row } = useFormState();
  const simulate = useMutation({
    mutationFn: () => {
      const { name: _, ...route } = values;
      return call(simulateCarrierRoute, { body: { id: row ? Number(row['id']) : null, route } as Body });
    },
  });
  const result = simulate.data?.data;
  return (
    <>
      <Group>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconHistory size={14} stroke={1.6} />}
          loading={simulate.isPending}
          onClick={() => simulate.mutate()}
        >
          {t('carrier_routes.simulate')}
        </Button>
      </Group>
      {simulate.error && <Alert color="red">{sentenceOf(simulate.error)}</Alert>}
      {result && (
        <FormDrawer title={t('carrier_routes.simulate_title')} onClose={() => simulate.reset()}>
          <Stack gap="md">
            <Text size="sm" c="dimmed">
              {t('carrier_routes.simulate_hint')}
            </Text>
            <Alert color="teal" variant="light">
              {result.messages === 0
                ? t('carrier_routes.simulate_none')
                : t('carrier_routes.simulate_moved', {
                    moved: format.integer(result.moved),
                    messages: format.integer(result.messages),
                  })}
            </Alert>
            {result.links.map((link) => (
              <Group key={link.link_id} justify="space-between">
                <Text size="sm" fw={500}>
                  {link.link_name}
                </Text>
                <Text size="sm">
                  {t('carrier_routes.simulate_link', {
                    before: format.integer(link.before),
                    after: format.integer(link.after),
                  })}
                </Text>
              </Group>
            ))}
            {result.messages > 0 && <Effects result={result} />}
          </Stack>
        </FormDrawer>
      )}
    </>
  );
}

/** Delivery and costs before and after, as far as they are known. */
function Effects({ result }: { result: Result }) {
  const { t } = useTranslation();
  const format = useFormat();
  const share = (value: number | null) => (value === null ? '–' : format.percent(value));
  const { unpriced, costs } = result;
  return (
    <>
      <Text size="sm">
        {t('carrier_routes.simulate_rate', { before: share(result.rate_before), after: share(result.rate_after) })}
      </Text>
      {costs?.map(({ currency, before, after }) => (
        <Text key={currency} size="sm">
          {t('carrier_routes.simulate_cost', { before: `${before} ${currency}`, after: `${after} ${currency}` })}
        </Text>
      ))}
      {costs && unpriced.before + unpriced.after > 0 && (
        <Text size="sm" c="dimmed">
          {t('carrier_routes.simulate_unpriced', {
            before: format.integer(unpriced.before),
            after: format.integer(unpriced.after),
          })}
        </Text>
      )}
    </>
  );
}
