import { billingAccount } from '@heliograph/contract/billing/billing-account';
import {
  changeInvoice,
  draftInvoice,
  getInvoice,
  invoiceLines,
  invoiceTerms,
} from '@heliograph/contract/invoices/invoice';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { corporation } from '@heliograph/contract/organizations/corporation';
import { Alert, Button, Group, SimpleGrid, Skeleton, Stack, Textarea, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Suspense, useDeferredValue, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../platform/action.ts';
import { call } from '../../platform/call.ts';
import { lazyPart } from '../../platform/connection.ts';
import { sentenceOf } from '../../platform/problem.ts';
import { toast } from '../../platform/toast.ts';
import { labelOf } from '../../resource/columns.tsx';
import { ReferenceSelect } from '../../resource/reference.tsx';
import { Link } from '../../ui/link.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Section } from '../../ui/section.tsx';
import { DraftLines, emptyLine, type WrittenLine } from './draft-lines.tsx';
import { DraftSums } from './draft-sums.tsx';

const DateInput = lazyPart(async () => (await import('../../resource/date-input.tsx')).DateInput);
const NAME = 'invoices';
const LINES_A_CALL = 200;

interface Draft {
  id: number | null;
  corporation_id: number | null;
  corporation_name?: string | undefined;
  billing_account_id: number | null;
  payment_days: string;
  period_from: string | null;
  period_to: string | null;
  reference: string;
  note: string;
  lines: readonly WrittenLine[];
}

const EMPTY: Draft = {
  id: null,
  corporation_id: null,
  billing_account_id: null,
  payment_days: '',
  period_from: null,
  period_to: null,
  reference: '',
  note: '',
  lines: [emptyLine()],
};

const trimmed = (decimal: string) => decimal.replace(/\.?0+$/, '');

function draftOf(invoice: ReplyOf<typeof getInvoice>['data'], lines: ReplyOf<typeof invoiceLines>['data']): Draft {
  return {
    id: invoice.id,
    corporation_id: invoice.corporation_id,
    corporation_name: invoice.corporation_name,
    billing_account_id: invoice.billing_account_id,
    payment_days: String(invoice.payment_days),
    period_from: invoice.period_from,
    period_to: invoice.period_to,
    reference: invoice.reference ?? '',
    note: invoice.note ?? '',
    lines: lines.map((line) => ({
      ...emptyLine(),
      id: line.id,
      description: line.description,
      quantity: trimmed(line.quantity),
      unit_price: trimmed(line.unit_price),
      tax_category: line.tax_category === 'outside' ? null : line.tax_category,
    })),
  };
}

/** Screen that writes a draft, or changes the one that the address names. */
export function NewInvoice() {
  const search = useSearch({ strict: false }) as { draft?: string; corporation_id?: string };
  const id = search.draft === undefined ? null : Number(search.draft);
  const { data, error } = useQuery({
    queryKey: [NAME, 'draft', id],
    queryFn: async ({ signal }) => {
      const params = { id: id! };
      const { data: invoice } = await call(getInvoice, { params, signal });
      const cursors = Array.from({ length: Math.ceil(invoice.lines / LINES_A_CALL) }, (_, i) => i * LINES_A_CALL);
      // A cursor is the position of the last line before the page, so that the pages need not wait for each other.
      const pages = await Promise.all(
        cursors.map((cursor) =>
          call(invoiceLines, { params, query: { limit: LINES_A_CALL, cursor: String(cursor) }, signal }),
        ),
      );
      return draftOf(
        invoice,
        pages.flatMap(({ data }) => data),
      );
    },
    enabled: id !== null,
    gcTime: 0,
  });
  if (error) return <Alert color="red">{sentenceOf(error)}</Alert>;
  if (id !== null && !data) return <Skeleton h={300} radius="lg" />;
  return <Editor key={id} initial={data ?? EMPTY} />;
}

function Editor({ initial }: { initial: Draft }) {
  const { t } = useTranslation();
  const [draft, setDraft] = useState(initial);
  const { busy, failure, errors, send } = useSave(draft, initial);
  const summed = useDeferredValue(draft.lines);
  const set = (change: Partial<Draft>) => setDraft((before) => ({ ...before, ...change }));
  const { data: terms, error } = useQuery({
    queryKey: [NAME, 'terms', draft.corporation_id],
    queryFn: ({ signal }) => call(invoiceTerms, { query: { corporation_id: draft.corporation_id! }, signal }),
    enabled: draft.corporation_id !== null,
    retry: false,
  });
  const problem = failure ?? (error ? sentenceOf(error) : null);
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <PageHeader
        title={t(initial.id === null ? 'menu.new-invoice' : 'invoicing.edit')}
        crumbs={[{ label: t('menu.invoices'), to: '/invoices' }]}
      />
      <Stack gap="md" maw={980}>
        {problem && (
          <Alert color="red" role="alert">
            {problem}
          </Alert>
        )}
        <Terms draft={draft} set={set} errors={errors} days={terms?.data.payment_days} />
        {terms && !terms.data.buyer && (
          <Alert color="yellow">
            {t('invoicing.no_buyer')} <Link to="/invoice-buyers/new">{t('invoicing.add_buyer')}</Link>
          </Alert>
        )}
        <Section title={t('invoicing.lines')}>
          <DraftLines lines={draft.lines} errors={errors} onChange={(lines) => set({ lines })} />
          {terms && <DraftSums lines={summed} terms={terms.data} />}
        </Section>
        <Group justify="flex-end">
          <Button component={Link} to="/invoices" variant="default">
            {t('actions.cancel')}
          </Button>
          <Button type="submit" loading={busy} disabled={draft.corporation_id === null}>
            {t('invoicing.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Line as calls have it. */
const written = ({ key: _, id: __, tax_category, ...line }: WrittenLine) => ({
  ...line,
  ...(tax_category !== null && { tax_category }),
});

/** Returns the changes of a draft's lines, and the place of each line among them. */
function changesOf(lines: readonly WrittenLine[], before: readonly WrittenLine[]) {
  const known = new Map(before.map((line) => [line.id, JSON.stringify(written(line))]));
  const places = lines.map((line, place) => ({ line, place }));
  const changed = places.filter(({ line }) => line.id !== null && known.get(line.id) !== JSON.stringify(written(line)));
  const added = places.filter(({ line }) => line.id === null);
  const kept = new Set(lines.map(({ id }) => id));
  return {
    places: { changed: changed.map(({ place }) => place), added: added.map(({ place }) => place) },
    line_changes: {
      changed: changed.map(({ line }) => ({ id: line.id!, ...written(line) })),
      removed: before.flatMap(({ id }) => (id === null || kept.has(id) ? [] : [id])),
      added: added.map(({ line }) => written(line)),
    },
  };
}

/** Returns the errors of changed lines by the places that the lines have on the screen. */
const atPlaces = (errors: Record<string, string[]>, places: ReturnType<typeof changesOf>['places']) =>
  Object.fromEntries(
    Object.entries(errors).map(([name, texts]) => {
      const found = /^line_changes\.(changed|added)\.(\d+)\.(.+)$/.exec(name);
      return [found ? `lines.${places[found[1] as 'changed'][Number(found[2])]}.${found[3]}` : name, texts];
    }),
  );

/** Saves a draft and opens its page. Of a draft that is stored, only the lines that changed are sent. */
function useSave(draft: Draft, initial: Draft) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { busy, run, errors, failure } = useAction('form');
  const changes = draft.id === null ? null : changesOf(draft.lines, initial.lines);
  const send = () =>
    void run(async () => {
      const { id, corporation_id, corporation_name: _, payment_days, reference, note, lines, ...rest } = draft;
      const body = {
        ...rest,
        ...(payment_days.trim() !== '' && { payment_days: Number(payment_days) }),
        reference: reference || null,
        note: note || null,
      };
      const { data, message } =
        id === null
          ? await call(draftInvoice, { body: { ...body, corporation_id: corporation_id!, lines: lines.map(written) } })
          : await call(changeInvoice, { params: { id }, body: { ...body, line_changes: changes!.line_changes } });
      await client.invalidateQueries({ queryKey: [NAME] });
      void toast('success', message ?? '');
      await navigate({ to: `/invoices/${data.id}` });
    });
  return { busy, errors: changes ? atPlaces(errors, changes.places) : errors, failure, send };
}

interface TermsProps {
  draft: Draft;
  set: (change: Partial<Draft>) => void;
  errors: Record<string, string[]>;
  /** Payment term of the seller. */
  days: number | undefined;
}

function Terms({ draft, set, errors, days }: TermsProps) {
  const { t } = useTranslation();
  const common = (field: string) => ({ label: labelOf(NAME, field), error: errors[field]?.[0] });
  return (
    <Section title={t('invoicing.terms')}>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <ReferenceSelect
          {...common('corporation_id')}
          to={corporation}
          required
          disabled={draft.id !== null}
          known={draft.corporation_name}
          value={draft.corporation_id}
          onChange={(corporation_id) => set({ corporation_id, billing_account_id: null })}
        />
        <ReferenceSelect
          {...common('billing_account_id')}
          to={billingAccount}
          within={draft.corporation_id === null ? {} : { corporation_id: draft.corporation_id }}
          value={draft.billing_account_id}
          onChange={(billing_account_id) => set({ billing_account_id })}
        />
        <TextInput
          {...common('payment_days')}
          inputMode="numeric"
          placeholder={days === undefined ? '' : String(days)}
          value={draft.payment_days}
          onChange={(event) => set({ payment_days: event.currentTarget.value })}
        />
        <TextInput
          {...common('reference')}
          value={draft.reference}
          onChange={(event) => set({ reference: event.currentTarget.value })}
        />
        <Suspense fallback={null}>
          <DateInput
            {...common('period_from')}
            value={draft.period_from}
            onChange={(period_from) => set({ period_from })}
          />
          <DateInput {...common('period_to')} value={draft.period_to} onChange={(period_to) => set({ period_to })} />
        </Suspense>
      </SimpleGrid>
      <Textarea
        {...common('note')}
        autosize
        minRows={2}
        value={draft.note}
        onChange={(event) => set({ note: event.currentTarget.value })}
      />
    </Section>
  );
}
