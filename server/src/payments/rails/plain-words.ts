// Words for providers that turn a whole payment away for one character they do not know.

/** The letters, digits, dots and dashes of a text, cut to fit; never empty. */
export const plainAscii = (text: string, charactersMax: number): string =>
  text
    .replace(/[^A-Za-z0-9.-]+/g, ' ')
    .trim()
    .slice(0, charactersMax)
    .trim() || 'Top-up'
