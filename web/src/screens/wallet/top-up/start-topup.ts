// Starts a top-up.
import type { TopupRequest } from '@cowrie/sdk'
import { api } from '../../../data/api.ts'
import { sendIntent } from '../../../data/paid-request.ts'
import type { Begun } from './top-up-types.ts'

export type Wish = { amountMinor: bigint; channel: NonNullable<TopupRequest['channel']>; phone?: string }

/** Starts the top-up, or returns its response after a retry. */
export const beginTopup = (orgId: string, wish: Wish): Promise<Begun> =>
  sendIntent('topup', [orgId, wish.amountMinor, wish.channel, wish.phone ?? ''].join(' '), (once) =>
    api.wallet.topup(wish, once),
  )
