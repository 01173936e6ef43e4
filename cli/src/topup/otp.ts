// The code that some networks send to the payer before they ask for the PIN.
import { CowrieError, type TopupResult } from '@cowrie/sdk'
import type { Context } from '../command.ts'
import { UsageError } from '../errors.ts'

const TRIES_MAX = 5

export const submitCode = (
  { client, signal }: Context,
  reference: string,
  code: string,
): Promise<TopupResult> => client.wallet.topupOtp(reference, { otp: code.replaceAll(/\s/g, '') }, { signal })

/** Asks until the network accepts a code; returns the next instructions. */
export async function askForCode(context: Context, reference: string): Promise<TopupResult> {
  const { ask, out } = context
  for (let tries = 1; ; tries++) {
    const code = (await ask.line('Code from your network:'))?.trim()
    if (code === undefined) throw new UsageError('No code was given. Use --resume with --otp.')
    if (code === '') continue
    try {
      return await submitCode(context, reference, code)
    } catch (error) {
      const isRefused = error instanceof CowrieError && error.code === 'payment_code_refused'
      if (!isRefused || tries >= TRIES_MAX) throw error
      out.complain(error.message)
    }
  }
}
