import { updateProfile } from '@heliograph/contract/identity/session';
import { Button, Group, Popover, Text } from '@mantine/core';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useReducer, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { useSession } from '../../platform/session.ts';
import classes from './tour.module.css';

/** Steps of the tour, in order, with what each points at. A step whose target is not on the screen is left out. */
const STEPS = [
  ['menu', '[data-tour=menu]'],
  ['search', '[data-tour=search]'],
  ['send', 'main a[href="/send-sms"]'],
  ['balance', 'header [data-outstanding]'],
  ['bell', '[data-tour=bell]'],
  ['help', '[data-tour=account]'],
] as const;

/** Pixels between a target and the frame around it. */
const GAP = 4;

/** Returns the first target of a selector that is in view. A closed menu of a phone is beside the screen. */
function placeOf(selector: string): DOMRect | undefined {
  return [...document.querySelectorAll(selector)]
    .map((element) => element.getBoundingClientRect())
    .find(({ width, left, top }) => width > 0 && left >= 0 && left < innerWidth && top >= 0 && top < innerHeight);
}

/**
 * Guided tour of the console: a card that points at one part of the frame after the other. The page stays usable. Escape
 * or a click beside the card ends the tour, and it does not come back by itself.
 */
export function Tour() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const asked = useLocation({ select: ({ hash }) => hash === 'tour' });
  const [name, setName] = useState<(typeof STEPS)[number][0]>('menu');
  const [, look] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    addEventListener('resize', look);
    return () => removeEventListener('resize', look);
  }, []);

  const steps = STEPS.map(([step, selector]) => ({ step, place: placeOf(selector) })).filter(({ place }) => place);
  const at = Math.max(
    0,
    steps.findIndex(({ step }) => step === name),
  );
  const current = steps[at];

  function end() {
    const { profile } = useSession.getState();
    if (profile?.preferences.tour_seen === false) {
      useSession.setState({ profile: { ...profile, preferences: { ...profile.preferences, tour_seen: true } } });
      // If this fails, the tour is shown again at the next sign-in.
      call(updateProfile, { body: { preferences: { tour_seen: true } } }).catch(() => undefined);
    }
    if (asked) void navigate({ to: '.', hash: '', replace: true });
    document.getElementById('content')?.focus({ preventScroll: true });
  }

  if (!current?.place) return null;
  const { left, top, width, height } = current.place;
  const isTall = height > width;
  // The frame of the menu stays inside the window.
  const gap = isTall ? -GAP : GAP;
  const last = at === steps.length - 1;
  return (
    <Popover
      key={current.step}
      opened
      onDismiss={end}
      position={isTall ? 'right-start' : 'bottom'}
      width="min(340px, calc(100vw - 32px))"
      withArrow
      arrowSize={12}
      shadow="lg"
      withRoles={false}
      zIndex={400}
    >
      <Popover.Target>
        <div
          className={classes.ring}
          style={{ left: left - gap, top: top - gap, width: width + 2 * gap, height: height + 2 * gap }}
          data-tour-at={current.step}
        />
      </Popover.Target>
      <Popover.Dropdown>
        <Card>
          <Text size="xs" c="dimmed" mb={4}>
            {t('tour.progress', { step: at + 1, total: steps.length })}
          </Text>
          <Text component="h2" id="tour-title" fw={650}>
            {t(`tour.${current.step}.title`)}
          </Text>
          <Text size="sm" id="tour-text" mt={4} mb="md">
            {t(`tour.${current.step}.text`)}
          </Text>
          <Group justify="flex-end" gap="xs">
            {!last && (
              <Button size="xs" variant="subtle" color="gray" mr="auto" onClick={end}>
                {t('tour.skip')}
              </Button>
            )}
            {at > 0 && (
              <Button size="xs" variant="default" onClick={() => setName(steps[at - 1]!.step)}>
                {t('tour.back')}
              </Button>
            )}
            <Button size="xs" onClick={() => (last ? end() : setName(steps[at + 1]!.step))}>
              {t(last ? 'tour.done' : 'tour.next')}
            </Button>
          </Group>
        </Card>
      </Popover.Dropdown>
    </Popover>
  );
}

/** Names the card and takes the focus, so that a screen reader reads each step. */
function Card(props: { children: React.ReactNode }) {
  const card = useRef<HTMLDivElement>(null);
  useEffect(() => card.current?.focus({ preventScroll: true }), []);
  return (
    <div
      ref={card}
      role="dialog"
      aria-labelledby="tour-title"
      aria-describedby="tour-text"
      tabIndex={-1}
      className={classes.card}
    >
      {props.children}
    </div>
  );
}
