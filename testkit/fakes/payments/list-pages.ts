// The pages of the lists of a fake provider, newest first, with the faults of real ones.

export type PageFault =
  /** The rows of the page before are sent again. */
  | 'page_twice'
  | 'page_missing'
  /** A new row came in front of the list, so the last row of the page before is sent again. */
  | 'row_added'
  /** A row left the list, so one row is on no page. */
  | 'row_removed'
  | 'outage'

export type ListPages = {
  /** The next request of this page of payments has the fault. `always`: every request has it. */
  fault(page: number, kind: PageFault, always?: boolean): void
  /** When new transactions, refunds and disputes are created. Default: the start of the manual clock. */
  setTime(now: Date): void
}

type Dated = { readonly createdAt: Date }
export type FakePage<Row> = { readonly rows: readonly Row[]; readonly total: number; readonly pages: number }

export function createListPages(rowsPerPage = 100) {
  const faults = new Map<number, { kind: PageFault; always: boolean }>()
  let now = new Date('2026-11-15T09:00:00.000Z')
  const takeFault = (page: number): PageFault | null => {
    const found = faults.get(page)
    if (found && !found.always) faults.delete(page)
    return found?.kind ?? null
  }
  /** The rows of the last window of a list, newest first. Lists grow at their end. */
  const windows = new WeakMap<object, { length: number; from: Date; until: Date; rows: readonly Dated[] }>()
  function rowsIn<Row extends Dated>(all: readonly Row[], from: Date, until: Date): readonly Row[] {
    const known = windows.get(all)
    if (known?.length === all.length && +known.from === +from && +known.until === +until)
      return known.rows as readonly Row[]
    const rows = all.filter(({ createdAt }) => createdAt >= from && createdAt <= until).reverse()
    windows.set(all, { length: all.length, from, until, rows })
    return rows
  }
  /** `until` is inclusive. */
  function pageOf<Row extends Dated>(
    all: readonly Row[],
    { from, until, page, isFaulty }: { from: Date; until: Date; page: number; isFaulty: boolean },
  ): FakePage<Row> | 'outage' {
    const fault = isFaulty ? takeFault(page) : null
    if (fault === 'outage') return fault
    const rows = rowsIn(all, from, until)
    const { skipped, total } = shiftOf(fault, rows.length)
    const start = fault === 'page_twice' ? (page - 2) * rowsPerPage : (page - 1) * rowsPerPage + skipped
    const shown = fault === 'page_missing' ? [] : rows.slice(Math.max(start, 0), start + rowsPerPage)
    return { rows: shown, total, pages: Math.max(1, Math.ceil(total / rowsPerPage)) }
  }
  const controls: ListPages = {
    fault: (page, kind, always = false) => {
      faults.set(page, { kind, always })
    },
    setTime: (time) => {
      now = time
    },
  }
  return { controls, pageOf, now: () => now }
}

const SHIFTS: Readonly<Partial<Record<PageFault, number>>> = { row_added: -1, row_removed: 1 }

function shiftOf(fault: PageFault | null, count: number): { skipped: number; total: number } {
  const skipped = (fault && SHIFTS[fault]) ?? 0
  return { skipped, total: count - skipped }
}
