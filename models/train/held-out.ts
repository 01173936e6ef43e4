// Packages held out from training for evaluation: everything the lockfile installs, and packages in
// languages that npm rarely has.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ListedPackage, readList } from './package-list.ts'

const HERE = import.meta.dirname

export const heldOutList = (): ListedPackage[] => readList(join(HERE, 'held-out.tsv'))

/** By folder name, in which `+` follows a scope. */
export function heldOutFilter(): (folder: string) => boolean {
  const lock: { packages: Record<string, unknown> } = JSON.parse(
    readFileSync(join(HERE, '../../package-lock.json'), 'utf8'),
  )
  const installed = Object.keys(lock.packages).map((path) => path.split('node_modules/').at(-1) ?? '')
  const names = new Set([...heldOutList().map(({ name }) => name), ...installed])
  return (folder) => names.has(folder.replace('+', '/'))
}
