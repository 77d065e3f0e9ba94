// The roles are looked at before the tests of access change them.
await import('./roles.ts');
await import('./access.ts');
