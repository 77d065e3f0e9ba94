/** Interfaces of other gateways that the platform offers to programs written for those. Each is off until a key opens it. */
export const DOORS = ['kannel'] as const;
export type Door = (typeof DOORS)[number];

/** Path at which programs written for Kannel send. */
export const KANNEL_PATH = '/cgi-bin/sendsms';
