// Detects what the prose says about code: an example, no change, or a change.

const LINE_CHARS_MAX = 1_000

/** Whether the last line before a piece of code introduces an example. */
export function isExampleBelow(prose: readonly string[]): boolean {
  const line = prose.findLast((each) => each.trim() !== '') ?? ''
  return EXAMPLE.test(line.slice(0, LINE_CHARS_MAX))
}

const EXAMPLE =
  /\b(?:for example|for instance|an? (?:\w+ )?example|e\.g\.|hypothetical(?:ly)?|the format is|would (?:be|look))(?!\w)/i

export const saysNoChange = (line: string): boolean => NO_CHANGE.test(line.slice(0, LINE_CHARS_MAX))

const NO_CHANGE =
  /\b(made|makes?|making|needs?|needed|requires?|required|there (are|were)) no (\w+ )?changes?\b|\bno (\w+ )?changes? (is|are|was|were|has|have)? ?(been )?(made|needed|required|necessary)\b|\b(did not|didn't|have not|haven't|do not|don't) (change|changed|modify|modified|edit|edited)( anything| any| the)?\b|\bnothing (was|is|has been|needs to be) changed?\b/i

const DONE =
  'fixed|changed|updated|modified|edited|added|removed|replaced|rewrote|rewritten|refactored|created|implemented|corrected|renamed|deleted|applied'

/** "I fixed …", and the same in the other languages of the app. */
const OWN_CLAIMS = [
  `\\b(?:I|we)(?:['’]ve| have)?(?: (?:just|now|also|successfully))? (?:${DONE}|made the changes?)\\b`,
  "\\bj[’']ai (?:corrigé|modifié|ajouté|remplacé|supprimé|créé|mis à jour)",
  '\\bnime(?:rekebisha|badilisha|ongeza|sahihisha|ondoa|unda)',
  '(?:قمت ب|أصلحت|عدلت|عدّلت|أضفت|صححت)',
]
/** "has been fixed", "Fixed the …": also used in release notes and in answers about code history. */
const LOOSE_CLAIMS = [
  `\\b(?:has|have) (?:now )?been (?:successfully )?(?:${DONE})\\b`,
  `^[ \\t*#>-]{0,20}(?:${DONE}) (?:the|a|an|all|it|this|both)\\b`,
]
const OWN_CLAIM = new RegExp(OWN_CLAIMS.join('|'), 'im')
const CLAIM = new RegExp([...OWN_CLAIMS, ...LOOSE_CLAIMS].join('|'), 'im')

/** Whether the text claims a change. `isOwn`: only claims in the first person count. */
export const claimsChange = (text: string, { isOwn }: { isOwn: boolean }): boolean =>
  (isOwn ? OWN_CLAIM : CLAIM).test(text) && !text.split('\n').some(saysNoChange)
