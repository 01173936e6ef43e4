// Rules about LDAP, XPath and MongoDB queries.

import type { AbstractValue } from '../../../abstract-value.ts'
import { isCall } from '../../../engine/name-patterns.ts'
import type { CallEvent, Rule } from '../../../rule.ts'
import { findTaint, flowHit } from '../taint-flow.ts'

export const ldap: Rule = {
  id: 'PY-LDAP-01',
  title: 'An LDAP filter is built from input',
  cwe: 90,
  severity: 'error',
  confidence: 'high',
  languages: ['python'],
  message: '`*` and parentheses in the input change the filter. A sign-in may then match any user.',
  fix: 'Escape every value with `ldap.filter.escape_filter_chars` (or the function in `ldap3.utils.conv`).',
  on: {
    call(event) {
      if (
        !/^(?:search|search_s|search_st|search_ext|search_ext_s|paged_search)$/.test(event.method) ||
        !event.imports(/^ldap/)
      )
        return undefined
      const isOld = event.method !== 'search' || event.imports(/^ldap(?:\.|$)/)
      const named = [
        event.option('search_filter'),
        event.option('search_base'),
        event.option('filterstr'),
        event.option('base'),
      ]
      const given = [event.arg(0)?.value, event.arg(isOld ? 2 : 1)?.value, ...named]
      const taint = given
        .map((value) => findTaint(value, { sinks: ['ldap'] }))
        .find((each) => each !== undefined)
      return taint && flowHit(event, taint)
    },
  },
}

export const xpath: Rule = {
  id: 'PY-XPATH-01',
  title: 'An XPath expression is built from input',
  cwe: 643,
  severity: 'error',
  confidence: 'high',
  languages: ['python'],
  message: 'A quote in the input ends the string literal. The rest selects other parts of the document.',
  fix: 'Use XPath variables: `tree.xpath("//user[@name=$name]", name=name)`.',
  on: {
    call(event) {
      const query = xpathOf(event)
      const taint = findTaint(query, { sinks: ['xpath'] })
      return taint && flowHit(event, taint)
    },
  },
}

function xpathOf(event: CallEvent): AbstractValue | undefined {
  if (isCall(event, 'lxml.etree.XPath', 'lxml.etree.ETXPath')) return event.arg(0)?.value
  if (isCall(event, 'elementpath.select', 'elementpath.iter_select')) return event.arg(1)?.value
  if (!/^(?:xpath|find|findall|findtext|iterfind)$/.test(event.method)) return undefined
  if (!event.imports(/^(?:lxml|xml|elementpath|defusedxml|parsel|scrapy)/)) return undefined
  const value = event.arg(0)?.value
  if (event.method === 'xpath') return value
  return value?.pieces?.some((piece) => typeof piece === 'string' && /[/[\]@]/.test(piece))
    ? value
    : undefined
}

export const nosql: Rule = {
  id: 'PY-NOSQL-01',
  title: 'Input becomes part of a MongoDB query',
  cwe: 943,
  severity: 'error',
  confidence: 'medium',
  languages: ['python'],
  message: 'JSON can send `{"$ne": null}` instead of a string. The filter then matches every document.',
  fix: 'Convert values to the expected type before querying: `str(body["email"])`, or use a schema. Never put text into `$where`.',
  on: {
    call(event) {
      if (!FILTERS.has(event.method) || !event.imports(/^(?:pymongo|motor|mongoengine|flask_pymongo|bson)\b/))
        return undefined
      const filter = event.arg(0)?.value ?? event.option('filter')
      return filter && taintedPartOf(event, filter)
    },
  },
}

const FILTERS = new Set([
  'find',
  'find_one',
  'find_one_and_update',
  'find_one_and_delete',
  'update_one',
  'update_many',
  'delete_one',
  'delete_many',
  'count_documents',
  'aggregate',
])

/** The whole filter, a value that JSON can turn into a map, or code. */
function taintedPartOf(event: CallEvent, filter: AbstractValue) {
  const code = filter.fields?.get('$where')
  const whole = filter.fields ? undefined : filter
  const values = [...(filter.fields ?? [])].filter(([key]) => key !== '$where').map(([, value]) => value)
  const taint =
    findTaint(code, { sinks: [] }) ??
    [whole, ...values]
      .map((value) =>
        value && canBeMap(value) ? findTaint(value, { sinks: ['key'], unknownCallsMax: 0 }) : undefined,
      )
      .find((each) => each)
  return taint && flowHit(event, taint)
}

/** Only JSON can send something other than a string. */
const canBeMap = (value: AbstractValue): boolean =>
  value.type !== 'string' &&
  !value.pieces &&
  value.taints.some(({ label }) => /json|\.data\b|body|event/i.test(label))
