// Caches the answers that rules compute from the text of a file.

/** The engine analyzes files together, so several texts are in use at the same time. */
const TEXTS_MAX = 64

/** Memoizes a function of a file's text. */
export function memoizeByText<T>(answer: (text: string) => T): (text: string) => T {
  const answers = new Map<string, T>()
  return (text) => {
    const before = answers.get(text)
    if (before !== undefined) return before
    if (answers.size >= TEXTS_MAX) answers.clear()
    const given = answer(text)
    answers.set(text, given)
    return given
  }
}
