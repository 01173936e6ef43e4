// The result of a check that a changed file still parses.

export type SyntaxVerdict =
  | { verdict: 'fine' }
  | { verdict: 'worse'; line: number }
  /** The grammar could not be loaded, or parsing took too long. */
  | { verdict: 'unchecked' }

export type SyntaxGate = (path: string, base: string, text: string) => Promise<SyntaxVerdict>
