// A second link is made after the tests of sessions, which send nothing.
await import('./session.ts');
(await import('./passkey.ts')).passkeyPath();
(await import('./sign-in-policy.ts')).signInPolicyPath();
(await import('./support-session.ts')).supportSessionPath();
await import('./links.ts');
