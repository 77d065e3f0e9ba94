import { keyIn } from '@heliograph/contract/kernel/message-keys';
import type { AnyResource } from '@heliograph/contract/kernel/resource';
import { Badge, NavLink, Stack } from '@mantine/core';
import { useCanGoBack, useNavigate, useParams, useRouter, useRouterState } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../platform/session.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { Section } from '../ui/section.tsx';
import { type Rebase, RecordForm, useFormState, useUnsavedGuard } from './form.tsx';
import classes from './form-page.module.css';
import type { Values } from './form-values.ts';
import { OneRecord } from './one-record.tsx';
import { useRecordSave } from './record-save.ts';

interface FormPageProps {
  resource: AnyResource;
  /** Fields of each group that the resource declares. A group without fields for this person is left out. */
  groups: Readonly<Record<string, ReactNode>>;
  /** Tells whether a group matters for the present values; without it all do. */
  shows?: (group: string, values: Values) => boolean;
  /** Called when the record is saved, before the page closes. */
  onSaved?: () => void;
}

/** Page that creates a record, or edits the one whose id is in the address. */
export function FormPage(props: FormPageProps) {
  const { t } = useTranslation();
  const { resource } = props;
  const { id } = useParams({ strict: false }) as { id?: string };
  const listed = useRouterState({ select: ({ location }) => location.state.row });
  const mayShow = useMay(resource.permissions.show);
  if (id === undefined) return <Loaded {...props} row={null} />;
  // A person who may edit but not view records has only what the list showed.
  if (!mayShow && listed) return <Loaded {...props} row={listed} />;
  return (
    <OneRecord name={resource.name} operation={resource.get} notFound={t('errors.not_found')}>
      {(found) => {
        const row = found as unknown as Values & { abilities: { edit: boolean } };
        return row.abilities.edit ? <Loaded {...props} row={row} /> : <EmptyState title={t('errors.forbidden')} />;
      }}
    </OneRecord>
  );
}

function Loaded({ resource, groups, shows, onSaved, row }: FormPageProps & { row: Values | null }) {
  const { t } = useTranslation();
  const router = useRouter();
  const navigate = useNavigate();
  const canGoBack = useCanGoBack();
  const [dirty, setDirty] = useState(false);
  useUnsavedGuard(dirty);
  const { title, save, ...form } = useRecordSave(resource, row);
  const list = `/${resource.name}`;
  const leave = (ignoreBlocker: boolean) =>
    canGoBack ? router.history.back({ ignoreBlocker }) : void navigate({ to: list, ignoreBlocker });
  const shown = Object.entries(resource.groups).filter(
    ([group, fields]) => groups[group] !== undefined && fields.some((each) => form.schema.shape[each]),
  );
  const titleOf = (group: string) => t(keyIn('resources', resource.name, 'sections', group));

  async function submit(values: Values, rebase: Rebase) {
    if (!(await save(values, rebase))) return;
    onSaved?.();
    leave(true);
  }

  return (
    <>
      <PageHeader title={title} crumbs={[{ label: t(keyIn('menu', resource.name)), to: list }]} />
      <RecordForm page name={resource.name} {...form} submit={submit} onCancel={() => leave(false)} onDirty={setDirty}>
        <FormSections
          {...(shows && { shows })}
          groups={shown.map(([group, fields]) => ({ group, fields, title: titleOf(group), content: groups[group] }))}
        />
      </RecordForm>
    </>
  );
}

interface FormSection {
  group: string;
  title: string;
  fields: readonly string[];
  content: ReactNode;
}

/** Sections of a form that is a page, with an index beside them. */
export function FormSections(props: { groups: readonly FormSection[]; shows?: FormPageProps['shows'] }) {
  const { values } = useFormState();
  const { shows = () => true } = props;
  const groups = props.groups.filter(({ group }) => shows(group, values));
  return (
    <div className={classes.page}>
      <FormIndex groups={groups} />
      <Stack gap="md" miw={0}>
        {groups.map(({ group, title, content }) => (
          <div key={group} id={group} className={classes.section}>
            <Section title={title}>{content}</Section>
          </div>
        ))}
      </Stack>
    </div>
  );
}

/** Index of the form's sections, each with the number of its errors. */
function FormIndex({ groups }: { groups: readonly FormSection[] }) {
  const { t } = useTranslation();
  const { errors } = useFormState();
  const seen = useSectionInView(groups.map(({ group }) => group));
  const faultsIn = (fields: readonly string[]) =>
    Object.keys(errors).filter((name) => errors[name] && fields.includes(name.split('.')[0]!)).length;
  return (
    <nav className={classes.index} aria-label={t('form.sections')}>
      {groups.map(({ group, fields, title }) => {
        const faults = faultsIn(fields);
        return (
          <NavLink
            key={group}
            href={`#${group}`}
            label={title}
            active={group === seen}
            aria-current={group === seen ? 'true' : undefined}
            rightSection={
              faults > 0 && (
                <Badge size="sm" color="red.8" circle>
                  {faults}
                </Badge>
              )
            }
            onClick={(event) => {
              // The address stays as it is, so the browser's back button leaves the form.
              event.preventDefault();
              const section = document.getElementById(group);
              section?.scrollIntoView({ block: 'start' });
              section?.querySelector<HTMLElement>('input, textarea')?.focus({ preventScroll: true });
            }}
          />
        );
      })}
    </nav>
  );
}

/** Returns the topmost section that is in view. */
function useSectionInView(ids: readonly string[]): string | undefined {
  const all = ids.join(' ');
  const [seen, setSeen] = useState(ids[0]);
  useEffect(() => {
    const visible = new Set<string>();
    const names = all.split(' ');
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          if (isIntersecting) visible.add(target.id);
          else visible.delete(target.id);
        }
        setSeen((before) => names.find((name) => visible.has(name)) ?? before);
      },
      { rootMargin: '-80px 0px -40% 0px' },
    );
    for (const name of names) {
      const section = document.getElementById(name);
      if (section) observer.observe(section);
    }
    return () => observer.disconnect();
  }, [all]);
  return seen;
}
