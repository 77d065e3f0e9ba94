import { explainExchangeRate } from '@heliograph/contract/exchange-rates/exchange-rate';
import { Alert, Button, List, SimpleGrid, TextInput } from '@mantine/core';
import { IconTestPipe } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { problemFrom, sentenceOf } from '../../platform/problem.ts';
import { AskDrawer } from '../../ui/ask-drawer.tsx';

type Asked = 'from_currency' | 'to_currency' | 'day';

/** Button whose drawer asks for two currencies and a day. It shows the rate that counts, and where it is from. */
export function FindRate() {
  const { t } = useTranslation();
  const [opened, setOpened] = useState(false);
  const [asked, setAsked] = useState({
    from_currency: '',
    to_currency: '',
    day: new Date().toISOString().slice(0, 10),
  });
  const search = useMutation({
    mutationFn: async () => ({ query: asked, found: (await call(explainExchangeRate, { query: asked })).data }),
  });
  const faults = problemFrom(search.error)?.errors;
  const field = (name: Asked, type = 'text') => ({
    type,
    label: t(`resources.exchange-rates.fields.${name}`),
    required: true,
    error: faults?.[name]?.[0],
    value: asked[name],
    onChange: ({ currentTarget: { value } }: React.ChangeEvent<HTMLInputElement>) =>
      setAsked((before) => ({ ...before, [name]: type === 'text' ? value.toUpperCase() : value })),
  });

  return (
    <>
      <Button variant="default" leftSection={<IconTestPipe size={16} stroke={1.6} />} onClick={() => setOpened(true)}>
        {t('exchange_rate.find')}
      </Button>
      {opened && (
        <AskDrawer
          title={t('exchange_rate.find')}
          hint={t('exchange_rate.hint')}
          submit={t('exchange_rate.submit')}
          busy={search.isPending}
          ready={Object.values(asked).every((value) => value !== '')}
          fault={search.error && !faults ? sentenceOf(search.error) : undefined}
          onAsk={() => search.mutate()}
          onClose={() => setOpened(false)}
          answer={search.data && <Answer {...search.data} />}
        >
          <SimpleGrid cols={2}>
            <TextInput {...field('from_currency')} maxLength={3} data-autofocus />
            <TextInput {...field('to_currency')} maxLength={3} />
          </SimpleGrid>
          <TextInput {...field('day', 'date')} />
        </AskDrawer>
      )}
    </>
  );
}

interface Found {
  query: Record<Asked, string>;
  found: { rate: string; entries: { from_currency: string; to_currency: string; day: string; rate: string }[] } | null;
}

function Answer({ query, found }: Found) {
  const { t } = useTranslation();
  if (!found) return <Alert color="orange">{t('exchange_rate.none')}</Alert>;
  return (
    <Alert
      color="teal"
      variant="light"
      title={t('exchange_rate.one', { from: query.from_currency, rate: found.rate, to: query.to_currency })}
    >
      {found.entries.length === 0 && t('exchange_rate.same')}
      <List size="sm">
        {found.entries.map(({ from_currency, to_currency, day, rate }) => (
          <List.Item key={`${from_currency} ${to_currency}`}>
            {t('exchange_rate.entry', { pair: `${from_currency}/${to_currency}`, rate, day })}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}
