// Downloads the ledger as CSV. The service sends ten thousand lines per page.
import { api } from '../../../data/api.ts'
import { saveFile } from '../../../ui/base/save-file.ts'
import { type Filter, queryOf } from './filter.ts'

const PAGES_MAX = 20

/** False if the ledger is longer than the page limit. */
export async function downloadLedger(filter: Filter): Promise<boolean> {
  const pieces: string[] = []
  let cursor: string | null = null
  for (let piece = 0; piece < PAGES_MAX; piece++) {
    const answer = await api.request('GET', '/wallet/ledger', {
      query: { ...queryOf(filter), cursor },
      headers: { accept: 'text/csv' },
    })
    pieces.push(piece === 0 ? answer.text() : withoutHead(answer.text()))
    cursor = answer.headers.get('x-next-cursor')
    if (cursor === null) break
  }
  saveFile('cowrie-ledger.csv', pieces, 'text/csv')
  return cursor === null
}

const withoutHead = (csv: string): string => csv.slice(csv.indexOf('\n') + 1)
