// Starts a top-up.
import type { TopupRequest } from '@cowrie/sdk'
import { api } from '../../../data/api.ts'
import { sendPaidRequest } from '../../../data/paid-request.ts'
import type { StartedTopup } from './top-up-types.ts'

export type TopupInput = {
  amountMinor: bigint
  channel: NonNullable<TopupRequest['channel']>
  phone?: string
}

/** Starts the top-up, or returns its response after a retry. */
export const startTopup = (orgId: string, input: TopupInput): Promise<StartedTopup> =>
  sendPaidRequest('topup', [orgId, input.amountMinor, input.channel, input.phone ?? ''].join(' '), (once) =>
    api.wallet.topup(input, once),
  )
