// Marks the first piece of each text of the model. A failed answer is repeated as a new attempt, whose text replaces the earlier one.

type Piece = { readonly kind: 'message' | 'reasoning'; readonly step: number; readonly attempt: number }

/** The returned function says whether a piece begins a text. */
export function createTextMarker(): (piece: Piece) => boolean {
  const attempts = new Map<string, number>()
  return ({ kind, step, attempt }) => {
    const text = `${kind} ${step}`
    const isNew = attempts.get(text) !== attempt
    attempts.set(text, attempt)
    return isNew
  }
}
