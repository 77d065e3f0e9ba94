import { z } from 'zod';
import { baseUrl } from './setting-kinds.ts';

/** Settings of the language model that suggests texts. */
export const textModelSettings = {
  TEXT_MODEL_URL: baseUrl.optional().meta({
    description:
      'Address of a language model with the interface of chat completions, which suggests other forms of campaign texts. /chat/completions is added to it. Texts are sent there only when a person asks for a suggestion.',
    allowed: 'a URL that starts with http:// or https://, such as http://127.0.0.1:11434/v1',
    fallback: 'unset: no suggestions of a model',
  }),
  TEXT_MODEL_NAME: z.string().max(200).default('default').meta({
    description: 'Name of the model, as that address knows it.',
    allowed: 'at most 200 characters',
    fallback: 'default',
  }),
  TEXT_MODEL_KEY: z.string().optional().meta({
    description: 'Key for that address, sent as a bearer token.',
    allowed: 'a text',
    fallback: 'unset',
    secret: true,
  }),
};
