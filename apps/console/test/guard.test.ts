import assert from 'node:assert/strict';
import { test } from 'node:test';
import { guard, mayVerify } from '../src/app/guard.ts';

const session = { isLoggedIn: true, verify: true, permissions: [{ name: 'campaigns-index' }] };

test('a user who is not logged in goes to the sign-in in every case', () => {
  assert.equal(guard({ ...session, isLoggedIn: false, permissions: [] }, 'campaigns-index'), 'login');
});

test('a session without any permission is cleared, even for My Profile', () => {
  assert.equal(guard({ ...session, permissions: [] }, null), 'clear-and-login');
});

test('a session without the permission of the screen is cleared', () => {
  assert.equal(guard(session, 'corporations-index'), 'clear-and-login');
});

test('an unverified session is cleared although it holds the permission', () => {
  assert.equal(guard({ ...session, verify: false }, 'campaigns-index'), 'clear-and-login');
  assert.equal(guard({ ...session, verify: false }, null), 'clear-and-login');
});

test('a verified session enters the screens of its permissions and My Profile', () => {
  assert.equal(guard(session, 'campaigns-index'), 'enter');
  assert.equal(guard(session, null), 'enter');
});

test('the sign-in code is requested only while expected, or from logged-in users', () => {
  assert.equal(mayVerify({ isLoggedIn: false, otpStartTime: null }), false);
  assert.equal(mayVerify({ isLoggedIn: false, otpStartTime: 1 }), true);
  assert.equal(mayVerify({ isLoggedIn: true, otpStartTime: null }), true);
});
