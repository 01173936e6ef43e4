// What a clause speaks of: files, names and quoted text.
import type { Clause } from './clauses.ts'
import type { Workspace } from './workspace.ts'

const EXTENSIONS =
  'js|mjs|cjs|jsx|ts|mts|tsx|py|go|php|java|rb|rs|md|txt|json|ya?ml|toml|ini|cfg|html?|css|scss|sh|sql|csv|xml|env|example'
const PATH = new RegExp(
  `(?:[\\w@.-]+/)*(?:[\\w@.-]*\\.(?:${EXTENSIONS})|Dockerfile|Makefile|\\.gitignore|\\.dockerignore|\\.editorconfig|\\.nvmrc|\\.prettierrc)(?![\\w/])`,
  'g',
)
const PRODUCTS = /^(node|express|next|vue|react|three|nest|nuxt|d3)\.js$/i

/** Paths in the order they are named; a bare name stands for the only file of that name. */
export function pathsIn({ text }: Clause, workspace: Workspace): readonly string[] {
  const named = [...text.matchAll(PATH)]
    .map(([path]) => path.replace(/^\.\//, ''))
    .filter((path) => !PRODUCTS.test(path) || workspace.files.has(path))
    .map((path) => resolve(path, workspace))
  const known = [...workspace.files.keys()].filter(
    (path) => path.length > 3 && !named.includes(path) && mentions(text, path),
  )
  return [...new Set([...named, ...known])]
}

/** Texts in quotes or backticks, without them. */
export const quotedIn = ({ text }: Clause): readonly string[] =>
  [...text.matchAll(/`([^`]+)`|"([^"]+)"|“([^”]+)”|(?<=^|[\s(])'([^']+)'/g)].map((found) =>
    String(found.slice(1).find((each) => each !== undefined)),
  )

/** Names that can only be names: in backticks, after "function", before "function", with an open bracket. */
export function namesIn(clause: Clause): readonly string[] {
  const { text } = clause
  const names: string[] = []
  const take = (pattern: RegExp) => {
    for (const found of text.matchAll(pattern)) if (found[1] !== undefined) names.push(found[1])
  }
  take(/\b(?:called|named)\s+[`"']?([A-Za-z_$][\w$]*)/gi)
  take(/`([A-Za-z_$][\w$]*)(?:\([^)`]*\))?`/g)
  take(/\b([A-Za-z_$][\w$]*)\(/g)
  take(/\b(?:function|method|helper|def|func|fn)\s+[`"']?([A-Za-z_$][\w$]*)/gi)
  take(/\b([A-Za-z_$][\w$]*)\s+(?:(?:utility|helper)\s+)?(?:function|method|helper)\b/gi)
  return [...new Set(names)].filter((name) => !SMALL_WORDS.has(name.toLowerCase()))
}

/** Whether a function that is there is meant: by a name that can only be one, or by a word that is no verb of a task. */
export function speaksOf(clause: Clause, name: string): boolean {
  if (namesIn(clause).includes(name)) return true
  const word = new RegExp(`(?<![\\w$./-])${name.replaceAll('$', '\\$')}(?![\\w$/-]|\\.\\w)`)
  return name.length > 2 && !TASK_VERBS.has(name) && word.test(clause.text)
}

const TASK_VERBS = new Set(
  'add create test check fix remove write replace set get run use make update delete handle the and for with'.split(
    ' ',
  ),
)

const SMALL_WORDS = new Set(
  'a an the to that which for in with and of on this each every all new small simple utility helper function method it its called named is from by using into returns return takes taking test unit named another one two async should python javascript typescript java php go golang node express js ts pure public static'.split(
    ' ',
  ),
)

function resolve(path: string, { files }: Workspace): string {
  if (files.has(path)) return path
  const same = [...files.keys()].filter((each) => each.endsWith(`/${path}`))
  return same.length === 1 ? String(same[0]) : path
}

function mentions(text: string, path: string): boolean {
  const at = text.indexOf(path)
  return at >= 0 && !/[\w/]/.test(text[at - 1] ?? ' ') && !/[\w/]/.test(text[at + path.length] ?? ' ')
}
