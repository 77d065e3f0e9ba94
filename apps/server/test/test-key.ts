/** Key of installations under test whose processes have no folder of their own, so that none is made in the checkout. */
export const TEST_KEY = Buffer.alloc(32, 7).toString('base64');
