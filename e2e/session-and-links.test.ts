// A second link is made after the tests of sessions, which send nothing.
await import('./session.ts');
await import('./links.ts');
