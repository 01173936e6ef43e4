// Entries of one piece of work, such as the model calls of a turn, are shown as one line.
import type { LedgerEntry } from '@cowrie/sdk'
import { formatDate } from '../../../i18n/format.ts'

export type EntryGroup = {
  /** The id of the newest entry. */
  id: string
  day: string
  entries: readonly LedgerEntry[]
  /** The first group of its day, with the charges of that day. Null if not all of the day is loaded. */
  opensDay: { spentMinor: bigint | null } | null
}

/** `hasMore`: whether older entries exist, which may belong to the last day. */
export function groupEntries(entries: readonly LedgerEntry[], hasMore: boolean): EntryGroup[] {
  const groups: { day: string; work: string; entries: LedgerEntry[] }[] = []
  for (const entry of entries) {
    const [day, work] = [formatDate(entry.createdAt), workOf(entry)]
    const last = groups.at(-1)
    if (last?.day === day && last.work === work) last.entries.push(entry)
    else groups.push({ day, work, entries: [entry] })
  }
  const lastDay = groups.at(-1)?.day
  return groups.map(({ day, entries: own }, at) => ({
    id: own[0]?.id ?? '',
    day,
    entries: own,
    opensDay:
      groups[at - 1]?.day === day
        ? null
        : { spentMinor: hasMore && day === lastDay ? null : spentOn(day, groups) },
  }))
}

/** The steps of a piece of work have its id before the first full stop of their reference. */
const workOf = ({ id, source, type, ref }: LedgerEntry): string =>
  type === 'debit' && ref.includes('.') ? `${source} ${ref.split('.')[0]}` : id

export const sumOf = (entries: readonly LedgerEntry[]): bigint =>
  entries.reduce((sum, { amountMinor }) => sum + amountMinor, 0n)

const spentOn = (day: string, groups: readonly { day: string; entries: readonly LedgerEntry[] }[]): bigint =>
  sumOf(groups.flatMap((group) => (group.day === day ? group.entries.filter(isDebit) : [])))

const isDebit = ({ type }: LedgerEntry): boolean => type === 'debit'
