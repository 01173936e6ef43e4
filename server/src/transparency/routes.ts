// Routes of the transparency log. All but the proof of a wallet are public, and never change once they are full.
import { ApiError } from '../kernel/errors.ts'
import { answer } from '../platform/http/answer.ts'
import { raw, route } from '../platform/http/route.ts'
import { ChainProof, Checkpoint, TileParams } from './schema.ts'
import { proveChain, readCheckpoint, readTile, requireLog } from './transparency.ts'

const SHORT = { 'cache-control': 'public, max-age=10' }
/** The first hashes of a tile are the same for ever. */
const FOREVER = { 'cache-control': 'public, max-age=31536000, immutable' }

export const transparencyRoutes = [
  route('transparency.get', 'GET /transparency', {
    summary: 'Show the name, the key and the signed size of the transparency log.',
    detail:
      'The log has the heads of all wallet and audit chains, under names that only their owners know. It is append-only: with `GET /transparency/tile/{path}` anyone can check that every checkpoint continues the one before.',
    access: 'none',
    rate: 'global',
    reply: { 200: Checkpoint },
    errors: ['not_found'],
    handle: async ({ app }) => answer(200, await readCheckpoint(app), SHORT),
  }),

  route('transparency.checkpoint', 'GET /transparency/checkpoint', {
    summary: 'Read the signed checkpoint of the transparency log.',
    access: 'none',
    rate: 'global',
    reply: { 200: raw('text/plain; charset=utf-8', 'A signed note as in c2sp.org/tlog-checkpoint.') },
    errors: ['not_found'],
    handle: async ({ app }) => answer(200, (await readCheckpoint(app)).checkpoint, SHORT),
  }),

  route('transparency.tile', 'GET /transparency/tile/{path}', {
    summary: 'Read 256 hashes or entries of the transparency log.',
    detail:
      'Static tiles as in c2sp.org/tlog-tiles. `0/067` has 256 hashes of entries, `1/067` those of 256 entries each, `entries/067` the entries, each after its length in two bytes. Write larger numbers in groups of three digits, all but the last after an `x`: `0/x001/067`. `0/067.p/5` has the first five of a tile that is not full yet.',
    access: 'none',
    rate: 'global',
    params: TileParams,
    reply: { 200: raw('application/octet-stream', 'Hashes of 32 bytes, or entries.') },
    errors: ['not_found'],
    handle: async ({ app, params }) => answer(200, await readTile(app, params.path), FOREVER),
  }),

  route('transparency.wallet', 'GET /wallet/proof/transparency', {
    summary: 'Prove that the head of your wallet is in the transparency log.',
    detail:
      'The newest published head of your chain, and the hashes that lead from it to the signed root. Heads are published every five minutes.',
    access: 'any',
    rate: 'global',
    reply: { 200: ChainProof },
    errors: ['not_found'],
    handle: async ({ app, actor: { orgId } }) => {
      requireLog(app)
      const proof = await app.db.tx(orgId, (tx) => proveChain(app, tx, 'wallet', orgId))
      if (proof) return { ...proof, inclusion: [...proof.inclusion] }
      throw new ApiError('not_found', {
        error:
          'The transparency log has no entry of this wallet yet. Try again five minutes after its first posting.',
      })
    },
  }),
]
