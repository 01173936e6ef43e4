// Beginning a top-up: its key is written down, then it is sent, then what the payer was told is written down.
import { resumable, type TopupResult } from '@cowrie/sdk'
import { type Context, textOf } from '../command.ts'
import { Notes, newKey } from './notes.ts'
import type { Wish } from './wish.ts'

export const notesOf = ({ places }: Context): Notes | null => (places.state ? new Notes(places.state) : null)

export async function beginTopup(context: Context, orgId: string, wish: Wish): Promise<TopupResult> {
  const { client, out, signal, baseUrl } = context
  const { amountMinor, phone } = wish
  const { channel } = wish.channel
  const notes = notesOf(context)
  const name = [baseUrl, orgId, amountMinor, channel, phone ?? ''].join('\n')
  const { key, isAgain } = await keyOf(context, notes, name)
  if (isAgain) out.note('The same top-up was sent before and its answer was lost, so it is gone on with.')
  try {
    const begun = await client.wallet.topup({ amountMinor, channel, phone }, { idempotencyKey: key, signal })
    await notes?.tell(begun.reference, begun)
    await notes?.decided(name)
    return begun
  } catch (error) {
    if (!resumable(error)) await notes?.decided(name)
    else if (!out.json)
      out.complain(
        `It may have been begun. Run the same again: it goes on, and nothing is paid twice (key ${key}).`,
      )
    throw error
  }
}

/** What was given on the line is the caller's to keep; else it is written down, or at least said. */
async function keyOf(
  { values, machine, out }: Context,
  notes: Notes | null,
  name: string,
): Promise<{ key: string; isAgain: boolean }> {
  const given = textOf(values, 'idempotency-key')
  if (given !== undefined) return { key: given, isAgain: false }
  if (notes) return notes.keyFor(name, machine.now())
  const key = newKey()
  out.warn(`Nothing can be written down here: if the answer is lost, say --idempotency-key ${key} again.`)
  return { key, isAgain: false }
}
