// Figures of the transparency log: its size and the time of its last entry.
import { type FigureSource, inSeconds } from '../platform/log/figures.ts'
import { timeOfLeaf } from './leaf.ts'
import * as sql from './sql.ts'

const LAST = 'transparency_last_entry_timestamp_seconds'

/** A checkpoint is signed when it is read, so the newest entry tells the time of the newest signed head. */
export const transparencyFigures: FigureSource = {
  name: 'transparency',
  metrics: {
    transparency_entries: 'Entries of the transparency log.',
    [LAST]: 'When the newest head of a chain was appended to the log.',
  },
  async read(tx) {
    const size = await sql.readSize(tx)
    const [leaf] = size === 0 ? [] : await sql.readLeaves(tx, size - 1, 1)
    const at = leaf === undefined ? null : timeOfLeaf(leaf)
    return [['transparency_entries', size], ...(at === null ? [] : [[LAST, inSeconds(at)] as const])]
  },
}
