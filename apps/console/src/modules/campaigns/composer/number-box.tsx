import { Alert, Badge, Button, Stack, Text, Textarea } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { memo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../platform/format.ts';
import classes from './number-box.module.css';
import { onlyGood, type PastedFault, type PastedNumbers } from './pasted-numbers.ts';

/** Maximum characters of pasted numbers in the contract. */
const MAX_CHARACTERS = 200_000;
/** Minimum characters of a paste that the screen inserts instead of the browser. */
const LONG_PASTE = 2_000;

const SEPARATORS = /[,;\n\r\t]+/;

/** Returns the number of entries in a text. */
const splitCount = (text: string) => text.split(SEPARATORS).filter((entry) => entry.trim() !== '').length;

/** Returns a text without its last entry, which may be incomplete. */
const wholeNumbers = (text: string) => text.slice(0, Math.max(0, text.search(/[,;\n\r\t][^,;\n\r\t]*$/)));

/**
 * Box for numbers that shows which of them are valid and which are not. It is drawn again only when its own text
 * changes, because a browser is slow with a field of thousands of lines. `onChange` must be the same from one drawing
 * to the next.
 */
export const NumberBox = memo(function NumberBox(props: {
  label: string;
  description?: string;
  placeholder: string;
  value: string;
  pasted: PastedNumbers | undefined;
  error: string | undefined;
  autoFocus?: boolean;
  onChange: (text: string) => void;
}) {
  const { t } = useTranslation();
  const format = useFormat();
  const { value, pasted, onChange } = props;
  const [cut, setCut] = useState(0);
  return (
    <Stack gap={8}>
      <Textarea
        label={props.label}
        description={props.description}
        placeholder={props.placeholder}
        rows={3}
        resize="vertical"
        spellCheck={false}
        inputMode="tel"
        maxLength={MAX_CHARACTERS}
        error={props.error}
        autoFocus={props.autoFocus}
        value={value}
        onChange={(event) => {
          setCut(0);
          onChange(event.currentTarget.value);
        }}
        onPaste={(event) => {
          const pastedText = event.clipboardData.getData('text/plain');
          if (pastedText.length < LONG_PASTE) return;
          // The browser's own editing takes minutes for thousands of lines. Setting the text directly takes almost no
          // time.
          event.preventDefault();
          const { value, selectionStart, selectionEnd } = event.currentTarget;
          const whole = value.slice(0, selectionStart) + pastedText + value.slice(selectionEnd);
          // The last number that fits only in part would be another number.
          const fits = whole.length <= MAX_CHARACTERS ? whole : wholeNumbers(whole.slice(0, MAX_CHARACTERS));
          setCut(splitCount(whole) - splitCount(fits));
          onChange(fits);
        }}
      />
      {cut > 0 && (
        <Alert color="orange" variant="light" icon={<IconAlertTriangle size={18} />} role="alert">
          {t('numbers_check.cut', { count: cut, n: format.integer(cut), limit: format.integer(splitCount(value)) })}
        </Alert>
      )}
      {pasted && value.trim() !== '' && <Verdict pasted={pasted} onChange={onChange} />}
    </Stack>
  );
});

function Verdict({ pasted, onChange }: { pasted: PastedNumbers; onChange: (text: string) => void }) {
  const bad = Object.entries(pasted.bad) as [PastedFault, number][];
  const { t } = useTranslation();
  const format = useFormat();
  const [open, setOpen] = useState(false);
  return (
    <Stack gap={6}>
      <div className={classes.verdict} role="status">
        <Badge color="teal" variant="light" tt="none">
          {t('numbers_check.good', { n: format.integer(pasted.good.length) })}
        </Badge>
        {bad.map(([fault, count]) => (
          <Badge key={fault} color={fault === 'duplicate' ? 'gray' : 'red'} variant="light" tt="none">
            {`${t(`reject_reason.${fault}`)}: ${format.integer(count)}`}
          </Badge>
        ))}
        {bad.length > 0 && (
          <Button size="compact-xs" variant="subtle" onClick={() => onChange(onlyGood(pasted))}>
            {t('numbers_check.keep_good')}
          </Button>
        )}
        {pasted.listed.length > 0 && (
          <Button size="compact-xs" variant="subtle" aria-expanded={open} onClick={() => setOpen(!open)}>
            {t(open ? 'numbers_check.hide' : 'numbers_check.show')}
          </Button>
        )}
      </div>
      {open && (
        <Text size="xs" component="ul" m={0} pl="md" mah={140} style={{ overflowY: 'auto' }} tabIndex={0}>
          {pasted.listed.map(({ entry, fault }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same entry may stand there twice
            <li key={at}>
              <b>{entry.slice(0, 40)}</b> – {t(`reject_reason.${fault}`)}
            </li>
          ))}
        </Text>
      )}
    </Stack>
  );
}
