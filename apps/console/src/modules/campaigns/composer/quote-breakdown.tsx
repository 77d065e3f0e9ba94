import { regionOf } from '@heliograph/contract/kernel/calling-codes';
import { toThousandths } from '@heliograph/contract/kernel/money';
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../platform/format.ts';
import { languageTag } from '../../../platform/language.ts';
import classes from './quote-card.module.css';
import type { Quote } from './use-quote.ts';

/** Maximum number of destinations listed one by one. */
const SHOWN = 6;

/**
 * Details of a quote in addition to its sums: cost by destination, the most expensive rows, and the characters that
 * make texts Unicode.
 */
export function QuoteBreakdown({ quote }: { quote: Quote }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { destinations, languages, dearest, promotions, unicode } = quote;
  const rest = destinations.slice(SHOWN);
  return (
    <>
      {destinations.length > 0 && (
        <Part title={t('quote.destinations')}>
          {destinations.slice(0, SHOWN).map((each) => (
            <Line
              key={each.calling_code}
              label={destinationName(each.calling_code, t('quote.unknown_destination'))}
              note={t('quote.messages_of', { count: each.count, n: format.integer(each.count) })}
              value={format.money(each.cost, quote.currency)}
            />
          ))}
          {rest.length > 0 && (
            <Text size="xs" c="dimmed">
              {t('quote.more_destinations', { count: rest.length })}
            </Text>
          )}
        </Part>
      )}
      {languages.length > 0 && (
        <Part title={t('quote.languages')}>
          {languages.map(({ language, count }) => (
            <Line
              key={language ?? ''}
              label={language ?? t('templates.default_text')}
              note=""
              value={t('quote.messages_of', { count, n: format.integer(count) })}
            />
          ))}
        </Part>
      )}
      {promotions.length > 0 && (
        <Part title={t('quote.promotions')}>
          {promotions.map((each) => (
            <Line
              key={each.name}
              label={each.name}
              note={t('quote.promotion_in_prices')}
              value={t('quote.promotion_until', { date: format.date(each.ends_on) })}
            />
          ))}
        </Part>
      )}
      {dearest.length > 0 && (
        <Part title={t('quote.dearest')}>
          {dearest.map((row) => (
            <Line
              key={row.number}
              label={row.number}
              note={t('meter.parts', { count: row.parts })}
              value={format.money(row.cost, quote.currency)}
              title={row.text}
            />
          ))}
        </Part>
      )}
      {unicode && (
        <Part title={t('quote.unicode')}>
          {unicode.characters.map(({ character, replacement, rows }) => (
            <Line
              key={character}
              label={`${visible(character)}${replacement === null ? '' : ` → ${visible(replacement)}`}`}
              note={replacement === null ? t('quote.no_plain_form') : ''}
              value={t('quote.messages_of', { count: rows, n: format.integer(rows) })}
            />
          ))}
          {toThousandths(unicode.saved_cost) > 0 && (
            <Text size="sm">
              {t('quote.saves', {
                count: unicode.saved_sms,
                n: format.integer(unicode.saved_sms),
                cost: format.money(unicode.saved_cost, quote.currency),
              })}
            </Text>
          )}
        </Part>
      )}
    </>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <details className={classes.part}>
      <summary>{title}</summary>
      <div className={classes.lines}>{children}</div>
    </details>
  );
}

function Line(props: { label: string; note: string; value: string; title?: string }) {
  return (
    <div className={classes.line} title={props.title}>
      <span>
        {props.label} {props.note && <span className={classes.note}>{props.note}</span>}
      </span>
      <span>{props.value}</span>
    </div>
  );
}

/** Returns the name of a calling code's country in the language of the screen. */
function destinationName(callingCode: string, unknown: string): string {
  if (callingCode === '') return unknown;
  const region = regionOf(callingCode);
  // A code that belongs to no country has no name, only its digits.
  if (!region || /^\d/.test(region)) return `+${callingCode}`;
  const names = new Intl.DisplayNames([languageTag(), 'en'], { type: 'region' });
  return `+${callingCode} ${names.of(region) ?? region}`;
}

const visible = (character: string) =>
  character === ''
    ? '∅'
    : /^[\p{L}\p{N}\p{P}\p{S}\p{M}]/u.test(character)
      ? character
      : character === ' '
        ? '␣'
        : `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0') ?? ''}`;
