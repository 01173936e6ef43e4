// Reads package lists: one line each, tab-separated columns, with a header line.
import { readFileSync } from 'node:fs'

export type ListedPackage = { readonly source: string; readonly name: string; readonly version: string }

export function readList(file: string): ListedPackage[] {
  const [, ...rows] = readFileSync(file, 'utf8').trimEnd().split('\n')
  return rows.map((row) => {
    const [source = '', name = '', version = ''] = row.split('\t')
    return { source, name, version }
  })
}
