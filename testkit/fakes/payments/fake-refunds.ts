// The refunds that a fake provider received by API.

export type FakeRefund = {
  readonly id: string
  /** Ours, of the payment. */
  readonly reference: string
  /** Our reference of the refund, or the note that contains it. */
  readonly note: string
  /** As the provider received it. */
  readonly amount: number
  status: 'pending' | 'processed' | 'failed'
  readonly createdAt: Date
}

export type FakeRefunds = {
  /** How new refunds are answered. Default: `pending`. `refused`: with an error, without a refund. */
  answer(behaviour: 'processed' | 'pending' | 'refused'): void
  /** Oldest first. */
  of(reference: string): readonly Readonly<FakeRefund>[]
  /** Decides the last refund of a payment. */
  finish(reference: string, status: 'processed' | 'failed'): void
}

export function createFakeRefunds(firstId: number, now: () => Date = () => new Date('2026-11-15T09:00:00Z')) {
  const all: FakeRefund[] = []
  let behaviour: Parameters<FakeRefunds['answer']>[0] = 'pending'
  const of = (reference: string) => all.filter((each) => each.reference === reference)
  const controls: FakeRefunds = {
    answer: (next) => {
      behaviour = next
    },
    of,
    finish(reference, status) {
      const last = of(reference).at(-1)
      if (!last) throw new Error(`${reference} has no refund`)
      last.status = status
    },
  }
  /** Null when the refund is refused. */
  const add = (refund: Pick<FakeRefund, 'reference' | 'note' | 'amount'>): FakeRefund | null => {
    if (behaviour === 'refused') return null
    const added = { ...refund, id: String(firstId + all.length), status: behaviour, createdAt: now() }
    all.push(added)
    return added
  }
  return { controls, add, all }
}
