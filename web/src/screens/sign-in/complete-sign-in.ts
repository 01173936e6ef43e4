// Completes a sign-in: loads the session, or opens the second step.
import type { AuthLoginReply } from '@cowrie/sdk'
import { moved } from '../../data/session.ts'
import { goTo, place } from '../../router/location.ts'

export type Entered = { ok: true } | AuthLoginReply

/** Visitor screens redirect by themselves after the sign-in; others are left here. */
export async function enter(answer: Entered): Promise<void> {
  if ('mfaRequired' in answer) {
    const { search } = new URL(location.href)
    return goTo(`/app/sign-in/second-factor${search}`, {
      secrets: new URLSearchParams([...place.value.secrets, ['challenge', answer.challenge]]),
    })
  }
  await moved()
}
