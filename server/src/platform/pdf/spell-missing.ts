// Writes characters that the fonts lack in other characters, so that a figure such as 10⁶ never loses a part.
const SIGNS: Readonly<Record<string, string>> = {
  '→': '->',
  '←': '<-',
  '≥': '>=',
  '≤': '<=',
  '≠': '!=',
  '≈': '~',
  '⅓': '1/3',
  '⅔': '2/3',
  '⅛': '1/8',
  '√': 'sqrt ',
  '✓': '[x]',
  '∞': 'infinity',
}
const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻'
const SUBSCRIPTS = '₀₁₂₃₄₅₆₇₈₉₊₋'
const PLAIN = '0123456789+-'
const RAISED = new RegExp(`[${SUPERSCRIPTS}]+|[${SUBSCRIPTS}]+`, 'g')

/** Other characters are written as their code, such as `[U+4E2D]`. */
export function spellMissing(text: string, isMissing: (character: string) => boolean): string {
  if (![...text].some(isMissing)) return text
  const spelled = text.replace(RAISED, (part) => {
    if (![...part].some(isMissing)) return part
    const known = SUPERSCRIPTS.includes(part[0] ?? '') ? SUPERSCRIPTS : SUBSCRIPTS
    const digits = Array.from(part, (sign) => PLAIN[known.indexOf(sign)] ?? '').join('')
    return `${known === SUPERSCRIPTS ? '^' : '_'}${digits}`
  })
  return Array.from(spelled, (character) => (isMissing(character) ? spell(character) : character)).join('')
}

function spell(character: string): string {
  if (/\p{Zs}/u.test(character)) return ' '
  if (/\p{Cf}|\p{Cc}|\ufe0f/u.test(character)) return ''
  const code = character.codePointAt(0) ?? 0
  return SIGNS[character] ?? `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`
}
