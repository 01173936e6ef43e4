// One organisation of the simulation: what the model thinks of it, and what was learned of the real one.

import type { Person } from '@cowrie/testkit/harness/harness.ts'
import type { HoldId } from '../../src/wallet/wallet.ts'
import { type PaymentOp, PaymentsModel, type ProviderAnswer } from './model/payment-model.ts'
import { type Facts, WalletModel, type WalletOp } from './model/wallet-model.ts'

/** What goes over HTTP to the provider's stand-in and back. */
export type ProviderOp =
  | { readonly kind: 'verify'; readonly reference: string }
  | {
      readonly kind: 'webhook'
      readonly reference: string
      readonly message: WebhookMessage
      readonly event: string
    }
  | { readonly kind: 'forgery'; readonly message: WebhookMessage }
export type WebhookMessage = { readonly headers: Record<string, string>; readonly body: string }
export type Op = WalletOp | PaymentOp | ProviderOp

export class Violation extends Error {
  override readonly name = 'Breach'
}

const REMEMBERED = 16
const TRACED = 24

export class SimOrg {
  /** The same in every run of a seed, as what it names is. */
  readonly name: string
  readonly owner: Person
  readonly members: readonly string[]
  readonly wallet = new WalletModel()
  readonly payments: PaymentsModel
  readonly holdIds = new Map<string, HoldId>()
  readonly refs = new Map<string, string>()
  /** What was drawn lately, whatever came of it: so that the draws of a seed do not depend on who won a race. */
  readonly recent: {
    reserves: (WalletOp & { kind: 'reserve' })[]
    direct: string[]
    rail: string[]
    causes: string[]
  } = {
    reserves: [],
    direct: [],
    rail: [],
    causes: [],
  }
  /** How the payments stand at the provider's stand-in. */
  readonly providerStatuses = new Map<string, ProviderAnswer>()
  /** The provider's messages by what they say of which payment, and whether one that is repeated is of any use. */
  readonly events = new Map<string, 'open' | 'over'>()
  /** What the stand-in would have posted at some time, for posting it late and again. */
  readonly messages: {
    readonly reference: string
    readonly message: WebhookMessage
    readonly event: string
  }[] = []
  readonly asked = new Map<string, number>()
  readonly trace: string[] = []
  count = 0
  /** How far the journal was held against the model, and the hash it ended with. */
  checked = 0
  head: Uint8Array = Buffer.alloc(0)

  constructor(name: string, owner: Person, members: readonly string[], used: Map<string, string>) {
    this.name = name
    this.owner = owner
    this.members = members
    this.payments = new PaymentsModel(this.wallet, used)
  }

  get orgId(): Person['orgId'] {
    return this.owner.orgId
  }

  /** What the model says comes of it. */
  applyToModel(op: Op, at: Date): Facts {
    switch (op.kind) {
      case 'begin':
      case 'hear':
      case 'refund':
      case 'resolve':
        return this.payments.apply(op, at)
      case 'verify':
        return { credited: this.#ask(op.reference, at, ['settled', 'review']).credited ?? 0n }
      case 'webhook': {
        if (this.events.get(op.event) === 'over') return { status: 200 }
        this.#ask(op.reference, at, [])
        const isOpen = ['pending', 'failed', 'expired'].includes(this.payments.of(op.reference).status)
        this.wallet.put(this.events, op.event, isOpen ? 'open' : 'over')
        return { status: 200 }
      }
      case 'forgery':
        return { status: 401 }
      default:
        return this.wallet.apply(op, at)
    }
  }

  providerStatusOf = (reference: string): ProviderAnswer =>
    this.providerStatuses.get(reference) ?? { status: 'pending' }

  #ask(reference: string, at: Date, decided: readonly string[]): Facts {
    if (decided.includes(this.payments.of(reference).status)) return {}
    return this.payments.apply({ kind: 'hear', reference, answer: this.providerStatusOf(reference) }, at)
  }

  recordHold(ref: string, holdId: HoldId): void {
    const known = this.holdIds.get(ref)
    if (known !== undefined && known !== holdId)
      throw new Violation(`${ref} has two holds: ${known} and ${holdId}`)
    this.holdIds.set(ref, holdId)
    this.refs.set(holdId, ref)
  }

  holdId(ref: string): HoldId {
    const id = this.holdIds.get(ref)
    if (!id) throw new Violation(`${ref} should have a hold and has none`)
    return id
  }

  remember<K extends keyof SimOrg['recent']>(which: K, value: SimOrg['recent'][K][number]): void {
    const list = this.recent[which] as unknown[]
    list.push(value)
    if (list.length > REMEMBERED) list.shift()
  }

  note(line: string): void {
    this.trace.push(line)
    if (this.trace.length > TRACED) this.trace.shift()
  }
}
