/** Places at which the test of the virtual carrier kills a sender. */
export const SANDBOX_PLACES = ['sandbox.before-take', 'sandbox.taken'] as const;
