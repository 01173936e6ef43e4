// Downloads the filtered requests as CSV. The service sends ten thousand rows per page.
import type { UsageRequestsQuery } from '@cowrie/sdk'
import { api } from '../../../data/api.ts'
import { saveFile } from '../../../ui/base/save-file.ts'

const PAGES_MAX = 10

/** False if there are more rows than the page limit. */
export async function downloadRequests(query: UsageRequestsQuery): Promise<boolean> {
  const pieces: string[] = []
  let cursor: string | null = null
  for (let piece = 0; piece < PAGES_MAX; piece++) {
    const answer = await api.request('GET', '/usage/requests', {
      query: { ...query, cursor },
      headers: { accept: 'text/csv' },
    })
    pieces.push(piece === 0 ? answer.text() : withoutHead(answer.text()))
    cursor = answer.headers.get('x-next-cursor')
    if (cursor === null) break
  }
  saveFile('cowrie-requests.csv', pieces, 'text/csv')
  return cursor === null
}

const withoutHead = (csv: string): string => csv.slice(csv.indexOf('\n') + 1)
