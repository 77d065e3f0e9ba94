import { type contents, readArticle } from '@heliograph/contract/documentation/reader';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { LOCALE_TAGS } from '@heliograph/contract/kernel/scope';
import { Alert, Anchor, Breadcrumbs, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconBook2, IconLanguage } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Navigate, useParams, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { currentLocale } from '../../platform/language.ts';
import { problemFrom } from '../../platform/problem.ts';
import { LoadError } from '../../resource/load-error.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Link } from '../../ui/link.tsx';
import { Html } from './html.tsx';
import classes from './reader.module.css';
import { ReaderFrame } from './reader-frame.tsx';

type All = ReplyOf<typeof contents>;

/** The documentation opens at its first article. */
export const Documentation = () => <Navigate to="/document/0" replace />;

/** Page of one article. The id is read as an integer; 0 is the article that `?article=` names, otherwise the first. */
export function Document() {
  const { id: text } = useParams({ strict: false }) as { id: string };
  const { article } = useSearch({ strict: false }) as { article?: string };
  const asked = Number.parseInt(text, 10) || 0;
  const idOf = ({ articles }: All) =>
    asked > 0
      ? asked
      : (articles.find(({ key }) => key !== null && key === article)?.id ??
        articles.find(({ is_parent }) => !is_parent)?.id ??
        articles[0]?.id);
  return <ArticleFrame idOf={idOf} asked={asked} />;
}

function ArticleFrame({ idOf, asked }: { idOf: (all: All) => number | undefined; asked: number }) {
  const { t } = useTranslation();
  return (
    <ReaderFrame current={(all) => ({ article: idOf(all) ?? asked })}>
      {(all) => {
        const id = idOf(all);
        return id === undefined ? (
          <EmptyState
            title={t('documentation.empty')}
            text={t('documentation.empty_hint')}
            icon={<IconBook2 size={28} stroke={1.5} />}
          />
        ) : (
          <Article key={id} id={id} all={all} />
        );
      }}
    </ReaderFrame>
  );
}

function Article({ id, all }: { id: number; all: All }) {
  const { t, i18n } = useTranslation();
  const format = useFormat();
  const article = useQuery({
    queryKey: ['documentation', 'article', id, i18n.language],
    queryFn: ({ signal }) => call(readArticle, { params: { id }, signal }),
  });
  if (problemFrom(article.error)?.status === 404)
    return (
      <EmptyState
        screen
        title={t('documentation.not_found')}
        text={t('documentation.not_found_hint')}
        icon={<IconBook2 size={28} stroke={1.5} />}
      />
    );
  if (article.error) return <LoadError error={article.error} retry={() => void article.refetch()} />;
  if (!article.data) return <Skeleton h={320} />;
  const { title, description, locale, path, previous, next, updated_at } = article.data.data;
  const inside = all.articles.filter(({ parent_id }) => parent_id === id);
  return (
    <article>
      {path.length > 0 && (
        <Breadcrumbs separator="›" separatorMargin={6} component="nav" aria-label={t('shell.breadcrumbs')} mb={4}>
          {path.map((step) => (
            <Anchor key={step.id} component={Link} to={`/document/${step.id}`} size="sm" c="dimmed">
              {step.title}
            </Anchor>
          ))}
        </Breadcrumbs>
      )}
      <Title order={1} mb="lg" lang={LOCALE_TAGS[locale]}>
        {title}
      </Title>
      {locale !== currentLocale() && (
        <Alert icon={<IconLanguage size={18} />} variant="light" mb="lg" py="xs">
          {t('documentation.english_only')}
        </Alert>
      )}
      <Html html={description} lang={LOCALE_TAGS[locale]} />
      {description === '' && inside.length > 0 && (
        <Stack gap="xs" component="section" aria-label={t('documentation.read_on')}>
          {inside.map((each) => (
            <Link key={each.id} to={`/document/${each.id}`} className={classes.end!}>
              {each.title}
            </Link>
          ))}
        </Stack>
      )}
      <Text size="xs" c="dimmed" mt="xl">
        {t('documentation.updated', { time: format.instant(updated_at) })}
      </Text>
      <nav className={classes.ends} aria-label={t('documentation.read_on')}>
        {previous && (
          <Link to={`/document/${previous.id}`} className={classes.end!} rel="prev">
            <Text component="span" size="xs" c="dimmed" display="block">
              {t('documentation.previous')}
            </Text>
            {previous.title}
          </Link>
        )}
        {next && (
          <Link to={`/document/${next.id}`} className={classes.end!} rel="next" data-next>
            <Text component="span" size="xs" c="dimmed" display="block">
              {t('documentation.next')}
            </Text>
            {next.title}
          </Link>
        )}
      </nav>
    </article>
  );
}
