// One session in a terminal: what the user chose, and the session that is open.
import type { Currency } from '@cowrie/sdk'
import type { Context } from '../command.ts'
import type { Meter, TurnOutcome } from '../session/types.ts'
import { parseMoney } from '../spending/money.ts'
import type { Span } from '../terminal/line.ts'
import type { Screen } from '../terminal/screen-types.ts'
import type { Approvals } from './approvals.ts'
import type { Attachment } from './attachments.ts'
import { statusParts } from './status-line.ts'
import { balanceText, shortMoney } from './units.ts'
import { accountOf, type OpenSession, type SessionWish, type Work } from './work.ts'

export type TurnRecord = {
  readonly prompt: string
  readonly outcome: TurnOutcome
  readonly tokens: number
  readonly bytesUp: number
  readonly bytesDown: number
}

type Options = {
  readonly context: Context
  readonly screen: Screen
  readonly work: Work
  readonly approvals: Approvals
  readonly model: string | null
  /** For new sessions, in major units of the currency; null: the user is asked. */
  readonly budget: string | null
  readonly isPlanning: boolean
}

export class TerminalSession {
  readonly context: Context
  readonly screen: Screen
  readonly work: Work
  readonly approvals: Approvals
  budget: string | null
  model: string | null
  isPlanning: boolean
  /** A summary replaces the conversation before the next turn. */
  isCompacting = false
  open: OpenSession | null = null
  /** Turns of this process, oldest first. */
  turns: TurnRecord[] = []
  /** Facts for the model, sent with the next message. */
  facts: string[] = []
  /** Sent with the next message. */
  attachments: Attachment[] = []
  /** Known with the currency. */
  account = ''
  /** Text that the user can edit and send again. */
  draft = ''
  #opening: Promise<OpenSession> | null = null
  #currency: Promise<Currency> | null = null
  #known: Currency | null = null
  #balanceMinor: bigint | null = null

  constructor({ context, screen, work, approvals, model, budget, isPlanning }: Options) {
    this.context = context
    this.screen = screen
    this.work = work
    this.approvals = approvals
    this.model = model
    this.budget = budget
    this.isPlanning = isPlanning
  }

  /** Asked once. A failure is not remembered. */
  currency(): Promise<Currency> {
    this.#currency ??= this.work.client.me.get().then(
      ({ currency, availableMinor, userId, orgId }) => {
        this.#known = currency
        this.account = accountOf({ userId, orgId })
        this.#balanceMinor = availableMinor
        return currency
      },
      (error: unknown) => {
        this.#currency = null
        throw error
      },
    )
    return this.#currency
  }

  openNew(budgetMinor: bigint | null): Promise<OpenSession> {
    return this.#opened({ taskId: null, budgetMinor })
  }

  /** Leaves the open session, which stays stored. */
  async switchTo(taskId: string): Promise<OpenSession> {
    await this.leave()
    return this.#opened({ taskId, budgetMinor: null })
  }

  async leave(): Promise<void> {
    const open = this.open ?? (await this.#opening?.catch(() => null)) ?? null
    this.#balanceMinor = open?.session.meter.balanceMinor ?? this.#balanceMinor
    this.open = null
    this.#opening = null
    this.turns = []
    this.facts = []
    this.attachments = []
    this.isCompacting = false
    await open?.session.close()
    await open?.toolbox.close()
  }

  #opened(wish: Pick<SessionWish, 'taskId' | 'budgetMinor'>): Promise<OpenSession> {
    const open = async () => {
      const { code } = await this.currency()
      return this.work.open({ ...wish, model: this.model, currency: code, account: this.account })
    }
    this.#opening ??= open().then(
      (open) => {
        this.open = open
        if (open.startOutput !== '') this.facts.push(`[A hook of the user says: ${open.startOutput}]`)
        return open
      },
      (error: unknown) => {
        this.#opening = null
        throw error
      },
    )
    return this.#opening
  }

  money(minor: bigint): string {
    return this.#known ? shortMoney(minor, this.#known) : String(minor)
  }

  /** The same error with amounts of money, if it is about the budget. */
  async withAmounts(error: unknown): Promise<unknown> {
    if (!this.open || !this.#known) return error
    const { withAmounts } = await import('./least-budget.ts')
    return withAmounts(error, this.open.session, this.#known, '/budget')
  }

  showStatus(meter: Meter | null = this.open?.session.meter ?? null): void {
    this.screen.setStatus(this.#statusOf(meter))
  }

  /** Of the session that the first message opens. An invalid one is reported then. */
  #chosenBudget(currency: Currency): bigint | null {
    try {
      return this.budget === null ? null : parseMoney(this.budget, currency, 'The budget')
    } catch {
      return null
    }
  }

  /** `₦12.40 of ₦500 · balance ₦4,210 · ↑ 3.1 kB ↓ 18 kB · open · ask` */
  #statusOf(meter: Meter | null): (string | Span)[] {
    const parts: (string | Span)[] = []
    const { up, down } = this.work.bytes()
    const balance = meter?.balanceMinor ?? this.#balanceMinor
    if (this.#known) {
      const budget = meter ? meter.budgetMinor : this.#chosenBudget(this.#known)
      const spent = this.money(meter?.spentMinor ?? 0n)
      parts.push(budget === null ? spent : `${spent} of ${this.money(budget)}`)
      if (balance !== null) parts.push(`balance ${balanceText(balance, this.#known)}`)
    }
    const bytes = { up: meter?.bytesUp ?? up, down: meter?.bytesDown ?? down }
    const { model, isPlanning } = this
    return [...parts, ...statusParts({ bytes, model, isPlanning, mode: this.approvals.mode })]
  }
}
