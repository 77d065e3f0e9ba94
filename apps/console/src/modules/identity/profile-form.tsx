import { updateProfile } from '@heliograph/contract/identity/session';
import { keyIn } from '@heliograph/contract/kernel/message-keys';
import { LOCALE_NAMES, LOCALES, type Locale } from '@heliograph/contract/kernel/scope';
import { Button, Group, Select, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../platform/action.ts';
import { call } from '../../platform/call.ts';
import { chooseLocale } from '../../platform/language.ts';
import { menuLabel } from '../../platform/menu-label.ts';
import { problemFrom } from '../../platform/problem.ts';
import { type Session, useSession } from '../../platform/session.ts';
import { loadProfile } from '../../platform/sign-in.ts';
import { toast } from '../../platform/toast.ts';
import { type Contest, contestsOf, EditConflict } from '../../resource/edit-conflict.tsx';

export type Person = NonNullable<Session['profile']>;

/** Values with which the form started, as stored by the server. */
interface Base {
  name: string;
  phone: string | null;
  preferred_language: Locale;
  landing_page: string;
  etag: string;
}

/** Holds the entered values, and saves those that changed. Keeps the fields that were changed elsewhere too. */
function useProfileEdit(profile: Person) {
  const { t } = useTranslation();
  const [base, setBase] = useState<Base>(() => ({
    name: profile.name,
    phone: profile.phone,
    preferred_language: profile.preferred_language,
    landing_page: profile.chosen_landing_page,
    etag: profile.etag,
  }));
  const [name, setName] = useState(profile.name);
  const [phone, setPhone] = useState(profile.phone ?? '');
  const [language, setLanguage] = useState<Locale>(profile.preferred_language);
  const [page, setPage] = useState(profile.landing_page);
  const [contests, setContests] = useState<readonly Contest[]>([]);
  const { busy, errors, run } = useAction();
  const set: Record<string, (value: unknown) => void> = {
    name: (value) => setName(String(value)),
    phone: (value) => setPhone(String(value ?? '')),
    preferred_language: (value) => setLanguage(value as Locale),
    landing_page: (value) => setPage(String(value)),
  };
  /**
   * Saves the changes since `before`. Returns false if the same fields were changed elsewhere meanwhile, perhaps by the
   * same person.
   */
  async function send(before: Base): Promise<boolean> {
    const { etag: ifMatch, ...read } = before;
    const entered = { name, phone: phone.trim() || null, preferred_language: language, landing_page: page };
    const own = (field: string) => field === 'landing_page' && page === profile.landing_page;
    const changed = Object.fromEntries(
      Object.entries(entered).filter(([field, value]) => value !== read[field as keyof typeof read] && !own(field)),
    );
    try {
      await call(updateProfile, { body: changed, ifMatch });
      setContests([]);
      return true;
    } catch (error) {
      const conflict = problemFrom(error)?.conflict;
      if (!conflict) throw error;
      const now = conflict.current as unknown as Base;
      const contested = contestsOf({ unshown: {} }, conflict, { ...before }, changed);
      for (const field of Object.keys(read)) if (!(field in changed)) set[field]?.(now[field as keyof Base]);
      setBase(now);
      setContests(contested);
      return contested.length > 0 ? false : await send({ ...now, etag: conflict.etag });
    }
  }
  function choose(field: string, choice: Contest['choice'], value: unknown) {
    setContests((all) => all.map((each) => (each.field === field ? { ...each, choice } : each)));
    set[field]?.(value);
  }
  function save(event: FormEvent) {
    event.preventDefault();
    void run(async () => {
      if (contests.some(({ choice }) => choice === null)) return void toast('error', t('conflict.choose'));
      if (!(await send(base))) return;
      await loadProfile();
      if (language !== profile.preferred_language) await chooseLocale(language);
      void toast('success', t('profile.saved'));
    });
  }
  return {
    ...{ name, phone, language, page },
    ...{ setName, setPhone, setLanguage, setPage },
    ...{ contests, choose, errors, busy, save },
  };
}

/** Form of the user's name, phone, language and landing page. */
export function ProfileForm({ profile }: { profile: Person }) {
  const { t } = useTranslation();
  const pages = useLandingPages();
  const form = useProfileEdit(profile);
  const { contests, errors } = form;
  return (
    <form onSubmit={(event) => void form.save(event)}>
      <Stack>
        {contests.length > 0 && (
          <EditConflict
            name="profile"
            schema={updateProfile.body}
            label={(field) => t(field === 'preferred_language' ? 'profile.language' : keyIn('profile', field))}
            contests={contests}
            choose={form.choose}
          />
        )}
        <TextInput
          label={t('profile.name')}
          autoComplete="name"
          required
          maxLength={100}
          error={errors.name?.[0]}
          value={form.name}
          onChange={(event) => form.setName(event.currentTarget.value)}
        />
        <TextInput label={t('profile.email')} value={profile.email} readOnly variant="filled" />
        <TextInput
          label={t('profile.phone')}
          description={t('profile.phone_hint')}
          type="tel"
          autoComplete="tel"
          maxLength={20}
          error={errors.phone?.[0]}
          value={form.phone}
          onChange={(event) => form.setPhone(event.currentTarget.value)}
        />
        <Select
          label={t('profile.language')}
          allowDeselect={false}
          data={LOCALES.map((value) => ({ value, label: LOCALE_NAMES[value] }))}
          value={form.language}
          onChange={(value) => value && form.setLanguage(value as Locale)}
        />
        <Select
          label={t('profile.landing_page')}
          description={t('profile.landing_page_hint')}
          allowDeselect={false}
          searchable
          nothingFoundMessage={t('form.nothing_found')}
          error={errors.landing_page?.[0]}
          data={pages}
          value={form.page}
          onChange={(value) => value && form.setPage(value)}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={form.busy}>
            {t('actions.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Returns the screens that can be the landing page. */
function useLandingPages(): { value: string; label: string }[] {
  const { t } = useTranslation();
  const menus = useSession((s) => s.menus);
  const entries = menus.flatMap((entry) => [entry, ...entry.children]).filter(({ url }) => url !== '');
  const pages = new Map(entries.map((entry) => [entry.url, menuLabel(entry)]));
  pages.set('profile', t('menu.profile'));
  return [...pages].map(([value, label]) => ({ value, label }));
}
