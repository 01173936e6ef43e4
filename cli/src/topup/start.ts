// Starts a top-up: stores its key, sends it, then stores the payment instructions.
import { resumable, type TopupResult } from '@cowrie/sdk'
import { type Context, textOf } from '../command.ts'
import { newKey, TopupRecords } from './records.ts'
import type { ValidTopup } from './validate-topup.ts'

export const recordsOf = ({ paths }: Context): TopupRecords | null =>
  paths.state ? new TopupRecords(paths.state) : null

export async function startTopup(context: Context, orgId: string, topup: ValidTopup): Promise<TopupResult> {
  const { client, out, signal, baseUrl } = context
  const { amountMinor, phone } = topup
  const { channel } = topup.channel
  const records = recordsOf(context)
  const name = [baseUrl, orgId, amountMinor, channel, phone ?? ''].join('\n')
  const { key, isAgain } = await keyOf(context, records, name)
  if (isAgain) out.note('The same top-up was sent before and its reply was lost. Continuing it.')
  try {
    const started = await client.wallet.topup(
      { amountMinor, channel, phone },
      { idempotencyKey: key, signal },
    )
    await records?.saveInstructions(started.reference, started)
    await records?.removeKey(name)
    return started
  } catch (error) {
    if (!resumable(error)) await records?.removeKey(name)
    else if (!out.json)
      out.complain(
        `It may have started. Run the same command again to continue it; nothing is charged twice (key ${key}).`,
      )
    throw error
  }
}

/** A key from the command line is stored by the caller; otherwise it is stored here, or at least shown. */
async function keyOf(
  { values, machine, out }: Context,
  records: TopupRecords | null,
  name: string,
): Promise<{ key: string; isAgain: boolean }> {
  const given = textOf(values, 'idempotency-key')
  if (given !== undefined) return { key: given, isAgain: false }
  if (records) return records.keyFor(name, machine.now())
  const key = newKey()
  out.warn(`The key cannot be stored here. If the reply is lost, use --idempotency-key ${key} again.`)
  return { key, isAgain: false }
}
