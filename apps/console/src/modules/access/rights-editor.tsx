import type { PermissionMatrix as Matrix } from '@heliograph/contract/access/permission';
import { Alert, Button, Group, Modal, Paper, SimpleGrid, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { sentenceOf } from '../../platform/problem.ts';
import { toast } from '../../platform/toast.ts';
import { useUnsavedGuard } from '../../resource/form.tsx';
import { permissionLabel } from './matrix-groups.ts';
import classes from './permission-matrix.module.css';
import { PermissionMatrix } from './permission-matrix.tsx';

interface Difference {
  add: string[];
  remove: string[];
}

/**
 * Editor for the permissions of a role or a person. Changes are collected, shown before saving, and sent as a
 * difference.
 */
export function RightsEditor(props: {
  matrix: Matrix;
  save: (difference: Difference) => Promise<{ message?: string | undefined }>;
  onSaved: () => void;
}) {
  const { t } = useTranslation();
  const { matrix } = props;
  const [before] = useState<ReadonlySet<string>>(() => new Set(matrix.held));
  const [held, setHeld] = useState<ReadonlySet<string>>(before);
  const [reviewing, setReviewing] = useState(false);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const difference: Difference = {
    add: [...held].filter((name) => !before.has(name)),
    remove: [...before].filter((name) => !held.has(name)),
  };
  const count = difference.add.length + difference.remove.length;
  useUnsavedGuard(count > 0 && !busy);

  async function save() {
    setBusy(true);
    setFailure(null);
    try {
      const { message } = await props.save(difference);
      void toast('success', message ?? t('rights.saved'));
      props.onSaved();
    } catch (error) {
      setFailure(sentenceOf(error));
      setBusy(false);
    }
  }

  return (
    <>
      {!matrix.editable && (
        <Alert color="blue" variant="light" mb="md">
          {t('rights.read_only')}
        </Alert>
      )}
      <PermissionMatrix
        matrix={matrix}
        held={held}
        inherited={new Set(matrix.inherited)}
        editable={matrix.editable}
        onChange={setHeld}
      />
      {count > 0 && (
        <Paper className={`app-card ${classes.bar}`} shadow="md" p="xs" pl="md">
          <Group justify="space-between">
            <Text size="sm" fw={500} role="status">
              {t('rights.changes', { count })}
            </Text>
            <Group gap="xs">
              <Button variant="subtle" size="xs" onClick={() => setHeld(before)}>
                {t('menus.discard')}
              </Button>
              <Button size="xs" onClick={() => setReviewing(true)}>
                {t('rights.review')}
              </Button>
            </Group>
          </Group>
        </Paper>
      )}
      <Modal
        opened={reviewing}
        onClose={() => setReviewing(false)}
        title={<Text fw={600}>{t('rights.review_title')}</Text>}
        closeButtonProps={{ 'aria-label': t('actions.close') }}
      >
        <Stack>
          {failure && (
            <Alert color="red" role="alert">
              {failure}
            </Alert>
          )}
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <Names title={t('rights.given')} names={difference.add} matrix={matrix} />
            <Names title={t('rights.taken')} names={difference.remove} matrix={matrix} />
          </SimpleGrid>
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={() => setReviewing(false)}>
              {t('actions.cancel')}
            </Button>
            <Button loading={busy} onClick={() => void save()}>
              {t('actions.save')}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}

function Names(props: { title: string; names: readonly string[]; matrix: Matrix }) {
  const { matrix } = props;
  if (props.names.length === 0) return null;
  const labels = matrix.permissions
    .filter(({ name }) => props.names.includes(name))
    .map((permission) => permissionLabel(permission, matrix.menus));
  return (
    <div>
      <Text size="sm" fw={600} mb={4}>
        {props.title}
      </Text>
      <ul className={classes.names}>
        {labels.map((label) => (
          <li key={label}>{label}</li>
        ))}
      </ul>
    </div>
  );
}
