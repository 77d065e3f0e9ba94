import { ActionIcon } from '@mantine/core';
import { type ComponentType, type ReactElement, type ReactNode, Suspense, useMemo, useState } from 'react';
import { lazyPart } from '../../platform/connection.ts';

/** Menu behind a button. It draws the button itself and opens immediately. */
export type LazyMenuContent = ComponentType<{ target: ReactElement<{ onClick?: () => void }> }>;

/** Button of the top bar. Its menu is loaded when the pointer or the focus first reaches the button. */
export function LazyMenu(props: {
  label: string;
  popup?: 'menu' | 'dialog';
  load: () => Promise<LazyMenuContent>;
  children: ReactNode;
}) {
  const { popup = 'menu' } = props;
  const [asked, setAsked] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same menu for the life of the button
  const Content = useMemo(() => lazyPart(props.load), []);
  // It replaces the button that was pressed.
  const target = (
    <ActionIcon
      autoFocus
      variant="subtle"
      color="gray"
      size="lg"
      aria-label={props.label}
      title={props.label}
      aria-haspopup={popup}
    >
      {props.children}
    </ActionIcon>
  );
  const closed = (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      aria-label={props.label}
      title={props.label}
      aria-haspopup={popup}
      aria-expanded={false}
      onPointerEnter={() => void props.load().catch(() => undefined)}
      onFocus={() => void props.load().catch(() => undefined)}
      onClick={() => setAsked(true)}
    >
      {props.children}
    </ActionIcon>
  );
  if (!asked) return closed;
  return (
    <Suspense fallback={closed}>
      <Content target={target} />
    </Suspense>
  );
}
