// The end of every way in: either the session is there, or a second step is asked for.
import type { AuthLoginReply } from '@cowrie/sdk'
import { moved } from '../../data/session.ts'
import { goTo, place } from '../../router/location.ts'

export type Entered = { ok: true } | AuthLoginReply

/** Screens that are for strangers lead on by themselves once somebody is signed in; others are left here. */
export async function enter(answer: Entered): Promise<void> {
  if ('mfaRequired' in answer) {
    const { search } = new URL(location.href)
    return goTo(`/app/sign-in/second-factor${search}`, {
      secrets: new URLSearchParams([...place.value.secrets, ['challenge', answer.challenge]]),
    })
  }
  await moved()
}
