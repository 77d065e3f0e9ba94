import { Stack, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import classes from './send-sms.module.css';

/** One step of the page, with its heading. */
export function Step(props: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className={`app-card ${classes.step}`} aria-labelledby={id}>
      <Stack gap="md">
        <Title order={2} size="h4" id={id}>
          {props.title}
        </Title>
        {props.children}
      </Stack>
    </section>
  );
}
