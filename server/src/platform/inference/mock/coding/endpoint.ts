// Adds an endpoint to a small web program: Express or Flask.
import type { Clause } from './clauses.ts'
import { inStyleOf, languageOf } from './language.ts'
import { pathsIn } from './mentions.ts'
import type { Doing } from './recogniser.ts'
import { type Workspace, write } from './workspace.ts'

const ASKS = /\b(endpoint|route|handler)\b/i
const WHERE = /\b(GET|POST|PUT|PATCH|DELETE)\b\s+[`"']?(\/[\w/:-]*)|[`"'\s](\/[\w/:-]*)/

export function addEndpoint(clause: Clause, workspace: Workspace): Doing | null {
  const [, method = 'GET', first, second] = ASKS.test(clause.text) ? (WHERE.exec(clause.text) ?? []) : []
  const route = first ?? second
  if (route === undefined) return null
  const named = pathsIn(clause, workspace)
  for (const [path, text] of workspace.files) {
    if (named.length > 0 && !named.includes(path)) continue
    const changed = withEndpoint(path, text, method.toLowerCase(), route, replyIn(clause))
    if (changed === null) continue
    write(workspace, path, changed, `add ${method} ${route}`)
    return { steps: [`Add ${method} ${route} to ${path}.`], said: `Added ${method} ${route} to ${path}.` }
  }
  return null
}

/** What it is to answer, where that is spelt out as an object. */
const replyIn = ({ text }: Clause): string | undefined => /(\{[^{}]{1,200}\})/.exec(text)?.[1]

function withEndpoint(
  path: string,
  text: string,
  method: string,
  route: string,
  reply: string | undefined,
): string | null {
  const language = languageOf(path)
  if (language === 'py') {
    const app = /^(\w+)\s*=\s*(?:Flask|FastAPI)\(/m.exec(text)?.[1]
    if (app === undefined) return null
    const name = `${method}_${route.replaceAll(/\W+/g, '_').replaceAll(/^_|_$/g, '') || 'index'}`
    return before(
      text,
      /^if __name__/m,
      `@${app}.${method}("${route}")\ndef ${name}():\n    return ${reply ?? '{"ok": True}'}`,
      2,
    )
  }
  if (language !== 'js' && language !== 'ts') return null
  const app = /\b(?:const|let|var)\s+(\w+)\s*=\s*(?:express(?:\.Router)?\(|(?:express\.)?Router\()/.exec(
    text,
  )?.[1]
  if (app === undefined) return null
  const code = `${app}.${method}('${route}', (req, res) => {\n  res.json(${reply ?? '{ ok: true }'});\n});`
  return before(
    text,
    /^(?:\w+\.listen\(|(?:const|let)\s+port\b|export\b|module\.exports\b)/im,
    inStyleOf(text, code, language),
    1,
  )
}

/** In front of what ends the program, or at the end. */
function before(text: string, ending: RegExp, code: string, blankLines: number): string {
  const gap = '\n'.repeat(blankLines + 1)
  const at = text.search(ending)
  if (at < 0) return `${text.trimEnd()}${gap}${code}\n`
  return `${text.slice(0, at).trimEnd()}${gap}${code}${gap}${text.slice(at)}`
}
