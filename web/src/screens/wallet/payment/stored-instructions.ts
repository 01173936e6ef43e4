// The instructions for the payer. The service sends them once, so this browser stores them over a reload, a closed tab or an
// empty battery. They are deleted when the payment completes, and at sign-out.
import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { nameOf, session } from '../../../data/session.ts'
import { drop, keep, kept } from '../../../data/storage/browser-store.ts'
import { goTo } from '../../../router/location.ts'
import type { Begun } from '../top-up/top-up-types.ts'

export type Handed = Pick<
  Begun,
  'authorizationUrl' | 'ussdCode' | 'displayText' | 'otpRequired' | 'expiresAt'
> & {
  phone: string | null
  /** The start time by the local clock. */
  at: number
}

const KIND = 'topup'
const known = signal<ReadonlyMap<string, Handed | null>>(new Map())

const owner = (): string => nameOf(session.peek())
const put = (reference: string, handed: Handed | null): void => {
  known.value = new Map(known.peek()).set(reference, handed)
}

/** Opens a new payment. */
export function goToPayment(begun: Begun, { phone = null as string | null, replace = false } = {}): void {
  const { authorizationUrl, ussdCode, displayText, otpRequired, expiresAt, reference } = begun
  const at = known.peek().get(reference)?.at ?? Date.now()
  const handed = { authorizationUrl, ussdCode, displayText, otpRequired, expiresAt, phone, at }
  put(reference, handed)
  void keep(owner(), KIND, reference, handed)
  goTo(`/app/wallet?reference=${encodeURIComponent(reference)}`, { replace })
}

/** Null if it was started elsewhere or has ended. */
export function useHanded(reference: string): Handed | null {
  useEffect(() => {
    if (known.peek().has(reference)) return
    void kept<Handed>(owner(), KIND, reference).then((row) => put(reference, row?.value ?? null))
  }, [reference])
  return known.value.get(reference) ?? null
}

export function forgetHanded(reference: string): void {
  void drop(owner(), KIND, reference)
}
