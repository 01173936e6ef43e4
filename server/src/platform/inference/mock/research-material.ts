// Reads the prompts of research back: what stands between the marks of the run, its sentences and its words.

export type ResearchFence = {
  readonly kind: string
  readonly about: Readonly<Record<string, string>>
  readonly text: string
}

const FENCES_MAX = 100

export function fencesIn(content: string, nonce: string): ResearchFence[] {
  const opening = new RegExp(
    `^<<(?!end )(\\w{1,20}) ${nonce}((?: \\w{1,20}="(?:[^"\\\\\\n]|\\\\.)*")*)>>\\n`,
    'gm',
  )
  const end = `\n<<end ${nonce}>>`
  const fences: ResearchFence[] = []
  for (
    let found = opening.exec(content);
    found && fences.length < FENCES_MAX;
    found = opening.exec(content)
  ) {
    // An empty text leaves its line break to the closing mark.
    const to = content.indexOf(end, opening.lastIndex - 1)
    if (to === -1) break
    const text = content.slice(opening.lastIndex, Math.max(opening.lastIndex, to))
    fences.push({ kind: found[1] ?? '', about: attributesIn(found[2] ?? ''), text })
    opening.lastIndex = to + end.length
  }
  return fences
}

const attributesIn = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/ (\w{1,20})="((?:[^"\\\n]|\\.)*)"/g)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  )

export const fenceTexts = (fences: readonly ResearchFence[], kind: string): string[] =>
  fences.filter((fence) => fence.kind === kind).map(({ text }) => text)

const SENTENCE_LEAST = 30
const SENTENCE_MOST = 300

/** Those that could be quoted: no headings, no scraps, nothing endless. */
export const sentencesIn = (text: string): string[] =>
  text
    .split('\n')
    .filter((line) => !/^#{1,6} |^\[…\]/.test(line))
    .flatMap((line) => line.replace(/^[-*•] /, '').split(/(?<=[.!?؟。])\s+(?=[^\p{Ll}])/u))
    .map((sentence) => sentence.trim())
    .filter(({ length }) => length >= SENTENCE_LEAST && length <= SENTENCE_MOST)

const SMALL_WORDS = new Set(
  'about after also and are between can could does for from had has have how into its main facts more most not our should such than that the their them there these they this those use used was were what when where which while who why will with would you your'.split(
    ' ',
  ),
)

/** In lower case, each once, in their order, without a plural's ending. */
export function tellingWords(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  const telling = words.filter((word) => (word.length > 2 || /\d/.test(word)) && !SMALL_WORDS.has(word))
  return [
    ...new Set(telling.map((word) => (/[^siu]s$/.test(word) && word.length > 4 ? word.slice(0, -1) : word))),
  ]
}
