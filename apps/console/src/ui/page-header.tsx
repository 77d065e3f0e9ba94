import { Anchor, Breadcrumbs, Group, Stack, Text, Title } from '@mantine/core';
import { createContext, type ReactNode, useContext } from 'react';
import { Link } from './link.tsx';

export interface Crumb {
  label: string;
  to?: string;
}

/** Where the current screen is in the menu; given by the shell. */
export const CrumbsContext = createContext<readonly Crumb[]>([]);

export interface PageHeaderProps {
  title: ReactNode;
  subtitle?: ReactNode;
  /** Screens between the menu's entry and this one. */
  crumbs?: readonly Crumb[];
  actions?: ReactNode;
}

/** The head of a screen: where one is, its title, and what can be done there. */
export function PageHeader(props: PageHeaderProps) {
  const crumbs = [...useContext(CrumbsContext), ...(props.crumbs ?? [])];
  return (
    <Stack gap={4} mb="lg">
      {crumbs.length > 0 && (
        <Breadcrumbs separator="›" separatorMargin={6} component="nav">
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
        <Stack gap={2} maw={760}>
          <Title order={1}>{props.title}</Title>
          {props.subtitle && (
            <Text c="dimmed" size="sm">
              {props.subtitle}
            </Text>
          )}
        </Stack>
        {props.actions && <Group gap="xs">{props.actions}</Group>}
      </Group>
    </Stack>
  );
}
