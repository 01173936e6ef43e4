// Takes a task apart into things to do, one after the other.

export type Clause = {
  /** What is said, on one line, without the fenced code. */
  readonly text: string
  /** Fenced code that belongs to it. */
  readonly blocks: readonly string[]
}

/** A task is read so far; a longer one is not what a stand-in can do. */
const TASK_CHARACTERS_MAX = 20_000
const CLAUSES_MAX = 30
/** What is said in more words than this is a story, not a thing to do. */
const CLAUSE_CHARACTERS_MAX = 1_500

const VERBS =
  'create|add|delete|remove|rename|replace|write|update|fix|make|change|implement|append|insert|generate|document|export|import|include|move|wrap|set|provide'

export function clausesOf(task: string): readonly Clause[] {
  const blocks: string[] = []
  const keep = (block: string) => `⟦${blocks.push(block) - 1}⟧`
  const words = task
    .slice(0, TASK_CHARACTERS_MAX)
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[⟦⟧⟪⟫]/g, '')
    .replaceAll(/^[ \t]*```[^\n]*\n([\s\S]*?)^[ \t]*```[ \t]*$/gm, (_, code: string) => keep(code))
    .replace(
      /\b(contents?|containing|text|lines|code|this)[ \t]*:[ \t]*\n\s*(?!\s*⟦)(\S[\s\S]*)$/i,
      unfenced(keep),
    )
  return splitUp(words)
    .slice(0, CLAUSES_MAX)
    .map((text) => ({
      text: text.replaceAll(/⟦\d+⟧/g, ' ').replaceAll(/\s+/g, ' ').trim().slice(0, CLAUSE_CHARACTERS_MAX),
      blocks: [...text.matchAll(/⟦(\d+)⟧/g)].map(([, at]) => blocks[Number(at)] ?? ''),
    }))
    .filter(({ text, blocks: own }) => text !== '' || own.length > 0)
}

/** What follows "with the content:" on lines of its own is content as well. */
const unfenced =
  (keep: (block: string) => string) =>
  (_: string, word: string, content: string): string =>
    `${word}: ${keep(content.endsWith('\n') ? content : `${content}\n`)}`

/** Quoted words and inline code are one thing, whatever is in them. */
function splitUp(words: string): readonly string[] {
  const quoted: string[] = []
  const hidden = words
    .replaceAll(/[ \t]+/g, ' ')
    .replaceAll(/`[^`\n]+`|"[^"\n]+"|“[^”\n]+”|(?<=\s)'[^'\n]+'(?=[\s.,;:!?)]|$)/g, (text) => {
      quoted.push(text)
      return `⟪${quoted.length - 1}⟫`
    })
  return hidden
    .replaceAll(/:\s*\n\s*(?=⟦)/g, ': ')
    .replaceAll(/\s*\n\s*(?=⟦)/g, ' ')
    .split(BETWEEN)
    .map((part) => part.replaceAll(/⟪(\d+)⟫/g, (_, at: string) => quoted[Number(at)] ?? ''))
}

const BETWEEN = new RegExp(
  `\\n\\s*(?:[-*•]\\s+|\\d+[.)]\\s+)?|(?<=[.!?;])\\s+(?=[A-Z⟪])|,?\\s+(?:and then|and also|and|then|also)\\s+(?=(?:also\\s+|please\\s+)?(?:${VERBS})\\b)`,
  'i',
)
