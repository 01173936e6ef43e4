// Hash chains of a module. The transparency log publishes their heads.
import type { Tx } from './db/tx.ts'

export type ChainKind = 'wallet' | 'audit'

/** `chain` is the id of an organisation, or `platform`. An empty chain has seq 0. */
export type ChainHead = { readonly chain: string; readonly seq: bigint; readonly hash: string }

export type ChainSource = {
  readonly kind: ChainKind
  /** The heads of the chains after this one, in the order of `chain`. Needs the platform scope. */
  headsAfter(tx: Tx, chain: string, limit: number): Promise<ChainHead[]>
}
