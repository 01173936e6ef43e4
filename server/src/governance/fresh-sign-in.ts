// What takes everything out of an organisation, or ends it, is not done by a session that was left open or stolen.
import { requireRecentSignIn } from '../identity/identity.ts'
import { ApiError } from '../kernel/errors.ts'
import type { App } from '../platform/app.ts'
import type { Actor } from '../platform/http/actor.ts'

export function requireFreshSignIn(app: App, actor: Actor): void {
  try {
    requireRecentSignIn(app, actor)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw new ApiError(error.code, {
      error: 'Sign in again before you do this; your session began more than 15 minutes ago.',
    })
  }
}
