import { createHash } from 'node:crypto'
import type { OrgId } from '../kernel/ids.ts'

/** The same organisation and path are always the same file, so a path is there once without anything that watches over it. */
export const fileIdOf = (org: OrgId, path: string): string =>
  `ixf_${createHash('sha256').update(`${org}\0${path}`).digest('hex').slice(0, 26)}`
