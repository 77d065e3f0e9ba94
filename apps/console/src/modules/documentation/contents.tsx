import type { contents } from '@heliograph/contract/documentation/reader';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { useTranslation } from 'react-i18next';
import { Link } from '../../ui/link.tsx';
import classes from './reader.module.css';

interface ContentsProps {
  all: ReplyOf<typeof contents>;
  current: { article?: number; version?: number; reference?: boolean };
  onChosen: () => void;
}

/** Tree of the articles, with the versions below it. */
export function Contents({ all, current, onChosen }: ContentsProps) {
  const { t } = useTranslation();
  return (
    <>
      <ul className={classes.tree}>
        {all.articles.map(({ id, title, depth, is_parent }) => (
          <li key={id} data-depth={depth} data-part={is_parent || undefined}>
            <Link
              to={`/document/${id}`}
              className={classes.entry!}
              aria-current={id === current.article ? 'page' : undefined}
              onClick={onChosen}
            >
              {title}
            </Link>
          </li>
        ))}
      </ul>
      <ul className={classes.tree}>
        <li data-depth={0} data-part>
          <Link
            to="/api-reference"
            className={classes.entry!}
            aria-current={current.reference ? 'page' : undefined}
            onClick={onChosen}
          >
            {t('menu.api-reference')}
          </Link>
        </li>
      </ul>
      {all.change_logs.length > 0 && (
        <ul className={classes.tree}>
          <li data-depth={0} data-part>
            <span className={classes.entry}>{t('documentation.change_log')}</span>
          </li>
          {all.change_logs.map(({ id, version }) => (
            <li key={id} data-depth={1}>
              <Link
                to={`/change-logs/${id}`}
                className={classes.entry!}
                aria-current={id === current.version ? 'page' : undefined}
                onClick={onChosen}
              >
                {version}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
