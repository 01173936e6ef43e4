// The place of a secret in a text. The patterns come from the caller: the service and its clients have separate copies.

export type SecretSpan = {
  readonly start: number
  readonly end: number
  /** The line of the start, from 1. */
  readonly line: number
  /** The kind of secret, never its value. */
  readonly reason: string
}

/** Recognizes secrets. */
export type SecretFormats = {
  /** All secrets of a text, in text order. */
  secretSpans(text: string): SecretSpan[]
  /** Whether the file name shows that it holds secrets. */
  isSecretFile(path: string): boolean
}

/** A secret that the model did not see. */
export type Withheld = { readonly path: string; readonly line?: number; readonly reason: string }
