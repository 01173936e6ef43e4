// Lists of packages as they are kept beside the code: a line each, columns between tabs, the first line naming them.
import { readFileSync } from 'node:fs'

export type Listed = { readonly source: string; readonly name: string; readonly version: string }

export function readList(file: string): Listed[] {
  const [, ...rows] = readFileSync(file, 'utf8').trimEnd().split('\n')
  return rows.map((row) => {
    const [source = '', name = '', version = ''] = row.split('\t')
    return { source, name, version }
  })
}
