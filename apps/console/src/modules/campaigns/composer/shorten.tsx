import {
  SHORTENING_RULES,
  type ShorteningRule,
  shorteningsOf,
  withShortenings,
} from '@heliograph/contract/campaigns/shorten-text';
import { Button, Checkbox, Group, Popover, Stack, Text } from '@mantine/core';
import { IconCut } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './segment-meter.module.css';

/** Changes of a rule that are shown. */
const SHOWN = 4;
/** Rules that change the tone, which a person chooses. */
const BY_CHOICE: ReadonlySet<ShorteningRule> = new Set(['phrases', 'and']);

/** Button with suggestions that make a text shorter. Each is shown as a difference, and nothing changes by itself. */
export function Shorten(props: {
  text: string;
  /** Number of parts of a text with the values of the recipient shown. */
  partsOf: (text: string) => number;
  onShorten: (text: string) => void;
}) {
  const { t } = useTranslation();
  const { text, partsOf, onShorten } = props;
  const [open, setOpen] = useState(false);
  const [chosen, setChosen] = useState<Partial<Record<ShorteningRule, boolean>>>({});
  const changes = useMemo(() => shorteningsOf(text), [text]);
  if (changes.length === 0) return null;
  const isOn = (rule: ShorteningRule) => chosen[rule] ?? !BY_CHOICE.has(rule);
  const shorter = withShortenings(
    text,
    changes.filter(({ rule }) => isOn(rule)),
  );
  const [now, less] = [partsOf(text), partsOf(shorter)];
  return (
    <Popover opened={open} onChange={setOpen} width={340} position="bottom-start" shadow="md" trapFocus withArrow>
      <Popover.Target>
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={<IconCut size={16} aria-hidden />}
          style={{ alignSelf: 'start' }}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          {t('shorten.action')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="sm">
          {SHORTENING_RULES.map((rule) => {
            const found = [...new Set(changes.filter((each) => each.rule === rule).map(differenceOf))];
            if (found.length === 0) return null;
            return (
              <Checkbox
                key={rule}
                label={t(`shorten.${rule}`)}
                description={
                  rule === 'spaces' ? undefined : (
                    <span className={classes.character}>
                      {found.slice(0, SHOWN).join(', ') + (found.length > SHOWN ? ' …' : '')}
                    </span>
                  )
                }
                checked={isOn(rule)}
                onChange={(event) => setChosen({ ...chosen, [rule]: event.currentTarget.checked })}
              />
            );
          })}
          <Text size="sm" c="dimmed">
            {t('shorten.saves', { count: text.length - shorter.length })}{' '}
            {less < now &&
              t('meter.saves', { now: t('meter.parts', { count: now }), less: t('meter.parts', { count: less }) })}
          </Text>
          <Group justify="flex-end">
            <Button
              size="sm"
              disabled={shorter === text}
              onClick={() => {
                setOpen(false);
                onShorten(shorter);
              }}
            >
              {t('shorten.submit')}
            </Button>
          </Group>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

const differenceOf = ({ from, to }: { from: string; to: string }) => `${from.trim()} → ${to.trim()}`;
