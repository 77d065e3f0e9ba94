import { segment } from '@heliograph/contract/kernel/segments';
import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './phone-preview.module.css';

/** Phone that shows a message as the recipient receives it. Seams show where one part ends and the next begins. */
export function PhonePreview(props: { sender: string; text: string; flash: boolean; clock: string }) {
  const { t } = useTranslation();
  const { parts } = segment(props.text);
  const body = <Parts parts={parts} />;
  return (
    <figure className={classes.phone} aria-label={t('preview.phone')} style={{ marginBlock: 0 }}>
      <div className={classes.screen}>
        <div className={classes.notch} aria-hidden="true" />
        <div className={classes.status} aria-hidden="true">
          <span>{props.clock}</span>
          <span>5G</span>
        </div>
        <div className={classes.head}>
          <span className={classes.avatar} aria-hidden="true">
            {props.sender.slice(0, 1).toUpperCase() || '?'}
          </span>
          <span className={classes.sender}>{props.sender || t('preview.no_sender')}</span>
        </div>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long text must be scrollable by keyboard */}
        <section className={classes.thread} tabIndex={0} aria-label={t('preview.text')}>
          {props.text === '' ? (
            <p className={classes.empty}>{t('preview.empty')}</p>
          ) : (
            !props.flash && (
              <>
                <span className={classes.day}>{t('preview.today', { time: props.clock })}</span>
                <div className={classes.bubble}>{body}</div>
              </>
            )
          )}
        </section>
        {props.flash && props.text !== '' && (
          <div className={classes.flash}>
            <div className={classes.card}>
              <strong>{props.sender}</strong>
              <div className={classes.cardText}>{body}</div>
              <div className={classes.cardFoot} aria-hidden="true">
                {t('preview.dismiss')}
              </div>
            </div>
          </div>
        )}
      </div>
    </figure>
  );
}

function Parts({ parts }: { parts: readonly string[] }) {
  const { t } = useTranslation();
  return parts.map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts are identified by their position
    <Fragment key={at}>
      {at > 0 && <span className={classes.seam}>{t('preview.part', { part: at + 1, parts: parts.length })}</span>}
      <span>{part}</span>
    </Fragment>
  ));
}
