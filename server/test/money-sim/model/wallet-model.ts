// A minimal model of wallets: bigints in maps, one operation at a time, without SQL. Every change can be rolled back, so that
// different orders can be tried.
import { after } from '../../../src/kernel/clock.ts'

export type Facts = Readonly<Record<string, bigint | number | string | boolean | null>>

export type WalletOp =
  | {
      readonly kind: 'reserve'
      readonly ref: string
      readonly userId: string | null
      readonly amount: bigint
      readonly least: bigint
      readonly deadline: Date
    }
  | {
      readonly kind: 'settle'
      readonly ref: string
      readonly amount: bigint
      readonly isCounted: boolean
      /** The exact cost of a charge that accrues, in millionths of a minor unit. */
      readonly micro: bigint | null
    }
  | { readonly kind: 'release' | 'expire'; readonly ref: string }
  | { readonly kind: 'extend'; readonly ref: string; readonly deadline: Date }
  | { readonly kind: 'credit'; readonly cause: string; readonly amount: bigint }
  | { readonly kind: 'debit'; readonly cause: string; readonly amount: bigint; readonly least: bigint }
  | { readonly kind: 'grant'; readonly cause: string; readonly amount: bigint }
  | { readonly kind: 'cap'; readonly userId: string; readonly cap: bigint | null }
  /** Once per wallet. */
  | { readonly kind: 'trial'; readonly id: string; readonly amount: bigint; readonly expiresAt: Date }
  /** By the sweeper, after the expiry. */
  | { readonly kind: 'expireTrial' }
  | { readonly kind: 'returnCharge'; readonly cause: string; readonly amount: bigint }
  | { readonly kind: 'freeze'; readonly ref: string; readonly amount: bigint }
  | { readonly kind: 'unfreeze'; readonly ref: string }

export type PurseModel = {
  readonly free: bigint
  readonly held: bigint
  readonly plan: bigint
  readonly planHeld: bigint
}
export type TrialModel = { readonly id: string; readonly expiresAt: Date; readonly expired: bigint }
export type HoldModel = {
  /** `topup`: a freeze. */
  readonly source: 'agent' | 'topup'
  readonly userId: string | null
  readonly state: 'open' | 'settled' | 'released' | 'expired'
  readonly amount: bigint
  readonly fromPlan: bigint
  readonly grant: number
  readonly charged: bigint
  readonly deadline: Date
  readonly month: string
}
export type MonthModel = { readonly spent: bigint; readonly held: bigint }
export type PostingModel = PurseModel & {
  readonly kind: string
  readonly revenue: bigint
  readonly allowance: bigint
  readonly account: string | null
  readonly accountMinor: bigint
  readonly source: string
  readonly ref: string
  readonly cause: string | null
  readonly isHold: boolean
  readonly balanceAfter: bigint
  readonly at: Date
}
/** The account on the other side of a posting. */
export type CounterAccount = {
  readonly account: string
  readonly source: string
  readonly ref: string
  readonly cause: string
}

const EMPTY: PurseModel = { free: 0n, held: 0n, plan: 0n, planHeld: 0n }

export class WalletModel {
  purse = EMPTY
  grant = 0
  trial: TrialModel | null = null
  /** The part of the balance that is trial credit. */
  trialRest = 0n
  /** The sum charged by settlements with usage. */
  counted = 0n
  /** The sum of the exact costs that accrued, in millionths. Their charges sum to it, rounded up. */
  accrued = 0n
  readonly entries: PostingModel[] = []
  readonly holds = new Map<string, HoldModel>()
  /** References of open holds. */
  readonly open = new Map<string, true>()
  readonly months = new Map<string, MonthModel>()
  readonly caps = new Map<string, bigint>()
  readonly causes = new Map<string, true>()
  readonly #undo: (() => void)[] = []

  apply(op: WalletOp, at: Date): Facts {
    switch (op.kind) {
      case 'reserve':
        return this.#reserve(op, at)
      case 'freeze':
        return this.#freeze(op, at)
      case 'settle':
      case 'release':
      case 'expire':
        return this.#end(op, at)
      case 'unfreeze':
        return this.#end({ kind: 'release', ref: op.ref }, at)
      case 'extend': {
        const hold = this.holdOf(op.ref)
        const deadline = new Date(Math.max(op.deadline.getTime(), hold.deadline.getTime()))
        if (hold.state === 'open') this.put(this.holds, op.ref, { ...hold, deadline })
        return { extended: hold.state === 'open' }
      }
      case 'credit':
        return this.credit(op.amount, { ...PLAN, ref: op.cause, cause: op.cause }, at)
      case 'debit':
        return this.debit(op.amount, op.least, { ...PLAN, ref: op.cause, cause: op.cause }, at)
      case 'grant': {
        if (this.causes.has(op.cause)) return { moved: 0n, isNew: false, ...this.balances() }
        const plan = op.amount - this.purse.plan
        this.put(this.causes, op.cause, true)
        this.#set('grant', this.grant + 1)
        this.#move(
          'grant',
          { plan, allowance: -plan },
          { source: 'subscription', ref: op.cause, cause: op.cause },
          at,
        )
        return { moved: op.amount, isNew: true, ...this.balances() }
      }
      case 'trial': {
        if (this.trial !== null) return { moved: 0n, isNew: false, ...this.balances() }
        this.#set('trial', { id: op.id, expiresAt: op.expiresAt, expired: 0n })
        this.#set('trialRest', op.amount)
        return this.credit(op.amount, { ...TRIAL, ref: op.id, cause: `trial ${op.id}` }, at)
      }
      case 'expireTrial':
        return this.#expireTrial(at)
      case 'returnCharge':
        return this.credit(
          op.amount,
          { account: 'refunds', source: 'agent', ref: op.cause, cause: op.cause },
          at,
        )
      case 'cap':
        this.put(this.caps, op.userId, op.cap ?? undefined)
        return {}
    }
  }

  credit(amount: bigint, other: CounterAccount, at: Date): Facts {
    if (this.causes.has(other.cause)) return { moved: 0n, isNew: false, ...this.balances() }
    this.put(this.causes, other.cause, true)
    this.#move('credit', { free: amount, accountMinor: -amount }, other, at)
    return { moved: amount, isNew: true, ...this.balances() }
  }

  debit(amount: bigint, least: bigint, other: CounterAccount, at: Date): Facts {
    const taken = min(amount, this.purse.free - this.#trialFree())
    if (this.causes.has(other.cause) || taken < least || taken === 0n)
      return { moved: 0n, isNew: false, ...this.balances() }
    this.put(this.causes, other.cause, true)
    this.#move('debit', { free: -taken, accountMinor: taken }, other, at)
    return { moved: taken, isNew: true, ...this.balances() }
  }

  /** Work holds trial credit before own money; freezes hold own money. */
  #trialFree(): bigint {
    const frozen = [...this.open.keys()]
      .map((ref) => this.holdOf(ref))
      .reduce((sum, { source, amount }) => (source === 'topup' ? sum + amount : sum), 0n)
    return max(this.trialRest - (this.purse.held - frozen), 0n)
  }

  #expireTrial(at: Date): Facts {
    const { trial } = this
    const taken = this.#trialFree()
    if (trial === null || taken === 0n) return {}
    const cause = `trial expiry ${trial.id} ${trial.expired}`
    this.#set('trialRest', this.trialRest - taken)
    this.#set('trial', { ...trial, expired: trial.expired + taken })
    this.#move('debit', { free: -taken, accountMinor: taken }, { ...TRIAL, ref: trial.id, cause }, at)
    return {}
  }

  #freeze({ ref, amount }: WalletOp & { kind: 'freeze' }, at: Date): Facts {
    const known = this.holds.get(ref)
    if (known) return { frozen: known.state === 'open' ? known.amount : 0n }
    const taken = min(amount, this.purse.free - this.#trialFree())
    if (taken === 0n) return { frozen: 0n }
    const deadline = after(at, { days: 3_650 })
    const hold = { source: 'topup', userId: null, state: 'open', amount: taken, fromPlan: 0n } as const
    this.put(this.holds, ref, { ...hold, grant: this.grant, charged: 0n, deadline, month: monthOf(at) })
    this.put(this.open, ref, true)
    this.#move('reserve', { free: -taken, held: taken }, { source: 'topup', ref }, at)
    return { frozen: taken }
  }

  #reserve({ ref, userId, amount, least, deadline }: WalletOp & { kind: 'reserve' }, at: Date): Facts {
    const known = this.holds.get(ref)
    if (known && known.state !== 'open') return { refused: 'ended', available: 0n, ...this.balances() }
    if (known) return { ...this.#holdResult(known), isNew: false, ...this.balances() }
    const { free, plan } = this.purse
    const month = monthOf(at)
    const counted = this.monthOf(userId, month)
    const cap = userId === null ? undefined : this.caps.get(userId)
    const capRoom = cap === undefined ? free + plan : max(cap - counted.spent - counted.held, 0n)
    const room = min(free + plan, capRoom)
    const taken = min(amount, room)
    if (taken < least) {
      const isCap = cap !== undefined && capRoom < least && capRoom <= free + plan
      return { refused: isCap ? 'cap_reached' : 'insufficient', available: room, ...this.balances() }
    }
    const fromPlan = min(taken, plan)
    const hold: HoldModel = {
      source: 'agent',
      userId,
      state: 'open',
      amount: taken,
      fromPlan,
      grant: this.grant,
      charged: 0n,
      deadline,
      month,
    }
    this.put(this.holds, ref, hold)
    this.put(this.open, ref, true)
    this.#count(hold, 0n, taken)
    const own = taken - fromPlan
    this.#move(
      'reserve',
      { free: -own, held: own, plan: -fromPlan, planHeld: fromPlan },
      { source: 'agent', ref },
      at,
    )
    return { ...this.#holdResult(hold), isNew: taken > 0n, ...this.balances() }
  }

  #end(op: WalletOp & { kind: 'settle' | 'release' | 'expire' }, at: Date): Facts {
    const hold = this.holdOf(op.ref)
    const isEnding = hold.state === 'open' && (op.kind !== 'expire' || hold.deadline <= at)
    const most = op.kind === 'settle' ? min(op.amount, hold.amount) : 0n
    const micro = op.kind === 'settle' && op.micro !== null ? min(op.micro, most * MICRO) : null
    const charged = micro === null ? most : wholeOf(this.accrued + micro) - wholeOf(this.accrued)
    const state = ENDS[op.kind]
    const ended = isEnding ? { ...hold, state, charged } : hold
    if (isEnding) {
      const planPaid = min(charged, hold.fromPlan)
      const revenue = charged - planPaid
      const planHeld = -hold.fromPlan
      // The rest of a replaced allowance is not returned.
      const plan = hold.grant === this.grant ? hold.fromPlan - planPaid : 0n
      const held = hold.fromPlan - hold.amount
      this.put(this.holds, op.ref, ended)
      this.put(this.open, op.ref, undefined)
      this.#count(hold, charged, -hold.amount)
      if (op.kind === 'settle' && op.isCounted) this.#set('counted', this.counted + charged)
      if (micro !== null) this.#set('accrued', this.accrued + micro)
      this.#set('trialRest', this.trialRest - min(this.trialRest, revenue))
      const sides = { free: -held - revenue, held, plan, planHeld, revenue, allowance: -plan - planHeld }
      this.#move(op.kind, sides, { source: hold.source, ref: op.ref }, at)
    }
    if (op.kind === 'expire') return { expired: ended.state === 'expired' }
    // An accrued charge is explained even if the wallet paid nothing.
    const isPaid = isEnding && (charged > hold.fromPlan || (micro !== null && hold.amount > 0n))
    return { ...this.#holdResult(ended), isPaid, ...this.balances() }
  }

  holdOf(ref: string): HoldModel {
    const hold = this.holds.get(ref)
    if (!hold) throw new Error(`the model has no hold of ${ref}`)
    return hold
  }
  monthOf = (userId: string | null, month: string): MonthModel =>
    this.months.get(`${userId} ${month}`) ?? { spent: 0n, held: 0n }
  balances = (): Facts => ({
    balance: this.purse.free + this.purse.held,
    held: this.purse.held,
    plan: this.purse.plan,
  })
  #holdResult = ({ state, amount, fromPlan, charged }: HoldModel): Facts => ({
    state,
    amount,
    fromPlan,
    charged,
  })

  #count({ userId, month }: HoldModel, spent: bigint, held: bigint): void {
    const before = this.monthOf(userId, month)
    const counted = { spent: before.spent + spent, held: before.held + held }
    if (userId !== null) this.put(this.months, `${userId} ${month}`, counted)
  }

  #move(kind: string, sides: Partial<PostingModel>, named: Partial<CounterAccount>, at: Date): void {
    const moved = { ...EMPTY, revenue: 0n, allowance: 0n, accountMinor: 0n, ...sides }
    if (kind !== 'grant' && ![moved.free, moved.held, moved.plan, moved.planHeld].some((side) => side !== 0n))
      return
    const { free, held, plan, planHeld } = this.purse
    const purse = {
      free: free + moved.free,
      held: held + moved.held,
      plan: plan + moved.plan,
      planHeld: planHeld + moved.planHeld,
    }
    this.#set('purse', purse)
    const { account = null, source = '', ref = '', cause = null } = named
    const balanceAfter = purse.free + purse.held
    this.entries.push({
      ...moved,
      kind,
      account,
      source,
      ref,
      cause,
      isHold: cause === null,
      balanceAfter,
      at,
    })
    this.#undo.push(() => this.entries.pop())
  }

  #set<K extends 'purse' | 'grant' | 'counted' | 'accrued' | 'trial' | 'trialRest'>(
    key: K,
    value: this[K],
  ): void {
    const before = this[key]
    this.#undo.push(() => {
      this[key] = before
    })
    this[key] = value
  }

  /** All map changes go through here. `undefined` deletes the key. */
  put<V>(map: Map<string, V>, key: string, value: V | undefined): void {
    const before = map.get(key)
    this.#undo.push(() => (before === undefined ? map.delete(key) : map.set(key, before)))
    if (value === undefined) map.delete(key)
    else map.set(key, value)
  }

  mark = (): number => this.#undo.length
  rollBack(mark: number): void {
    while (this.#undo.length > mark) this.#undo.pop()?.()
  }
  /** Commits: earlier changes can no longer be rolled back. */
  clearUndo(): void {
    this.#undo.length = 0
  }
}

const MICRO = 1_000_000n
/** Rounded up. */
export const wholeOf = (micro: bigint): bigint => (micro + MICRO - 1n) / MICRO

const TRIAL = { account: 'promotions', source: 'trial' }
const PLAN = { account: 'subscriptions', source: 'subscription' }
const ENDS = { settle: 'settled', release: 'released', expire: 'expired' } as const
export const monthOf = (at: Date): string => `${at.toISOString().slice(0, 7)}-01`
const min = (a: bigint, b: bigint): bigint => (a < b ? a : b)
const max = (a: bigint, b: bigint): bigint => (a > b ? a : b)
