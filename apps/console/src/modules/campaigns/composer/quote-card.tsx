import type { RejectReason } from '@heliograph/contract/campaigns/quote';
import { keyIn } from '@heliograph/contract/kernel/message-keys';
import { toThousandths } from '@heliograph/contract/kernel/money';
import { Alert, Anchor, Loader, Progress, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconDownload } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../platform/format.ts';
import { openReport } from '../../../platform/open-file.ts';
import { sentenceOf } from '../../../platform/problem.ts';
import { QuotedMargin } from '../../margins/index.tsx';
import { DeadNote } from './dead-note.tsx';
import { NationalNote } from './national-note.tsx';
import { QuoteBreakdown } from './quote-breakdown.tsx';
import classes from './quote-card.module.css';
import { StartNote } from './start-note.tsx';
import type { Quote, QuoteOfDraft } from './use-quote.ts';

/** Card with the messages to be sent and their cost, as counted by the server. */
export function QuoteCard({ of, children }: { of: QuoteOfDraft; children?: ReactNode }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { quote, stale, checking } = of;
  const ready = quote?.state === 'ready' && !checking ? quote : undefined;
  return (
    <section className={stale && ready ? classes.stale : undefined} aria-label={t('quote.title')}>
      <Stack gap="sm">
        <div role="status" aria-live="polite">
          {checking ? (
            <Stack gap={6} align="flex-start">
              <Loader size="sm" type="dots" aria-hidden />
              <Text size="sm">{t('quote.counting', { n: format.integer(quote?.rows_read ?? 0) })}</Text>
            </Stack>
          ) : ready ? (
            <span className="app-visually-hidden">
              {t('quote.announce', {
                count: ready.total_count,
                messages: format.integer(ready.total_count),
                cost: format.money(ready.cost, ready.currency),
              })}
            </span>
          ) : null}
        </div>
        {of.error && !checking && (
          <Alert color="red" variant="light" icon={<IconAlertTriangle size={18} />}>
            {sentenceOf(of.error)}
          </Alert>
        )}
        {quote?.state === 'failed' && !checking && (
          <Alert color="red" variant="light" icon={<IconAlertTriangle size={18} />}>
            {t([keyIn('errors', quote.error_code ?? 'internal_error'), 'errors.internal_error'])}
          </Alert>
        )}
        {checking && quote?.rows_expected != null && quote.rows_expected > 0 && (
          <Progress
            value={Math.min(100, (quote.rows_read / quote.rows_expected) * 100)}
            aria-label={t('quote.counting', { n: format.integer(quote.rows_read) })}
          />
        )}
        {ready && <Figures quote={ready} />}
        {ready && <NationalNote count={ready.national_count} />}
        {ready && <DeadNote quote={ready} />}
        {ready && ready.total_count > 0 && !stale && <StartNote quote={ready} />}
        {ready && !stale && (
          <div>
            <QuoteBreakdown quote={ready} />
          </div>
        )}
        {ready?.margin && !stale && <QuotedMargin margin={ready.margin} />}
        {ready?.refusal && !stale && (
          <Alert color="red" variant="light" icon={<IconAlertTriangle size={18} />} role="alert">
            {t([keyIn('errors', ready.refusal), 'errors.internal_error'], { ...ready.limit_refusal })}
          </Alert>
        )}
        {children}
      </Stack>
    </section>
  );
}

function Figures({ quote }: { quote: Quote }) {
  const { t } = useTranslation();
  const format = useFormat();
  const reasons = (Object.entries(quote.rejected) as [RejectReason, number][])
    .filter(([, count]) => count > 0)
    .sort((a, b) => b[1] - a[1]);
  return (
    <dl className={classes.figures}>
      <dt>{t('quote.messages')}</dt>
      <dd className={classes.total}>{format.integer(quote.total_count)}</dd>
      <dt>{t('quote.parts')}</dt>
      <dd>{format.integer(quote.total_sms)}</dd>
      <dt>{t('encoding.gsm')}</dt>
      <dd>{format.integer(quote.gsm_count)}</dd>
      <dt>{t('encoding.ucs2')}</dt>
      <dd>{format.integer(quote.unicode_count)}</dd>
      <dt>{t('quote.rejected')}</dt>
      <dd>{format.integer(quote.rejected_count)}</dd>
      {reasons.length > 0 && (
        <dd className={classes.reasons}>
          {reasons.map(([reason, count]) => (
            <span key={reason} className={classes.reason}>
              <span>{t(`reject_reason.${reason}`)}</span>
              <span>{format.integer(count)}</span>
            </span>
          ))}
          {quote.rejected_file && <RejectedFile path={quote.rejected_file} />}
        </dd>
      )}
      <dt className={classes.ruled}>{t('quote.cost')}</dt>
      <dd className={`${classes.total} ${classes.ruled}`}>{format.money(quote.cost, quote.currency)}</dd>
      <dt>{t('quote.balance')}</dt>
      <dd>{format.money(quote.credit_balance, quote.currency)}</dd>
      <dt>{t('quote.balance_after')}</dt>
      <dd className={toThousandths(quote.balance_after) < 0 ? classes.below : undefined}>
        {format.money(quote.balance_after, quote.currency)}
      </dd>
    </dl>
  );
}

/** Link that saves the CSV of numbers that receive no message. */
export function RejectedFile({ path }: { path: string }) {
  const { t } = useTranslation();
  return (
    <Anchor
      component="button"
      type="button"
      size="sm"
      ta="start"
      onClick={() => void openReport(path, 'rejected-numbers')}
    >
      <IconDownload size={14} style={{ verticalAlign: '-2px' }} aria-hidden /> {t('quote.rejected_file')}
    </Anchor>
  );
}
