import { MERGE_FIELDS, type MergeField } from '@heliograph/contract/kernel/merge-fields';
import { Button, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './message-editor.module.css';
import type { OfferedField } from './use-recipients.ts';

/** Chips that insert a field into the text: those that the recipients have, and the others on demand. */
export function MergeChips(props: { fields: readonly OfferedField[]; onInsert: (field: MergeField) => void }) {
  const { t } = useTranslation();
  const [all, setAll] = useState(false);
  const { fields, onInsert } = props;
  const offered = new Map(fields.map((each) => [each.field, each]));
  const rest = MERGE_FIELDS.filter((field) => !offered.has(field));
  const shown = [...offered.keys(), ...(all ? rest : offered.size === 0 ? rest.slice(0, 1) : [])];
  return (
    <fieldset className={classes.chips} style={{ border: 0, margin: 0, padding: 0 }}>
      <legend className="app-visually-hidden">{t('compose.insert')}</legend>
      <Text size="xs" c="dimmed" aria-hidden="true">
        {t('compose.insert')}
      </Text>
      {shown.map((field) => {
        const { column, example } = offered.get(field) ?? {};
        return (
          <Button
            key={field}
            size="compact-xs"
            radius="xl"
            variant={offered.has(field) ? 'light' : 'default'}
            title={example && t('compose.example', { value: example })}
            // The field keeps its caret, because the click must not move the focus.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onInsert(field)}
          >
            {column && <span className={classes.column}>{column}</span>}
            <span className={classes.chip}>{`{${field}}`}</span>
            {!column && example && <span className={classes.example}>{example}</span>}
          </Button>
        );
      })}
      {!all && rest.length > 0 && (
        <Button
          size="compact-xs"
          radius="xl"
          variant="subtle"
          leftSection={<IconPlus size={12} aria-hidden />}
          onClick={() => setAll(true)}
        >
          {t('compose.all_fields')}
        </Button>
      )}
    </fieldset>
  );
}
