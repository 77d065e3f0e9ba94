import { Button, Divider, List, Stack, Text } from '@mantine/core';
import { type FormEvent, type ReactNode, useRef } from 'react';
import { FormDrawer, FormFoot, FormFrame, submitKeys } from './form-frame.tsx';

interface AskDrawerProps {
  title: string;
  hint: string;
  submit: string;
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

/** Drawer that sends a question to the server: fields and a button, with the answer between them. */
export function AskDrawer(props: AskDrawerProps) {
  const form = useRef<HTMLFormElement>(null);
  function submit(event: FormEvent) {
    event.preventDefault();
    // A drawer may be opened from a form, which must not be submitted with it.
    event.stopPropagation();
    if (props.ready && !props.busy) props.onAsk();
  }

  return (
    <FormDrawer title={props.title} onClose={props.onClose}>
      <FormFrame form={form} onSubmit={submit}>
        <Stack gap="md" pb="lg">
          <Text size="sm" c="dimmed">
            {props.hint}
          </Text>
          <Stack gap="sm">
            {props.children}
            {props.fault && (
              <Text size="sm" c="var(--mantine-color-error)" role="alert">
                {props.fault}
              </Text>
            )}
          </Stack>
          <div aria-live="polite">{props.answer}</div>
        </Stack>
        <FormFoot>
          <Button type="submit" loading={props.busy} disabled={!props.ready} title={submitKeys()}>
            {props.submit}
          </Button>
        </FormFoot>
      </FormFrame>
    </FormDrawer>
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
          <List.Item key={id} style={{ overflowWrap: 'anywhere' }}>
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
