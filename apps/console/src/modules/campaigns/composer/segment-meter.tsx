import { MAX_PARTS, PART_UNITS, type Segmentation } from '@heliograph/contract/kernel/segments';
import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { IconArrowRight, IconWand } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { distinctUnicode, type Measured } from './measure.ts';
import classes from './segment-meter.module.css';

/** Meter of a text: its encoding, the characters used and left, its parts, and the causes of avoidable cost. */
export function SegmentMeter(props: {
  id: string;
  measured: Measured;
  onReplace: (character: string, replacement: string) => void;
  onReplaceAll: () => void;
}) {
  const { t } = useTranslation();
  const { encoding, units, parts, remaining } = props.measured.segments;
  const over = parts.length > MAX_PARTS;
  const capacity = parts.length === 1 ? PART_UNITS[encoding].one : PART_UNITS[encoding].many;
  const shown = Math.min(parts.length, MAX_PARTS);
  return (
    <Stack gap={8}>
      <div className={classes.bars} data-encoding={encoding} data-over={over || undefined} aria-hidden="true">
        {Array.from({ length: shown }, (_, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts are identified by their position
          <div key={at} className={classes.bar}>
            <div
              className={classes.fill}
              style={{ width: at < shown - 1 ? '100%' : `${((capacity - remaining) / capacity) * 100}%` }}
            />
          </div>
        ))}
      </div>
      <div className={classes.facts} id={props.id}>
        <MeterFacts encoding={encoding} parts={parts} units={units} />
        <Text size="sm" c="dimmed">
          {t('meter.left', { count: remaining })}
        </Text>
      </div>
      {over && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {t('errors.text_too_long')}
        </Text>
      )}
      {props.measured.unicode.length > 0 && <Advice {...props} />}
      {props.measured.unicodeByValue && (
        <Text size="sm" c="dimmed">
          {t('meter.unicode_by_value')}
        </Text>
      )}
    </Stack>
  );
}

function Advice(props: Parameters<typeof SegmentMeter>[0]) {
  const { t } = useTranslation();
  const { measured } = props;
  if (measured.deliberate && !measured.plain)
    return (
      <Text size="sm" c="dimmed">
        {t('meter.unicode_text')}
      </Text>
    );
  const distinct = distinctUnicode(measured.unicode);
  const now = measured.segments.parts.length;
  return (
    <Stack gap={8} className={classes.advice ?? ''}>
      <Group justify="space-between" gap="xs">
        <Text size="sm" fw={500}>
          {t('meter.forced', { count: measured.unicode.length })}
        </Text>
        {measured.plain && (
          <Button
            size="compact-sm"
            variant="filled"
            leftSection={<IconWand size={16} aria-hidden />}
            onClick={props.onReplaceAll}
          >
            {t('meter.replace_all')}
          </Button>
        )}
      </Group>
      <Group gap={8}>
        {distinct.slice(0, 12).map(({ character, replacement, count }) => (
          <span key={character} className={classes.character}>
            {replacement === undefined ? (
              <Text size="sm" component="span">
                <span className={classes.glyph}>{visible(character)}</span> {t('meter.no_replacement', { count })}
              </Text>
            ) : (
              <Button
                size="compact-sm"
                variant="default"
                onClick={() => props.onReplace(character, replacement)}
                aria-label={t('meter.replace', { character: named(character), replacement: replacement || '∅' })}
              >
                <span className={classes.character} aria-hidden="true">
                  <span className={classes.glyph}>{visible(character)}</span>
                  <IconArrowRight size={14} />
                  <span className={classes.glyph}>{visible(replacement)}</span>
                  {count > 1 && <span>×{count}</span>}
                </span>
              </Button>
            )}
          </span>
        ))}
      </Group>
      <Text size="sm" c="dimmed">
        {measured.plain && measured.plain.parts < now
          ? t('meter.saves', {
              now: t('meter.parts', { count: now }),
              less: t('meter.parts', { count: measured.plain.parts }),
            })
          : measured.plain
            ? t('meter.saves_room')
            : t('meter.stays_unicode')}
      </Text>
    </Stack>
  );
}

/** Returns a character in visible form: blanks and invisible ones as their code point. */
const visible = (character: string) =>
  character === ''
    ? '∅'
    : character === ' '
      ? '␣'
      : /^[\p{L}\p{N}\p{P}\p{S}\p{M}]/u.test(character)
        ? character
        : named(character);

const named = (character: string) =>
  /^[\p{L}\p{N}]/u.test(character)
    ? character
    : `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0') ?? ''}`;

/** Encoding, number of parts and length of a text. */
export function MeterFacts({ encoding, parts, units }: Pick<Segmentation, 'encoding' | 'parts' | 'units'>) {
  const { t } = useTranslation();
  return (
    <>
      <Badge variant="light" color={encoding === 'gsm' ? 'teal' : 'orange'} tt="none" size="md">
        {t(`encoding.${encoding}`)}
      </Badge>
      <Text size="sm" fw={600}>
        {t('meter.parts', { count: parts.length })}
      </Text>
      <Text size="sm" c="dimmed">
        {t('meter.used', { units })}
      </Text>
    </>
  );
}
