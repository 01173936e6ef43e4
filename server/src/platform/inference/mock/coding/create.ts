// Creates a file: with the content that is given, or with a sensible beginning for its kind.
import type { Clause } from './clauses.ts'
import { mainLanguage, spokenLanguage } from './language.ts'
import { pathsIn, quotedIn } from './mentions.ts'
import type { Doing } from './recogniser.ts'
import { skeletonOf } from './skeletons.ts'
import { type Workspace, write } from './workspace.ts'

const CREATES = /\b(create|add|write|make|generate|new|start|set up|provide|need|save|put)\b/i

/** A file whose content the task gives. */
export function createWithContent(clause: Clause, workspace: Workspace): Doing | null {
  if (!CREATES.test(clause.text)) return null
  const path = pathIn(clause, workspace)
  const content = contentIn(clause)
  if (path === undefined || content === undefined) return null
  const isThere = workspace.files.has(path)
  // "Add `x` to a file" is about a line of it, "create a file with `x`" about all of it.
  if (isThere && !/\b(create|make|generate|write|overwrite)\b/i.test(clause.text)) return null
  write(workspace, path, content.endsWith('\n') ? content : `${content}\n`, 'the content that was asked for')
  return {
    steps: [`${isThere ? 'Write' : 'Create'} ${path} with the given content.`],
    said: `${isThere ? 'Wrote' : 'Created'} ${path} with the content you gave.`,
  }
}

/** Files of a kind that has a usual beginning. */
export function createSkeleton(clause: Clause, workspace: Workspace): Doing | null {
  if (!CREATES.test(clause.text)) return null
  const created = pathsWanted(clause, workspace).filter((path) => {
    const text = workspace.files.has(path) ? undefined : skeletonOf(path, clause, workspace)
    if (text !== undefined) write(workspace, path, text, `a beginning for ${path}`)
    return text !== undefined
  })
  if (created.length === 0) return null
  return {
    steps: created.map((path) => `Create ${path} with a beginning that fits the files that are there.`),
    said: `Created ${created.join(', ')} with a beginning to build on.`,
  }
}

function pathIn(clause: Clause, workspace: Workspace): string | undefined {
  const paths = pathsWanted(clause, workspace)
  return paths.find((path) => !workspace.files.has(path)) ?? paths[0]
}

/** Named, or of a kind that has one name; otherwise named after what is to be in it. */
function pathsWanted(clause: Clause, workspace: Workspace): readonly string[] {
  const named = pathsIn(clause, workspace)
  const names = named.map((path) => path.slice(path.lastIndexOf('/') + 1).toLowerCase())
  const kinds = KINDS.filter(
    ([pattern, name]) => pattern.test(clause.text) && !names.includes(name.toLowerCase()),
  )
  const paths = [...named, ...kinds.map(([, name]) => name)]
  if (paths.length > 0) return paths
  const program = programPath(clause, workspace)
  return program === undefined ? [] : [program]
}

function programPath({ text }: Clause, workspace: Workspace): string | undefined {
  const language = spokenLanguage(text) ?? mainLanguage(workspace.files.keys()) ?? 'js'
  if (/\bhello,? world\b/i.test(text)) return `hello.${language}`
  if (/\b(express|http|web|api|flask)\b.{0,12}\b(server|app|handler|service)\b/i.test(text))
    return `server.${language}`
  const type = /\bclass\s+(?:called\s+|named\s+)?[`"']?([A-Z]\w*)/.exec(text)?.[1]
  return type && `${language === 'py' ? type.toLowerCase() : type}.${language}`
}

const KINDS: readonly (readonly [RegExp, string])[] = [
  [/\bread ?me\b/i, 'README.md'],
  [/\bgit ?ignore\b/i, '.gitignore'],
  [/\bdocker ?ignore\b/i, '.dockerignore'],
  [/\bdocker ?file\b/i, 'Dockerfile'],
  [/\bmakefile\b/i, 'Makefile'],
  [/\bpackage\.json\b|\bpackage manifest\b/i, 'package.json'],
  [/\btsconfig\b/i, 'tsconfig.json'],
  [/\bchange ?log\b/i, 'CHANGELOG.md'],
  [/\beditorconfig\b/i, '.editorconfig'],
]

function contentIn(clause: Clause): string | undefined {
  if (clause.blocks[0] !== undefined) return clause.blocks[0]
  if (!/\b(with|contain(s|ing)?|contents?|says?|saying|text|reads?|of)\b/i.test(clause.text)) return undefined
  const after = clause.text.search(/\b(with|contain(s|ing)?|contents?|says?|saying|text|reads?)\b/i)
  const quoted = quotedIn({ text: clause.text.slice(Math.max(0, after)), blocks: [] }).find(
    (text) => /[^\w./-]|\s/.test(text) || !/\b(function|class|method|field)\b/i.test(clause.text),
  )
  return quoted ?? PLAIN_CONTENT.exec(clause.text)?.[1]
}

// Without quotes only where it is plainly said that the rest is the content.
const PLAIN_CONTENT =
  /\b(?:(?:with|of) the (?:text|contents?|words?|line)|containing the (?:text|words?|line)|that (?:says|reads)|saying)\b:? ?([^`"'\n]{1,500}?)\.?$/i
