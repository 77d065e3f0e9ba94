import { blacklistText } from '@heliograph/contract/settings/blacklist-text';
import { connectionType } from '@heliograph/contract/settings/connection-type';
import { fieldsOf } from '../../resource/fields.tsx';
import { ResourceList } from '../../resource/resource-list.tsx';

const Word = fieldsOf(blacklistText.create);
const Channel = fieldsOf(connectionType.create);

/** Screen of the words and phrases that no message may contain. */
export function BlacklistText() {
  return (
    <ResourceList
      resource={blacklistText}
      columns={['text', 'created_at']}
      form={<Word.Text name="text" autoFocus />}
    />
  );
}

/** Screen of the channels by which a person's messages enter the platform. */
export function ConnectionTypes() {
  return (
    <ResourceList
      resource={connectionType}
      columns={['name', 'created_at']}
      form={<Channel.Text name="name" autoFocus />}
    />
  );
}
