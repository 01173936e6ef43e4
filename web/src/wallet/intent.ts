// Beginning a top-up.
import { sendIntent } from '../app/intent.ts'
import type { Begun } from './top-up-types.ts'

export type Wish = { amountMinor: bigint; channel: string; phone?: string }

/** The answer, or the refusal, of the payment that this wish stands for. */
export const beginTopup = (orgId: string, wish: Wish): Promise<Begun> =>
  sendIntent<Begun>(
    '/wallet/topup',
    wish,
    [orgId, wish.amountMinor, wish.channel, wish.phone ?? ''].join(' '),
  )
