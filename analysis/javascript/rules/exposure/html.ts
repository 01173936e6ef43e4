// Rules about HTML built from input, on the server and in the browser.

import type { AbstractValue } from '../../../abstract-value.ts'
import type { AssignEvent, CallEvent, ElementEvent, Hit, Rule } from '../../../rule.ts'
import { CONTEXT, RESPONSE } from '../../model/requests.ts'
import { constantPrefix, constantText, flowHit, textBefore } from '../taint-flow.ts'

export const htmlRules: readonly Rule[] = [
  {
    id: 'JS-XSS-01',
    title: 'An HTML page is built from input',
    cwe: 79,
    severity: 'error',
    confidence: 'medium',
    languages: ['javascript'],
    message:
      'With `<script>` in the value, a link to this page runs code in the browser of the visitor, with their session.',
    fix: 'Use a template that escapes, escape the value, or respond with JSON.',
    on: {
      call(event) {
        const page = pageOf(event)
        const hit = page && flowHit(event.expr.at, page, { sinks: ['html'] })
        return hit && isPage(event, page) ? hit : undefined
      },
      assign({ object, name, value, expr }) {
        if (object?.type !== CONTEXT || name !== 'body' || !/^\s*</.test(constantPrefix(value)))
          return undefined
        return flowHit(expr.at, value, { sinks: ['html'] })
      },
    },
  },
  {
    id: 'JS-XSS-02',
    title: 'Input is inserted into the page as HTML',
    cwe: 79,
    severity: 'warn',
    confidence: 'medium',
    languages: ['javascript'],
    message:
      'The browser parses the text as HTML. `<img onerror=…>` in the URL is enough to run code in the page.',
    fix: 'Use `textContent`, or sanitize the HTML with DOMPurify first.',
    on: {
      assign: (event) =>
        HTML_PROPERTIES.has(event.name) && !event.isEntry ? domHit(event, event.value) : undefined,
      call: (event) => domHit(event, writtenHtml(event)),
      element: elementHit,
    },
  },
]

function pageOf(event: CallEvent): AbstractValue | undefined {
  const { receiver, method } = event
  if (receiver?.type === CONTEXT && method === 'html') return event.arg(0)?.value
  if (receiver?.type !== RESPONSE || !(method === 'send' || method === 'write' || method === 'end'))
    return undefined
  return event.arg(0)?.value
}

/** `end` and `write` do not set a content type. `send` sends HTML for a string and JSON for an object. */
function isPage(event: CallEvent, value: AbstractValue): boolean {
  const before = textBefore(event, event.expr.at)
  const chain = event.expr.callee.kind === 'member' ? event.source(event.expr.callee.object.at) : ''
  if (NOT_HTML.test(chain) || NOT_HTML.test(before.slice(-1500))) return false
  const hasTags = /<[a-z!/]/i.test(constantText(value))
  if (event.method === 'send') return value.pieces !== undefined || value.type === 'string' || hasTags
  return hasTags || /text\/html/.test(before)
}

const NOT_HTML =
  /(?:application\/(?:json|xml|javascript|octet-stream|pdf|vnd)|text\/(?:plain|css|csv|event-stream|javascript|xml)|image\/)|\.type\(\s*['"](?:json|txt|text|js|css|xml|text\/plain)['"]|(?:set|header|setHeader)\(\s*['"]content-type['"]\s*,\s*[^'"`\s]/i

const HTML_PROPERTIES: ReadonlySet<string> = new Set(['innerHTML', 'outerHTML', 'srcdoc'])

function writtenHtml(event: CallEvent): AbstractValue | undefined {
  const { method, name } = event
  if (method === 'insertAdjacentHTML') return event.arg(1)?.value
  if (name === 'document.write' || name === 'document.writeln') return event.arg(0)?.value
  const isQuery = /^(?:\$|jQuery|jquery)\(\)(?:\.|$)/.test(name)
  return isQuery && JQUERY.has(method) ? event.arg(0)?.value : undefined
}

const JQUERY: ReadonlySet<string> = new Set(['html', 'append', 'prepend', 'before', 'after', 'replaceWith'])

function domHit(event: CallEvent | AssignEvent, value: AbstractValue | undefined): Hit | undefined {
  return flowHit(event.expr.at, value, { sinks: ['html'] })
}

function elementHit({ expr, entries }: ElementEvent): Hit | undefined {
  const html = entries.get('dangerouslySetInnerHTML')?.fields?.get('__html')
  return flowHit(expr.at, html, { sinks: ['html'] })
}
