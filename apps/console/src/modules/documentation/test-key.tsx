import { apiKey, rotateApiKey } from '@heliograph/contract/api/api-key';
import { Button, Group, TextInput } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { createContext, type ReactNode, useContext, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../platform/action.ts';
import { call } from '../../platform/call.ts';
import { queryClient } from '../../platform/queries.ts';
import { useMay, useSession } from '../../platform/session.ts';
import { keyFault } from './tried-call.ts';

/** Styles of inputs for text that a program wrote, in a monospaced font. */
export const MONO = {
  input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 'var(--mantine-font-size-xs)' },
};

/** State that all forms of the page share while it is open. None of it is stored. */
interface Desk {
  key: string;
  fault: ReturnType<typeof keyFault>;
  giveKey(key: string): void;
  /** Returns whether the key may be used. If not, shows the reason. */
  checkKey(): boolean;
  /** Values that later calls can use: the last id of `/v1/messages` or `/v1/batches`, and the last reference. */
  known: Readonly<Record<string, string>>;
  learn(known: Record<string, string | undefined>): void;
}

export const DeskContext = createContext<Desk | null>(null);

/** Frame in which the calls of the page can be tried with one key. */
export function TrialDesk({ children }: { children: ReactNode }) {
  const [key, setKey] = useState('');
  const [fault, setFault] = useState<Desk['fault']>();
  const [known, setKnown] = useState<Desk['known']>({});
  const desk: Desk = {
    key,
    fault,
    giveKey(given) {
      const live = keyFault(given.trim()) === 'live_key';
      // A live key is not even kept on the screen.
      setKey(live ? '' : given.trim());
      setFault(live ? 'live_key' : undefined);
    },
    checkKey() {
      const found = keyFault(key);
      setFault(found);
      return found === undefined;
    },
    known,
    learn: (more) => {
      const news = Object.entries(more).filter((entry): entry is [string, string] => entry[1] !== undefined);
      setKnown((before) => ({ ...before, ...Object.fromEntries(news) }));
    },
  };
  return <DeskContext value={desk}>{children}</DeskContext>;
}

/** Field for the key, with a button that creates one. */
export function KeyInput() {
  const { t } = useTranslation();
  const { key, fault, giveKey } = useContext(DeskContext)!;
  const ownCorporation = useSession((s) => s.profile?.corporation_id ?? null);
  const mayMake = useMay(apiKey.permissions.create);
  const mayRotate = useMay(apiKey.permissions.edit);
  const { busy, run } = useAction();

  const make = () =>
    run(async () => {
      giveKey(await ownTestKey(t('try_it.key_name')));
    });

  return (
    <Group gap="sm" align="flex-start" wrap="wrap">
      <TextInput
        style={{ flex: '1 1 240px' }}
        label={t('try_it.key')}
        description={t('try_it.key_hint')}
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        placeholder="hk_test_…"
        styles={MONO}
        spellCheck={false}
        autoComplete="off"
        error={fault && t(`try_it.${fault}`)}
        value={key}
        onChange={(event) => giveKey(event.currentTarget.value)}
      />
      {ownCorporation !== null && mayMake && mayRotate && (
        <Button
          variant="default"
          mt={{ base: 0, xs: 28 }}
          loading={busy}
          leftSection={<IconKey size={16} stroke={1.6} aria-hidden />}
          onClick={() => void make()}
        >
          {t('try_it.make_key')}
        </Button>
      )}
    </Group>
  );
}

/**
 * Returns a test key of the person, found by its name. An existing key cannot be read again, so it gets a new secret
 * each time. The secret before it stays valid for one hour.
 */
async function ownTestKey(name: string): Promise<string> {
  const user_id = useSession.getState().profile!.id;
  const { data } = await call(apiKey.list, { query: { user_id, mode: 'test', search: name, per_page: 200 } });
  // A key that the person made for a program is never changed.
  const usable = data.find((row) => row.name.replace(/ \d+$/, '') === name && row.revoked_at === null);
  const names = new Set(data.map((row) => row.name));
  let fresh = name;
  for (let n = 2; names.has(fresh); n++) fresh = `${name} ${n}`;
  const made = usable
    ? await call(rotateApiKey, { params: { id: usable.id }, body: { overlap_hours: 1 } })
    : await call(apiKey.createOne, { body: { user_id, mode: 'test', name: fresh } });
  await queryClient.invalidateQueries({ queryKey: [apiKey.name] });
  return made.data.key!;
}
