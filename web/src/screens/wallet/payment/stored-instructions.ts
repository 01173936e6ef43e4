// The instructions for the payer. The service sends them once, so this browser stores them over a reload, a closed tab or an
// empty battery. They are deleted when the payment completes, and at sign-out.
import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { ownerOf, session } from '../../../data/session.ts'
import { deleteRow, loadRow, saveRow } from '../../../data/storage/browser-store.ts'
import { navigate } from '../../../router/location.ts'
import type { StartedTopup } from '../top-up/top-up-types.ts'

export type StoredInstructions = Pick<
  StartedTopup,
  'authorizationUrl' | 'ussdCode' | 'displayText' | 'otpRequired' | 'expiresAt'
> & {
  phone: string | null
  /** The start time by the local clock. */
  at: number
}

const KIND = 'topup'
const known = signal<ReadonlyMap<string, StoredInstructions | null>>(new Map())

const owner = (): string => ownerOf(session.peek())
const put = (reference: string, instructions: StoredInstructions | null): void => {
  known.value = new Map(known.peek()).set(reference, instructions)
}

/** Opens a new payment. */
export function goToPayment(
  started: StartedTopup,
  { phone = null as string | null, replace = false } = {},
): void {
  const { authorizationUrl, ussdCode, displayText, otpRequired, expiresAt, reference } = started
  const at = known.peek().get(reference)?.at ?? Date.now()
  const instructions = { authorizationUrl, ussdCode, displayText, otpRequired, expiresAt, phone, at }
  put(reference, instructions)
  void saveRow(owner(), KIND, reference, instructions)
  navigate(`/app/wallet/top-up?reference=${encodeURIComponent(reference)}`, { replace })
}

/** Null if it was started elsewhere or has ended. */
export function useStoredInstructions(reference: string): StoredInstructions | null {
  useEffect(() => {
    if (known.peek().has(reference)) return
    void loadRow<StoredInstructions>(owner(), KIND, reference).then((row) =>
      put(reference, row?.value ?? null),
    )
  }, [reference])
  return known.value.get(reference) ?? null
}

export function forgetInstructions(reference: string): void {
  void deleteRow(owner(), KIND, reference)
}
