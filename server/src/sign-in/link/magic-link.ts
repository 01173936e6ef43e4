// Sign-in with a magic link.
import { NotSignedIn, peekLink, signIn, useLink } from '../../identity/identity.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { App } from '../../platform/app.ts'
import { redirect } from '../../platform/http/answer.ts'
import { wantsPage } from '../../platform/http/request/request-info.ts'
import type { RequestInfo } from '../../platform/http/route.ts'
import { confirmAddress } from '../password/registration.ts'
import { createChallenge } from '../second-factor/challenge.ts'
import { toLoginReply } from '../second-factor/login-reply.ts'
import { mayOpen, orProblemPage, requireConfirmation } from './open-link.ts'

/** Signs in with a posted token. Of concurrent calls exactly one succeeds. */
export async function consumeMagicLink(app: App, request: RequestInfo, token: string) {
  const account = await signIn(app, request, async (tx) => {
    const link = await useLink(tx, ['magic'], token)
    if (!link) throw new ApiError('link_invalid')
    const { user } = link
    if (!user.verified) await confirmAddress(app, tx, request, user, 'other method')
    if (user.mfaEnabled) return new NotSignedIn(await createChallenge(tx, user, 'magic_link'))
    return { user: { ...user, verified: true }, method: 'magic_link' as const }
  })
  return toLoginReply(account)
}

/** Handles a GET of the link in the mail. */
export function openMagicLink(app: App, request: RequestInfo, token: string) {
  return orProblemPage(request, async () => {
    const link = await peekLink(app.db.direct, ['magic'], token, app.clock.now())
    if (!link) throw new ApiError('link_invalid')
    if (!mayOpen(request, link)) return requireConfirmation(request, token)
    const outcome = await consumeMagicLink(app, request, token)
    if (!wantsPage(request)) return outcome
    return redirect(
      'challenge' in outcome ? `/app/sign-in/second-factor#challenge=${outcome.challenge}` : '/app',
    )
  })
}
