import { Button, Divider, Drawer, Group, List, Stack, Text } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';

interface AskDrawerProps {
  title: string;
  hint: string;
  submit: string;
  close: string;
  busy: boolean;
  /** Set if all required fields are filled in. */
  ready: boolean;
  /** Error text that belongs to no field. */
  fault: string | undefined;
  onAsk: () => void;
  onClose: () => void;
  /** Answer of the server, once there is one. */
  answer: ReactNode;
  /** The fields. */
  children: ReactNode;
}

/** Drawer that sends a question to the server: fields, a button, and the answer below them. */
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
  /** Text shown if there is no rule. */
  none: string;
  ordered?: boolean;
  rules: readonly { id: number; name: string; verdict: string; chosen: boolean }[];
}

/** List of the rules that were checked, in their order, with the result of each. */
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
