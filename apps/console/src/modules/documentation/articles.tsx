import { article } from '@heliograph/contract/documentation/article';
import { LOCALE_NAMES } from '@heliograph/contract/kernel/scope';
import { Group } from '@mantine/core';
import { IconBook2, IconFileText, IconFolder } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useMay } from '../../platform/session.ts';
import { ResourceList } from '../../resource/resource-list.tsx';

/** Screen of the articles of the documentation. */
export function Articles() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const mayRead = useMay('documentation-view');
  const mayEdit = useMay(article.permissions.edit);
  const languages = (locales: readonly (keyof typeof LOCALE_NAMES)[]) =>
    locales.map((locale) => LOCALE_NAMES[locale]).join(', ');
  return (
    <ResourceList<typeof article>
      resource={article}
      header={{ subtitle: t('resources.articles.subtitle') }}
      columns={[
        {
          field: 'title',
          cell: (row) => (
            <Group component="span" gap={8} wrap="nowrap" pl={20 * row.depth} fw={row.is_parent ? 600 : 400}>
              {row.is_parent ? (
                <IconFolder size={16} stroke={1.6} aria-hidden style={{ flex: 'none' }} />
              ) : (
                <IconFileText size={16} stroke={1.6} aria-hidden style={{ flex: 'none' }} />
              )}
              <span>{row.title}</span>
            </Group>
          ),
          csv: (row) => row.title,
        },
        'parent_title',
        'position',
        { field: 'depth', hidden: true },
        'permission_name',
        { field: 'is_parent', hidden: true },
        { field: 'locales', cell: (row) => languages(row.locales), csv: (row) => languages(row.locales) },
        'built_in',
        'edited',
        'updated_at',
      ]}
      filters={[{ field: 'parent_id', to: article }, 'is_parent', 'built_in', 'edited']}
      {...(mayEdit && { rowTo: (row) => `/articles/${row.id}/edit` })}
      rowActions={(row) =>
        mayRead
          ? [
              {
                label: t('resources.articles.read'),
                icon: <IconBook2 size={16} stroke={1.6} />,
                onClick: () => void navigate({ to: `/document/${row.id}` }),
              },
            ]
          : []
      }
    />
  );
}
