// Exports and closures need a recent sign-in, as protection against open or stolen sessions.
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
      error: 'Your session started more than 15 minutes ago. Sign in again before you do this.',
    })
  }
}
