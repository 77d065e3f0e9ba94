import { Button, Group } from '@mantine/core';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { clearSession } from '../../platform/session.ts';
import { Link } from '../../ui/link.tsx';
import { PublicPage } from './public-page.tsx';

export function Unauthorized() {
  const { t } = useTranslation();
  // The server no longer knows this session, so all stored data of it is deleted.
  useEffect(clearSession, []);
  return (
    <PublicPage title={t('menu.unauthorized')} text={t('pages.unauthorized_text')}>
      <Button component={Link} to="/login" size="md">
        {t('menu.login')}
      </Button>
    </PublicPage>
  );
}

export function Forbidden() {
  const { t } = useTranslation();
  return (
    <PublicPage title={t('menu.forbidden')} text={t('pages.forbidden_text')}>
      <Button component={Link} to="/" size="md">
        {t('pages.home')}
      </Button>
    </PublicPage>
  );
}

export function NotFound() {
  const { t } = useTranslation();
  return (
    <PublicPage title={t('menu.not-found')} text={t('pages.not_found_text')}>
      <Group gap="sm">
        <Button component={Link} to="/">
          {t('pages.home')}
        </Button>
        {/* The address that was not found is the entry before this page. */}
        {history.length > 2 && (
          <Button variant="default" onClick={() => history.go(-2)}>
            {t('pages.back')}
          </Button>
        )}
      </Group>
    </PublicPage>
  );
}
