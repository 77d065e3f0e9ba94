import type { dashboard } from '@heliograph/contract/dashboard/dashboard';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../platform/format.ts';
import { languageTag } from '../../platform/language.ts';
import { Section } from '../../ui/section.tsx';
import classes from './dashboard.module.css';

type Hours = ReplyOf<typeof dashboard>['hours'];

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);
const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7] as const;
/** Returns a date with the given weekday; 5 January 2026 is a Monday. */
const dayOf = (weekday: number) => new Date(Date.UTC(2026, 0, 4 + weekday));

/**
 * Map of the messages by hour of the week: the stronger the color, the more messages. It is a table, so that screen
 * readers read it as one.
 */
export function HeatMap({ hours }: { hours: Hours }) {
  const { t } = useTranslation();
  const format = useFormat();
  const names = new Intl.DateTimeFormat(languageTag(), { weekday: 'short', timeZone: 'UTC' });
  const most = Math.max(1, ...hours.map(({ messages }) => messages));
  const found = new Map(hours.map(({ weekday, hour, messages }) => [weekday * 24 + hour, messages]));
  return (
    <Section title={t('dashboard.hours')}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <section className={classes.scroll} tabIndex={0} aria-label={t('dashboard.hours')}>
        <table className={classes.heat}>
          <thead>
            <tr>
              <td />
              {HOURS.map((hour) => (
                <th key={hour} scope="col">
                  {hour % 3 === 0 ? hour : <span className="app-visually-hidden">{hour}</span>}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {WEEKDAYS.map((weekday) => {
              const name = names.format(dayOf(weekday));
              return (
                <tr key={weekday}>
                  <th scope="row">{name}</th>
                  {HOURS.map((hour) => {
                    const messages = found.get(weekday * 24 + hour) ?? 0;
                    const share = messages === 0 ? 0 : 12 + Math.round((messages / most) * 88);
                    return (
                      <td
                        key={hour}
                        title={t('dashboard.hour_label', { weekday: name, hour, messages: format.integer(messages) })}
                        style={{
                          background: `color-mix(in srgb, var(--mantine-primary-color-filled) ${share}%, var(--app-line))`,
                        }}
                      >
                        <span className="app-visually-hidden">{format.integer(messages)}</span>
                      </td>
                    );
                  })}
                </tr>
              );
            })}
          </tbody>
        </table>
      </section>
    </Section>
  );
}
