// Questions about a whole file that rules ask at every step: answered once per file.

/** Files are gone through together and call each other: as many are kept in mind. */
const TEXTS_MAX = 64

/** The same answers without the work, as long as the text is one of the last. */
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
