/** Path of the calls about links. */
export const LINKS = '/api/v1/links';

/** Builds the body of a new link, as a form sends it. */
export const newLink = (more: object = {}) => ({
  name: 'North',
  host: '127.0.0.1',
  port: 2775,
  system_id: 'north',
  ...more,
});
