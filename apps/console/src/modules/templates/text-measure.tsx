import { compileText } from '@heliograph/contract/kernel/merge-fields';
import { segment } from '@heliograph/contract/kernel/segments';
import { Badge, Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from './templates.module.css';

/** Line with the encoding, the parts and the fields of a text. */
export function TextMeasure({ text }: { text: string }) {
  const { t } = useTranslation();
  const { encoding, parts, remaining } = segment(text);
  const { fields, unknown } = compileText(text);
  return (
    <Group gap={8}>
      <Badge variant="light" color={encoding === 'gsm' ? 'teal' : 'orange'} tt="none" size="sm">
        {t(`encoding.${encoding}`)}
      </Badge>
      <Text size="xs" fw={600}>
        {t('meter.parts', { count: parts.length })}
      </Text>
      <Text size="xs" c="dimmed">
        {t('meter.left', { count: remaining })}
      </Text>
      {[...fields, ...unknown].map((field) => (
        <span key={field} className={classes.field}>{`{${field}}`}</span>
      ))}
    </Group>
  );
}

/** Languages in which a template has further texts; draws nothing without any. */
export function Languages({ of: { language_texts } }: { of: { language_texts: readonly { language: string }[] } }) {
  if (language_texts.length === 0) return null;
  return (
    <Text size="xs" c="dimmed">
      {language_texts.map(({ language }) => language).join(', ')}
    </Text>
  );
}

/** Text as a message on a phone, with its fields marked. */
export function TextBubble({ text, clamp }: { text: string; clamp?: boolean }) {
  return (
    <p className={classes.bubble} data-clamp={clamp || undefined}>
      {text.split(/(\{\w+(?::\d+)?\})/).map((piece, at) =>
        // The text is split at its fields, which are every second piece.
        at % 2 === 1 ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces are identified by their position
          <span key={at} className={classes.field}>
            {piece}
          </span>
        ) : (
          piece
        ),
      )}
    </p>
  );
}
