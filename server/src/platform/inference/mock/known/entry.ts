// How a small function that everybody knows is written down once, for several languages.

export type Language = 'js' | 'ts' | 'py' | 'go' | 'php' | 'java'

export type Value = number | string | boolean | null | readonly Value[] | { readonly [key: string]: Value }

export type Known = {
  /** In camelCase; each language spells it its own way. */
  readonly name: string
  /** Other names it goes by. */
  readonly aliases?: readonly string[]
  /** A description that means this function, whatever it is called. */
  readonly meaning: RegExp
  /** One sentence. */
  readonly does: string
  /** Arguments and what comes out. */
  readonly examples: readonly (readonly [args: readonly Value[], expected: Value])[]
  /** JavaScript, with what TypeScript adds between « and ». */
  readonly js: string
  /** Python. Its imports stand on top. */
  readonly py: string
}

/** Text of code, without the line breaks around it. */
export const code = (strings: TemplateStringsArray): string =>
  (strings.raw[0] ?? '').replace(/^\n/, '').trimEnd()
