import { useTranslation } from 'react-i18next';
import classes from './sender-preview.module.css';

/** Sender ID as a phone shows it in its list of messages. */
export function SenderName({ name }: { name: string }) {
  return (
    <span className={classes.head}>
      <span className={classes.avatar} aria-hidden="true">
        {name.slice(0, 1).toUpperCase()}
      </span>
      <span className={classes.name}>{name}</span>
    </span>
  );
}

/** Sender ID above a message, as a phone shows it. */
export function SenderPreview({ name }: { name: string }) {
  const { t } = useTranslation();
  return (
    <figure className={classes.phone} style={{ margin: 0 }} aria-label={t('sender.preview')}>
      <SenderName name={name} />
      <div className={classes.bubble}>{t('sender.preview_text')}</div>
    </figure>
  );
}
