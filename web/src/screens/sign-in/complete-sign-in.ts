// Completes a sign-in: loads the session, or opens the second step.
import type { AuthLoginReply } from '@cowrie/sdk'
import { reloadAfterSwitch } from '../../data/session.ts'
import { appLocation, navigate } from '../../router/location.ts'

export type SignInReply = { ok: true } | AuthLoginReply

/** Visitor screens redirect by themselves after the sign-in; others are left here. */
export async function completeSignIn(answer: SignInReply): Promise<void> {
  if ('mfaRequired' in answer) {
    const { search } = new URL(location.href)
    return navigate(`/app/sign-in/second-factor${search}`, {
      secrets: new URLSearchParams([...appLocation.value.secrets, ['challenge', answer.challenge]]),
    })
  }
  await reloadAfterSwitch()
}
