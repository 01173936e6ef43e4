// Downloads a list as CSV. The service sends ten thousand rows per page.
import { api } from '../../../data/api.ts'
import { saveFile } from '../../../ui/base/save-file.ts'

const PAGES_MAX = 20

/** False if the list is longer than the page limit. */
export async function saveCsv(
  name: string,
  path: `/${string}`,
  query: Readonly<Record<string, string | undefined>>,
): Promise<boolean> {
  const pieces: string[] = []
  let cursor: string | null = null
  for (let piece = 0; piece < PAGES_MAX; piece++) {
    const answer = await api.request('GET', path, {
      query: { ...query, cursor },
      headers: { accept: 'text/csv' },
    })
    const text = answer.text()
    pieces.push(piece === 0 ? text : text.slice(text.indexOf('\n') + 1))
    cursor = answer.headers.get('x-next-cursor')
    if (cursor === null) break
  }
  saveFile(name, pieces, 'text/csv')
  return cursor === null
}
