import { beginSignOn, finishSignOn } from '@heliograph/contract/single-sign-on/sign-in';
import { Alert, Button, Center, Loader } from '@mantine/core';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { sentenceOf } from '../../platform/problem.ts';
import { isScreen } from '../../platform/return-place.ts';
import { keepSignIn } from '../../platform/session.ts';
import { loadProfile, pathAfterSignIn } from '../../platform/sign-in.ts';
import { Link } from '../../ui/link.tsx';
import { PublicPage } from './public-page.tsx';

/**
 * Page to which an identity provider sends people back. It completes the sign-in with the parameters of its address;
 * without them it begins one at the provider.
 */
export function SignOn() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { key } = useParams({ strict: false }) as { key: string };
  const search = useSearch({ strict: false }) as Record<string, string>;
  const [fault, setFault] = useState<string | null>(null);
  const begun = useRef(false);

  useEffect(() => {
    // An answer of a provider counts once.
    if (begun.current) return;
    begun.current = true;
    // The address for providers of SAML passes its part on behind the #, so that no server logs it.
    const answer = { ...search, ...Object.fromEntries(new URLSearchParams(location.hash.slice(1))) };
    const finish = async () => {
      // The code stays in no history and no bookmark.
      history.replaceState(history.state, '', location.pathname);
      const reply = await call(finishSignOn, { body: { key, answer } });
      keepSignIn(reply);
      await loadProfile();
      const usual = pathAfterSignIn();
      await navigate({ to: reply.from && isScreen(reply.from) ? reply.from : usual, replace: true });
    };
    const begin = async () => {
      const { url } = await call(beginSignOn, { body: { key } });
      if (url !== null) location.replace(url);
    };
    (answer['state'] === undefined ? begin() : finish()).catch((error: unknown) => setFault(sentenceOf(error)));
  }, [search, key, navigate]);

  if (fault === null)
    return (
      <PublicPage title={t('sign_on.title')}>
        <Center>
          <Loader size="sm" />
        </Center>
      </PublicPage>
    );
  return (
    <PublicPage title={t('sign_on.failed_title')}>
      <Alert color="red" variant="light" role="alert">
        {fault}
      </Alert>
      <Button component={Link} to="/login" size="md">
        {t('sign_on.back')}
      </Button>
    </PublicPage>
  );
}
