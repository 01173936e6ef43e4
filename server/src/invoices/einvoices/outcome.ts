// The answers of a tax authority about one document.

export type AcceptedOutcome = {
  readonly outcome: 'accepted'
  /** The authority's number of the document, printed on the receipt. */
  readonly id: string
  /** The text of the QR code. */
  readonly qr: string | null
  /** Signature data, stored as received. */
  readonly stamp: Readonly<Record<string, string>>
}
export type RejectedOutcome = { readonly outcome: 'rejected'; readonly reasons: readonly string[] }
/** The authority has the document and decides later. */
export type PendingOutcome = { readonly outcome: 'pending'; readonly pendingId: string }
/** Nothing follows about the document. `sent` is false only when the authority certainly did not process it. */
export type UnknownOutcome = { readonly outcome: 'unknown'; readonly reason: string; readonly sent: boolean }

export type SubmitOutcome =
  | AcceptedOutcome
  | RejectedOutcome
  | PendingOutcome
  | UnknownOutcome
  /** The authority already has a document of this name. */
  | { readonly outcome: 'duplicate' }
export type CheckOutcome =
  | AcceptedOutcome
  | RejectedOutcome
  | PendingOutcome
  | UnknownOutcome
  /** The authority does not have the document. */
  | { readonly outcome: 'absent' }

export const unknown = (reason: string, sent = true): UnknownOutcome => ({ outcome: 'unknown', reason, sent })

const REASONS_MAX = 20
const REASON_CHARACTERS_MAX = 300

export function rejected(reasons: readonly (string | null | undefined)[]): RejectedOutcome {
  const given = reasons.filter(
    (reason): reason is string => typeof reason === 'string' && reason.trim() !== '',
  )
  const kept = given.slice(0, REASONS_MAX).map((reason) => reason.trim().slice(0, REASON_CHARACTERS_MAX))
  return { outcome: 'rejected', reasons: kept.length > 0 ? kept : ['The authority gave no reason.'] }
}
