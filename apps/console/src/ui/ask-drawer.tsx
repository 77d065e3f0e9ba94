import { Button, Divider, Drawer, Group, List, Stack, Text } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';

interface AskDrawerProps {
  title: string;
  hint: string;
  submit: string;
  close: string;
  busy: boolean;
  /** Whether what is needed has been filled in. */
  ready: boolean;
  /** What went wrong, where no field is to blame. */
  fault: string | undefined;
  onAsk: () => void;
  onClose: () => void;
  /** The answer, once there is one. */
  answer: ReactNode;
  /** The fields. */
  children: ReactNode;
}

/** A question to the server in a drawer: fields, a button, and the answer below them. */
export function AskDrawer(props: AskDrawerProps) {
  function submit(event: FormEvent) {
    event.preventDefault();
    props.onAsk();
  }

  return (
    <Drawer
      opened
      onClose={props.onClose}
      title={
        <Text fw={650} size="lg">
          {props.title}
        </Text>
      }
      closeButtonProps={{ 'aria-label': props.close }}
    >
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {props.hint}
        </Text>
        <form onSubmit={submit} noValidate>
          <Stack gap="sm">
            {props.children}
            {props.fault && (
              <Text size="sm" c="var(--mantine-color-error)" role="alert">
                {props.fault}
              </Text>
            )}
            <Group justify="flex-end">
              <Button type="submit" loading={props.busy} disabled={!props.ready}>
                {props.submit}
              </Button>
            </Group>
          </Stack>
        </form>
        <div aria-live="polite">{props.answer}</div>
      </Stack>
    </Drawer>
  );
}

interface RulesTriedProps {
  title: string;
  /** What is said where there is no rule. */
  none: string;
  ordered?: boolean;
  rules: readonly { id: number; name: string; verdict: string; chosen: boolean }[];
}

/** The rules that were looked at, in their order, and what was found of each. */
export function RulesTried({ title, none, ordered = false, rules }: RulesTriedProps) {
  return (
    <Stack gap={6}>
      <Divider label={title} labelPosition="left" />
      {rules.length === 0 && (
        <Text size="sm" c="dimmed">
          {none}
        </Text>
      )}
      <List type={ordered ? 'ordered' : 'unordered'} size="sm" spacing={4}>
        {rules.map(({ id, name, verdict, chosen }) => (
          <List.Item key={id}>
            <Text span size="sm" fw={chosen ? 650 : 400}>
              {name}
            </Text>
            {' · '}
            <Text span size="sm" {...(chosen ? { fw: 650 } : { c: 'dimmed' })}>
              {verdict}
            </Text>
          </List.Item>
        ))}
      </List>
    </Stack>
  );
}
