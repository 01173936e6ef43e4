// Announces a verified address to the modules that act on it, in the transaction of the verification.
import type { User } from '../identity/identity.ts'
import type { App } from '../platform/app.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { RequestInfo } from '../platform/http/route.ts'

/** Called once per user, under the lock of the account, when the user has a personal organisation. */
export async function announceVerification(
  app: App,
  tx: Tx,
  { address }: RequestInfo,
  { id, email, verified }: User,
): Promise<void> {
  if (verified) return
  for (const handle of app.verificationHandlers) await handle(app, tx, { userId: id, email, address })
}
