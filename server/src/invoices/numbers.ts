// Numbers of documents: gap-free within an organisation, and told apart from those of others by its mark.
import type { OrgId } from '../kernel/ids.ts'

const MARK_CHARACTERS = 6

export const invoiceNumber = (org: OrgId, seq: bigint): string =>
  `COW-${markOf(org)}-${String(seq).padStart(6, '0')}`

export const creditNoteNumber = (org: OrgId, seq: bigint): string =>
  `COW-${markOf(org)}-CN-${String(seq).padStart(4, '0')}`

/** The end of an id is chance; its beginning is time and the same for all who came together. */
const markOf = (org: OrgId): string => org.slice(-MARK_CHARACTERS).toUpperCase()
