// An entry of the log: the head of a chain at a time, without the name of its organisation.
import { createHmac } from 'node:crypto'
import type { App } from '../platform/app.ts'
import type { ChainKind } from '../platform/chains.ts'

export type LoggedHead = {
  readonly kind: ChainKind
  readonly name: string
  readonly seq: bigint
  readonly hash: string
  readonly at: Date
}

const VERSION = 'cowrie-head-1'

/** Six lines: version, kind, name, number, hash, time. Each ends with a line feed. */
export const leafText = ({ kind, name, seq, hash, at }: LoggedHead): string =>
  `${[VERSION, kind, name, seq, hash, at.toISOString()].join('\n')}\n`

/**
 * The name of a chain in the log: HMAC-SHA-256 of its id. It tells outsiders neither the organisation nor that two chains
 * belong to the same one.
 */
export function deriveName(app: App, kind: ChainKind, chain: string): string {
  const key = app.secrets.digest(kind, 'names in the transparency log')
  return createHmac('sha256', key).update(chain).digest('hex')
}

/** The time in the last line of an entry. */
export const timeOfLeaf = (leaf: string): Date =>
  new Date(leaf.trimEnd().slice(leaf.trimEnd().lastIndexOf('\n') + 1))
