import { Button, Drawer, Group, Text } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import type { ComponentProps, ReactNode, RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { submitByKey, useFirstFocus } from './form-focus.ts';
import classes from './form-frame.module.css';

interface FormDrawerProps {
  title: string;
  /** Width in pixels; the usual width if undefined. */
  size?: number | undefined;
  onClose: () => void;
  children: ReactNode;
}

/** Drawer for a form: its title and its foot stay in view while the fields scroll. */
export function FormDrawer({ title, size, onClose, children }: FormDrawerProps) {
  const { t } = useTranslation();
  return (
    <Drawer
      opened
      {...(size === undefined ? {} : { size })}
      onClose={onClose}
      title={
        <Text fw={650} size="lg">
          {title}
        </Text>
      }
      closeButtonProps={{ 'aria-label': t('actions.close') }}
      classNames={{ content: classes.drawer!, body: classes.body! }}
    >
      {children}
    </Drawer>
  );
}

interface FrameProps extends ComponentProps<'form'> {
  form: RefObject<HTMLFormElement | null>;
  /** Set for a form that is a page of its own. */
  page?: boolean;
}

/** Form with the first field focused, which Ctrl+Enter or ⌘+Enter submits. */
export function FormFrame({ form, page = false, ...props }: FrameProps) {
  useFirstFocus(form);
  return (
    <form
      noValidate
      ref={form}
      className={`${classes.form} ${page ? classes.page : ''}`}
      onKeyDown={submitByKey}
      {...props}
    />
  );
}

interface FootProps {
  /** Number of fields with an error. */
  faults?: number;
  onShowFault?: () => void;
  /** The buttons. */
  children: ReactNode;
}

/** Foot of a form, always in view: the number of errors, which leads to the first one, and the buttons. */
export function FormFoot({ faults = 0, onShowFault, children }: FootProps) {
  const { t } = useTranslation();
  return (
    <Group className={classes.foot!} justify="space-between" gap="xs">
      <div role="status">
        {faults > 0 && (
          <Button
            variant="subtle"
            color="red"
            px="xs"
            leftSection={<IconAlertCircle size={16} stroke={1.6} aria-hidden />}
            onClick={onShowFault}
          >
            {t('form.faults', { count: faults })}
          </Button>
        )}
      </div>
      <Group gap="xs">{children}</Group>
    </Group>
  );
}

/** Tooltip of the button that submits a form. */
export const submitKeys = (): string => (/Mac|iP(hone|ad)/.test(navigator.userAgent) ? '⌘ ↵' : 'Ctrl ↵');
