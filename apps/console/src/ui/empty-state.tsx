import { Anchor, Group, Stack, Text, ThemeIcon } from '@mantine/core';
import { createContext, type ReactNode, useContext } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from './link.tsx';
import { SubjectIcon } from './subject-icon.tsx';

/** Article about the current screen, if the user may read it; set by the shell. */
export const ArticleContext = createContext<string | undefined>(undefined);

/**
 * EmptyState: explanation of an empty place: its purpose and the first step.
 *
 *   <EmptyState of="api-keys" title={t('…first')} text={t('…empty')} action={<Button>…</Button>} learn />
 *
 * `of` names the subject, whose icon is shown; `icon` is another picture. `learn` adds a link to the article about the
 * screen. The title says something that the heading of the screen does not.
 */
export function EmptyState(props: {
  title: string;
  text?: ReactNode;
  of?: string;
  icon?: ReactNode;
  action?: ReactNode;
  learn?: boolean;
  /** True if the notice is shown instead of a whole screen: its title is then the heading of the page. */
  screen?: boolean;
}) {
  const { t } = useTranslation();
  const article = useContext(ArticleContext);
  const learn = props.learn && article !== undefined;
  return (
    <Stack align="center" gap="xs" py={48} px="md" maw={480} mx="auto" ta="center">
      <ThemeIcon size={56} radius="xl" variant="light" color="gray" aria-hidden>
        {props.icon ?? <SubjectIcon of={props.of ?? ''} />}
      </ThemeIcon>
      <Text fw={600} size="md" mt="xs" component={props.screen ? 'h1' : 'p'} mb={0}>
        {props.title}
      </Text>
      {props.text && (
        <Text c="dimmed" size="sm">
          {props.text}
        </Text>
      )}
      {(props.action || learn) && (
        <Group mt="xs" gap="md" justify="center">
          {props.action}
          {learn && (
            <Anchor component={Link} to="/document/0" search={{ article }} size="sm">
              {t('list.read_how')}
            </Anchor>
          )}
        </Group>
      )}
    </Stack>
  );
}
