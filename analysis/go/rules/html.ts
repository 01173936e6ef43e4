import type { AbstractValue } from '../../abstract-value.ts'
import { isCall, isType } from '../../engine/name-patterns.ts'
import { allTaints, concat } from '../../engine/values/values.ts'
import { type CallEvent, type Hit, type Rule, worstTaint } from '../../rule.ts'
import { matchesInFunction } from '../../rule-helpers/function-text.ts'
import {
  findTaintedInterpolation,
  flowHit,
  isDirectRequest,
  outlineOf,
} from '../../rule-helpers/interpolations.ts'
import { formattedFrom } from '../model/strings.ts'

/** Rules about HTML and templates built from input. */
export const crossSiteScripting: Rule = {
  id: 'GO-XSS-01',
  title: 'An HTML page is built from input without escaping',
  cwe: 79,
  severity: 'error',
  confidence: 'medium',
  languages: ['go'],
  message:
    'A value from the request is written into a page unchanged. A crafted link runs a script in the browser of everyone who opens it, with their session.',
  fix: 'Render pages with html/template and keep its escaping on. Elsewhere use `html.EscapeString`, or respond with a content type other than HTML.',
  on: { call: findPage },
}

const TRUSTED = ['HTML', 'JS', 'HTMLAttr', 'CSS', 'JSStr', 'URL', 'Srcset'].map(
  (name) => `html/template.${name}`,
)

function findPage(event: CallEvent): Hit | undefined {
  if (isCall(event, ...TRUSTED)) return hitOf(event, event.arg(0)?.value, 'a page, marked as safe HTML')
  if (isCall(event, 'template.Template#Execute', 'template.Template#ExecuteTemplate'))
    return inPlainTemplate(event)
  if (isCall(event, 'echo.Context#HTML', 'v4.Context#HTML'))
    return hitOf(event, event.arg(1)?.value, 'a page')
  const page = writtenPage(event)
  return page && isPage(event, page) ? hitOf(event, page, 'a page') : undefined
}

function hitOf(event: CallEvent, value: AbstractValue | undefined, into: string): Hit | undefined {
  const found = value && findTaintedInterpolation(value, ['html'], isDirectRequest)
  return found && flowHit(event.expr.at, found.taint, into)
}

/** text/template does not escape HTML. */
function inPlainTemplate(event: CallEvent): Hit | undefined {
  const [writer, ...rest] = event.args
  const data = rest.at(-1)?.value
  if (!isType(event.receiver?.type, 'text/template.Template') || !isWriter(writer?.value) || !data)
    return undefined
  const taint = worstTaint({ taints: allTaints(data) }, ['html'])
  return taint && isDirectRequest(taint) && !isOtherType(event)
    ? flowHit(event.expr.at, taint, 'a page, through a template without escaping')
    : undefined
}

const isWriter = (value: AbstractValue | undefined): boolean => isType(value?.type, 'http.ResponseWriter')

/** The value written to the response. */
function writtenPage(event: CallEvent): AbstractValue | undefined {
  if (!/^(?:Write|Fprintf|Fprint|Fprintln|WriteString)$/.test(event.method)) return undefined
  const [first, second] = event.args
  if (isCall(event, 'http.ResponseWriter#Write')) return first?.value
  if (!isWriter(first?.value)) return undefined
  if (isCall(event, 'fmt.Fprintf')) return formattedFrom(event, 1)
  if (isCall(event, 'fmt.Fprint', 'fmt.Fprintln'))
    return concat(event.args.slice(1).map(({ value }) => value))
  return isCall(event, 'io.WriteString') ? second?.value : undefined
}

/** Without a content type, the browser derives it from the content. With one, it applies. */
function isPage(event: CallEvent, page: AbstractValue): boolean {
  const outline = outlineOf(page)
  if (isOtherType(event) || /^\s*<\?xml/.test(outline)) return false
  return (
    /^[\s\0]*[<\0]/.test(outline) ||
    matchesInFunction(event, /text\/html|WriteString\([^)]*<\w|Fprint\w*\([^)]*"</)
  )
}

const OTHER_TYPE =
  /Content-Type["']?\s*,\s*["'`](?!text\/html)|application\/json|text\/plain|nosniff|octet-stream/i

const isOtherType = (event: CallEvent): boolean => matchesInFunction(event, OTHER_TYPE)

/** Templates from input. */
export const templateInjection: Rule = {
  id: 'GO-SSTI-01',
  title: 'A template comes from input',
  cwe: 1336,
  severity: 'error',
  confidence: 'high',
  languages: ['go'],
  message:
    'The template text comes from a request. A template can call every method of its data and read all of its fields.',
  fix: 'Keep templates in the program and pass input as data.',
  on: {
    call: (event) => {
      const isParsed = event.method === 'Parse' && isType(event.receiver?.type, 'template.Template')
      const found =
        isParsed && event.args[0]
          ? findTaintedInterpolation(event.args[0].value, [], isDirectRequest)
          : undefined
      return found ? flowHit(event.expr.at, found.taint, 'the text of a template') : undefined
    },
  },
}
