import { toThousandths } from '@heliograph/contract/kernel/money';
import { Button } from '@mantine/core';
import { IconChecklist } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../platform/format.ts';
import { useMay } from '../../../platform/session.ts';
import classes from './send-sms.module.css';
import { TestSend } from './test-send.tsx';
import { type Composition, testOf } from './use-composition.ts';

/** Foot of the composer, always in view: people, parts, cost, balance after, a test, and the way to send. */
export function SendFoot({ of }: { of: Composition }) {
  const { t } = useTranslation();
  const mayTest = useMay('campaigns-test');
  const { draft, recipient, measured, quoted } = of;
  const test = testOf(of);
  const name =
    recipient && (recipient.values.name ? `${recipient.values.name}, ${recipient.number}` : recipient.number);
  return (
    <section className={classes.foot} aria-label={t('foot.title')}>
      <div className={classes.inside}>
        <Figures of={of} />
        {mayTest && (
          <TestSend
            content={test}
            recipient={name}
            disabled={draft.sender_id === null || test.content.trim() === '' || measured.compiled.unknown.length > 0}
          />
        )}
        <Button
          className={classes.review ?? ''}
          leftSection={<IconChecklist size={18} aria-hidden />}
          loading={quoted.checking}
          onClick={of.review}
        >
          {t('foot.review')}
        </Button>
      </div>
    </section>
  );
}

/** Figures of the quote if it still matches, otherwise of the estimate, otherwise those that are known. */
function Figures({ of }: { of: Composition }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { ready, estimated, draft, lists, pasted, measured } = of;
  const { estimate, outdated } = estimated;
  const shown = ready ?? estimate;
  const known = draft.content_type === 'single' ? lists.total + (pasted?.good.length ?? 0) : 0;
  if (!shown || shown.total_count === null || shown.cost === null || shown.balance_after === null) {
    const parts = measured.segments.parts.length;
    return (
      <p className={classes.figures}>
        {known > 0 && <span>{t('foot.people', { count: known, n: format.integer(known) })}</span>}
        {draft.content !== '' && <span>{t('meter.parts', { count: parts })}</span>}
        <span className={`${classes.note} ${classes.wide}`}>{t(shown || draft.file ? 'foot.file' : 'foot.empty')}</span>
      </p>
    );
  }
  const exact = shown === ready;
  const about = (text: string) => (exact ? text : `≈ ${text}`);
  const { total_count, total_sms, cost, currency, balance_after } = shown;
  return (
    <p className={classes.figures} data-outdated={(!exact && outdated) || undefined}>
      <span>
        <b>{about(t('foot.people', { count: total_count, n: format.integer(total_count) }))}</b>
        {' · '}
        {t('foot.parts', { count: total_sms ?? 0, n: format.integer(total_sms ?? 0) })}
      </span>
      <span>
        <b>{format.money(cost, currency)}</b>{' '}
        <span className={toThousandths(balance_after) < 0 ? classes.below : classes.note}>
          → <span className={classes.wide}>{t('foot.balance')}</span> {format.money(balance_after, currency)}
        </span>
      </span>
      {!exact && <span className={`${classes.note} ${classes.wide}`}>{t('foot.estimate')}</span>}
    </p>
  );
}
