// Flutterwave's messages: they carry a word that we agreed on, and nothing that vouches for what they say.
import { z } from 'zod'
import { sameSecret } from '../../platform/secrets.ts'
import type { Heard, Message } from './rail.ts'
import { headerOf, parseExactly } from './wire.ts'

/** Which payment a message is about. `hashes` are the agreed word and, while it is being changed, the one before. */
export function hearFlutterwave(message: Message, hashes: readonly string[]): Heard {
  const shown = headerOf(message, 'verif-hash')
  if (!shown || !hashes.some((hash) => sameSecret(shown, hash))) return 'forged'
  const event = Event.safeParse(parseExactly(message.raw.toString('utf8')))
  if (!event.success) return 'nothing'
  const { event: kind, data } = event.data
  return { about: { reference: data.tx_ref }, eventKey: `${data.id}:${data.status}`, kind }
}

// Transfers and the like have no reference of this name.
const Event = z.object({
  event: z.string().min(1).max(100),
  data: z.object({
    id: z.union([z.number().int(), z.string().min(1).max(64)]),
    tx_ref: z.string().min(1).max(100),
    status: z.string().min(1).max(40),
  }),
})
