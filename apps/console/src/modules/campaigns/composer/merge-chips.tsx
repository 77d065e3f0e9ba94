import { MERGE_FIELDS } from '@heliograph/contract/kernel/merge-fields';
import { Button, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './message-editor.module.css';
import type { OfferedField } from './use-recipients.ts';

/** Number of contact fields that are shown without asking for all. */
const SHOWN_FIELDS = 4;

/** Chips that insert a field into the text: those that the recipients or contacts have, and the others on demand. */
export function MergeChips(props: {
  fields: readonly OfferedField[];
  contactFields: readonly { key: string; name: string }[];
  onInsert: (field: string) => void;
}) {
  const { t } = useTranslation();
  const [all, setAll] = useState(false);
  const { fields, contactFields, onInsert } = props;
  const ofContacts = contactFields.map(({ key, name }) => ({ field: key, column: name, example: undefined }));
  const first = all ? ofContacts : ofContacts.slice(0, SHOWN_FIELDS);
  const offered = new Map<string, OfferedField>([...fields, ...first].map((each) => [each.field, each]));
  const rest: string[] = [...MERGE_FIELDS, ...contactFields.map(({ key }) => key)].filter(
    (field) => !offered.has(field),
  );
  const shown = [...offered.keys(), ...(all ? rest : fields.length === 0 ? rest.slice(0, 1) : [])];
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
