// Reply schemas of the transparency log.
import { z } from 'zod'

const whole = z.int().nonnegative()
const hash = z.string().meta({ description: 'SHA-256 in hexadecimal.' })
const checkpoint = z.string().meta({
  description:
    'A signed note as in c2sp.org/tlog-checkpoint: name, size and root of the log, and the signature.',
})
const publicKey = z
  .string()
  .meta({ description: 'The Ed25519 key of the log as in c2sp.org/signed-note: name, hash of the key, key.' })

export const Checkpoint = z.object({
  origin: z.string().meta({ description: 'The name of the log.' }),
  publicKey,
  size: whole.meta({ description: 'The number of entries.' }),
  root: hash,
  checkpoint,
})

export const TileParams = z.object({
  path: z
    .string()
    .max(100)
    .meta({ examples: ['0/000.p/1'] }),
})

export const ChainProof = z.object({
  name: z
    .string()
    .meta({ description: 'The name of your wallet in the log. Only you know that it is yours.' }),
  entry: z
    .object({ seq: z.bigint().meta({ wire: { type: 'integer', format: 'int64', minimum: 1 } }), hash })
    .meta({ description: 'The head of your chain that the entry publishes.' }),
  index: whole.meta({ description: 'The number of the entry in the log, from 0.' }),
  leaf: z.string().meta({ description: 'The text of the entry.' }),
  inclusion: z
    .array(hash)
    .meta({ description: 'The proof that the log includes the entry, as in RFC 6962.' }),
  checkpoint,
  publicKey,
})
