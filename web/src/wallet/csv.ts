// The ledger as a file. The service gives it in pieces of ten thousand lines, joined here.
import { ask } from '../api.ts'

const PIECES_MAX = 20

/** False where there is more than the pieces we take. */
export async function downloadLedger(): Promise<boolean> {
  const pieces: string[] = []
  let cursor: string | null = null
  for (let piece = 0; piece < PIECES_MAX; piece++) {
    const query: string = cursor === null ? '' : `?cursor=${encodeURIComponent(cursor)}`
    const { text, headers } = await ask('GET', `/wallet/ledger${query}`, { headers: { accept: 'text/csv' } })
    pieces.push(piece === 0 ? text : withoutHead(text))
    cursor = headers.get('x-next-cursor')
    if (cursor === null) break
  }
  save(pieces)
  return cursor === null
}

const withoutHead = (csv: string): string => csv.slice(csv.indexOf('\n') + 1)

function save(pieces: string[]): void {
  const url = URL.createObjectURL(new Blob(pieces, { type: 'text/csv' }))
  const link = Object.assign(document.createElement('a'), { href: url, download: 'cowrie-ledger.csv' })
  link.click()
  // The browser has taken hold of the file by the next turn.
  setTimeout(() => URL.revokeObjectURL(url), 1_000)
}
