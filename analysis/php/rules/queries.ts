import { isType } from '../../engine/name-patterns.ts'
import { type CallEvent, type Hit, type Rule, worstTaint } from '../../rule.ts'
import { findTaintedInterpolation, flowHit, isDirectRequest } from '../../rule-helpers/interpolations.ts'
import { words } from '../model/values.ts'

/** Rules about LDAP, XPath, MongoDB and XML. */
export const ldapInjection: Rule = {
  id: 'PH-LDAP-01',
  title: 'An LDAP filter is built from input',
  cwe: 90,
  severity: 'error',
  confidence: 'medium',
  languages: ['php'],
  message:
    'Input becomes part of an LDAP filter. With `*)(uid=*` it matches other users, and a sign-in accepts anyone.',
  fix: 'Escape it with `ldap_escape($value, "", LDAP_ESCAPE_FILTER)`.',
  on: {
    call: (event) => {
      if (event.receiver || !/^ldap_(search|list|read)$/.test(event.name)) return undefined
      for (const { value } of event.args.slice(1, 3)) {
        const found = findTaintedInterpolation(value, ['ldap'], isDirectRequest)
        if (found) return flowHit(event.expr.at, found.taint, 'an LDAP filter')
      }
      return undefined
    },
  },
}

/** XPath expressions from input. */
export const xpathInjection: Rule = {
  id: 'PH-XPATH-01',
  title: 'An XPath expression is built from input',
  cwe: 643,
  severity: 'error',
  confidence: 'medium',
  languages: ['php'],
  message:
    'Input becomes part of an XPath expression. With a quote in it, it selects other parts of the document.',
  fix: 'Reject quotes in the value, or compare it in the program instead of in the expression.',
  on: { call: findXpath },
}

function findXpath(event: CallEvent): Hit | undefined {
  const isOfDocument =
    /^(query|evaluate)$/.test(event.method) &&
    (isType(event.receiver?.type, 'DOMXPath') || /xpath/i.test(receiverSource(event)))
  if (!event.receiver || !(event.method === 'xpath' || isOfDocument)) return undefined
  const value = event.arg(0)?.value
  const found =
    value &&
    findTaintedInterpolation(value, ['xpath'], (taint, { before }) => isDirectRequest(taint) && before !== '')
  return found && flowHit(event.expr.at, found.taint, 'an XPath expression')
}

const receiverSource = ({ expr, source }: CallEvent): string =>
  expr.callee.kind === 'member' ? source(expr.callee.object.at) : ''

/** MongoDB operators from input. */
export const nosqlInjection: Rule = {
  id: 'PH-NOSQL-01',
  title: 'Input decides the operators of a MongoDB filter',
  cwe: 943,
  severity: 'error',
  confidence: 'medium',
  languages: ['php'],
  message:
    'PHP turns `password[$ne]=` into an array, and MongoDB reads it as an operator. The comparison is always true, and anyone can sign in.',
  fix: 'Convert it to a string first: `(string) $_POST["password"]`.',
  on: { call: findOperators },
}

const FINDING = new Set(
  words(
    'find findOne findOneAndUpdate updateOne updateMany deleteOne deleteMany countDocuments count distinct',
  ),
)

function findOperators(event: CallEvent): Hit | undefined {
  if (!event.receiver || !FINDING.has(event.method)) return undefined
  const filter = event.arg(0)?.value
  if (!filter?.fields) return undefined
  for (const field of filter.fields.values()) {
    if (field.type === 'string' || field.pieces) continue
    const taint = worstTaint(field, [])
    const isArray = taint && isDirectRequest(taint) && /^\$_(GET|POST|REQUEST)/.test(taint.label)
    if (isArray && isStore(event)) return flowHit(event.expr.at, taint, 'a query without conversion')
  }
  return undefined
}

const isStore = ({ imports, text }: CallEvent): boolean =>
  imports(/^MongoDB/) || /MongoDB|MongoClient/.test(text)

/** XML external entities. */
export const externalEntities: Rule = {
  id: 'PH-XXE-01',
  title: 'An XML parser resolves external entities',
  cwe: 611,
  severity: 'error',
  confidence: 'medium',
  languages: ['php'],
  message:
    'With `LIBXML_NOENT` a document can name files and URLs, whose content becomes part of it. Keys and settings are then returned to the sender.',
  fix: 'Remove the flag. PHP 8 does not load external entities by default.',
  on: { call: findEntities },
}

const READING =
  /^(simplexml_load_string|simplexml_load_file|loadXML|load|DOMDocument|SimpleXMLElement|XML|open)$/

function findEntities(event: CallEvent): Hit | undefined {
  if (event.name === 'libxml_disable_entity_loader' && event.arg(0)?.value.known === false)
    return { at: event.expr.at }
  if (!READING.test(event.method) || event.arg(0)?.value.known !== undefined) return undefined
  const flagged = event.args
    .slice(1)
    .some(({ expr }) => /\bLIBXML_(NOENT|DTDLOAD)\b/.test(event.source(expr.at)))
  return flagged ? { at: event.expr.at } : undefined
}
