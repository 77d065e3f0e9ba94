import { Anchor, Breadcrumbs, Group, Stack, Text, Title } from '@mantine/core';
import { createContext, type ReactNode, useContext } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from './link.tsx';

export interface Crumb {
  label: string;
  to?: string;
}

/** Position of the current screen in the menu; set by the shell. */
export const CrumbsContext = createContext<readonly Crumb[]>([]);

/** Link to the documentation of the current screen; set by the shell. */
export const HelpContext = createContext<ReactNode>(null);

export interface PageHeaderProps {
  title: ReactNode;
  subtitle?: ReactNode;
  /** Screens between the menu's entry and this one. */
  crumbs?: readonly Crumb[];
  actions?: ReactNode;
}

/** Head of a screen: its position in the menu, its title, and its actions. */
export function PageHeader(props: PageHeaderProps) {
  const { t } = useTranslation();
  const path = [...useContext(CrumbsContext), ...(props.crumbs ?? [])];
  // A group of the menu and its list may have the same name.
  const crumbs = path.filter(({ label }, at) => label !== path[at + 1]?.label);
  const help = useContext(HelpContext);
  return (
    <Stack gap={4} mb="lg">
      {crumbs.length > 0 && (
        <Breadcrumbs separator="›" separatorMargin={6} component="nav" aria-label={t('shell.breadcrumbs')}>
          {crumbs.map((crumb) =>
            crumb.to === undefined ? (
              <Text key={crumb.label} size="sm" c="dimmed">
                {crumb.label}
              </Text>
            ) : (
              <Anchor key={crumb.label} component={Link} to={crumb.to} size="sm" c="dimmed">
                {crumb.label}
              </Anchor>
            ),
          )}
        </Breadcrumbs>
      )}
      <Group justify="space-between" align="flex-start" gap="sm">
        <Stack gap={2} maw={760} miw={props.subtitle ? 216 : 0} flex="1 1 auto">
          <Group gap={6} wrap="nowrap" align="flex-start">
            <Title order={1} miw={0}>
              {props.title}
            </Title>
            {help}
          </Group>
          {props.subtitle && (
            // Only the title decides whether the actions have room beside it.
            <Text c="dimmed" size="sm" w={0} miw="100%">
              {props.subtitle}
            </Text>
          )}
        </Stack>
        {props.actions && <Group gap="xs">{props.actions}</Group>}
      </Group>
    </Stack>
  );
}
