import { Alert, Button, Code, CopyButton, Group, Modal, NumberInput, Stack, Text } from '@mantine/core';
import { IconCheck, IconCopy, IconKey } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

const ICON = { size: 16, stroke: 1.6, 'aria-hidden': true } as const;
const A_WEEK = 168;

interface ShownOnceProps {
  title: string;
  /** Reason to store the secret now. */
  explained: string;
  value: string;
  /** Values in place of it, with their names, if there are several. */
  several?: readonly { label: string; value: string }[];
  onClose: () => void;
}

/** Dialog that shows a secret once. Only its button closes it, so that nobody loses the secret by accident. */
export function ShownOnce({ title, explained, value, several = [], onClose }: ShownOnceProps) {
  const { t } = useTranslation();
  return (
    <Modal
      opened
      onClose={onClose}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
      title={<Text fw={600}>{title}</Text>}
    >
      <Stack gap="md">
        <Alert variant="light" color="yellow" icon={<IconKey {...ICON} />}>
          {explained}
        </Alert>
        {several.length === 0 && <Secret value={value} />}
        {several.map((each) => (
          <div key={each.label}>
            <Group justify="space-between" gap="xs" mb={4}>
              <Text size="sm" fw={600}>
                {each.label}
              </Text>
              <Copy value={each.value} label={each.label} />
            </Group>
            <Secret value={each.value} />
          </div>
        ))}
        <Group justify="flex-end" gap="xs">
          {several.length === 0 && <Copy value={value} />}
          <Button onClick={onClose}>{t('actions.close')}</Button>
        </Group>
      </Stack>
    </Modal>
  );
}

const Secret = ({ value }: { value: string }) => (
  <Code block style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
    {value}
  </Code>
);

/** Button that copies a value; one of several is small, and says which. */
function Copy({ value, label }: { value: string; label?: string }) {
  const { t } = useTranslation();
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => {
        const words = t(copied ? 'actions.copied' : 'actions.copy');
        return (
          <Button
            variant={label === undefined ? 'default' : 'subtle'}
            size={label === undefined ? 'sm' : 'compact-sm'}
            leftSection={copied ? <IconCheck {...ICON} /> : <IconCopy {...ICON} />}
            {...(label !== undefined && { 'aria-label': `${words}: ${label}` })}
            onClick={copy}
          >
            {words}
          </Button>
        );
      }}
    </CopyButton>
  );
}

interface RotateDialogProps {
  title: string;
  explained: string;
  /** Label of the hours for which the present secret stays valid. */
  label: string;
  action: string;
  busy: boolean;
  onRotate: (hours: number) => void;
  onClose: () => void;
}

/** Dialog that asks for how many hours the old secret stays valid beside the new one. */
export function RotateDialog(props: RotateDialogProps) {
  const { t } = useTranslation();
  const [hours, setHours] = useState<number | string>(24);
  return (
    <Modal
      opened
      onClose={props.onClose}
      title={
        <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
          {props.title}
        </Text>
      }
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <Stack gap="md">
        <Text size="sm">{props.explained}</Text>
        <NumberInput
          label={props.label}
          min={0}
          max={A_WEEK}
          clampBehavior="strict"
          allowDecimal={false}
          value={hours}
          onChange={setHours}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={props.onClose}>
            {t('actions.cancel')}
          </Button>
          <Button loading={props.busy} disabled={hours === ''} onClick={() => props.onRotate(Number(hours))}>
            {props.action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
