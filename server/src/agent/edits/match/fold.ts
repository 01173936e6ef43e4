// Characters that models exchange for one another without meaning anything by it.

/** One form for quotes, dashes and blanks that look alike. Only for comparing: what is written keeps its own. */
export const foldCharacters = (line: string): string =>
  isPlain(line)
    ? line
    : line
        .normalize('NFC')
        .replace(SINGLE, "'")
        .replace(DOUBLE, '"')
        .replace(DASH, '-')
        .replace(BLANK, ' ')
        .replace(NOTHING, '')

export const SINGLE = /[\u2018\u2019\u201a\u201b\u2032\u00b4]/g
export const DOUBLE = /[\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb]/g
const DASH = /[\u2010-\u2015\u2212]/g
const BLANK = /[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g
const NOTHING = /[\u200b\u2060\ufeff]/g

const isPlain = (line: string): boolean => /^[\x00-\x7f]*$/.test(line)
