import { getReputation, guardReport, setReputation } from '@heliograph/contract/verify/guard-report';
import { listVerifications } from '@heliograph/contract/verify/verification';
import * as contract from '@heliograph/contract/verify/verify-service';
import { type App, mount, mountResource } from '#platform/http/http';
import { showGuard } from './report.ts';
import { replaceReputation, showReputation } from './reputation.ts';
import { verificationRows } from './rows.ts';
import { verifyServices } from './services.ts';

export { findVerification } from './find.ts';
export { counterRetention, prefixRetention, verificationRetention } from './retention.ts';
export { Verifier } from './verifier.ts';

/** Mounts verify services and the list of verifications. */
export function verifyRoutes(app: App): void {
  mountResource(app, contract.verifyService, verifyServices);
  mount(app, listVerifications, verificationRows);
  mount(app, guardReport, showGuard);
  mount(app, getReputation, showReputation);
  mount(app, setReputation, replaceReputation);
}
