// Finds mentions of the app in comments.

/** The name of the app, as people mention it. */
const APP_SLUG = 'cowrie'

/** A mention with words after it. An address, a team or a longer name is none. */
const MENTION = new RegExp(
  String.raw`(?<![\w/@.-])@${APP_SLUG}(?:\[bot\])?(?![\w/-]|\.\w)[\s\p{P}]*(?=[\p{L}\p{N}])`,
  'iu',
)

/** Whether a comment asks the app for something. Quoted lines and code do not count: they repeat what others wrote. */
export const mentionsApp = (comment: string): boolean => MENTION.test(ownWords(comment))

/** The words after the mention; null without one. */
export function textAfterMention(comment: string): string | null {
  const words = ownWords(comment)
  const match = MENTION.exec(words)
  return match ? words.slice(match.index + match[0].length).trim() : null
}

function ownWords(comment: string): string {
  const lines: string[] = []
  let fence: string | null = null
  for (const line of comment.split('\n')) {
    const [, mark] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? []
    if (fence !== null) {
      if (mark?.startsWith(fence)) fence = null
    } else if (mark) fence = mark
    else if (!/^ {0,3}>/.test(line)) lines.push(line.replaceAll(/`[^`]*`/g, ' '))
  }
  return lines.join('\n')
}
