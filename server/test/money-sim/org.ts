// One simulated organisation: its model, and the ids observed in the service.

import type { Person } from '@cowrie/testkit/harness/harness.ts'
import type { Currency } from '../../src/kernel/money.ts'
import type { HoldId } from '../../src/wallet/wallet.ts'
import { type PaymentOp, PaymentsModel, type ProviderAnswer } from './model/payment-model.ts'
import { type Facts, WalletModel, type WalletOp } from './model/wallet-model.ts'

/** Requests to the webhook and verify endpoints, which involve the fake provider. */
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
  /** Derived from the seed, so that it is the same in every run. */
  readonly name: string
  readonly owner: Person
  readonly members: readonly string[]
  readonly currency: Currency
  readonly wallet = new WalletModel()
  readonly payments: PaymentsModel
  readonly holdIds = new Map<string, HoldId>()
  readonly refs = new Map<string, string>()
  /** Recent draws, regardless of their outcome, so that later draws do not depend on the winner of a race. */
  readonly recent: {
    reserves: (WalletOp & { kind: 'reserve' })[]
    freezes: (WalletOp & { kind: 'freeze' })[]
    direct: string[]
    rail: string[]
    causes: string[]
  } = {
    reserves: [],
    freezes: [],
    direct: [],
    rail: [],
    causes: [],
  }
  /** Payment statuses at the fake provider. */
  readonly providerStatuses = new Map<string, ProviderAnswer>()
  /** Provider events by kind and reference: `open` if a repetition can still have an effect. */
  readonly events = new Map<string, 'open' | 'over'>()
  /** Earlier messages of the fake provider, for late and repeated delivery. */
  readonly messages: {
    readonly reference: string
    readonly message: WebhookMessage
    readonly event: string
  }[] = []
  readonly asked = new Map<string, number>()
  readonly trace: string[] = []
  count = 0
  /** The number of compared journal entries, and the hash of the last one. */
  checked = 0
  head: Uint8Array = Buffer.alloc(0)

  constructor(
    name: string,
    owner: Person,
    members: readonly string[],
    used: Map<string, string>,
    currency: Currency,
  ) {
    this.name = name
    this.currency = currency
    this.owner = owner
    this.members = members
    this.payments = new PaymentsModel(this.wallet, used)
  }

  get orgId(): Person['orgId'] {
    return this.owner.orgId
  }

  /** Applies the operation to the model and returns the expected result. */
  applyToModel(op: Op, at: Date): Facts {
    switch (op.kind) {
      case 'begin':
      case 'providerStatus':
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
    return this.payments.apply(
      { kind: 'providerStatus', reference, answer: this.providerStatusOf(reference) },
      at,
    )
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
