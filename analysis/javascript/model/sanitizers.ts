// Functions and schemas that sanitize a value.

import { type AbstractValue, UNTAINTED } from '../../abstract-value.ts'
import { returnsUntainted, sanitizes } from '../../engine/model-helpers.ts'
import { allTaints, sanitize } from '../../engine/values/values.ts'
import type { CallModel } from '../../language-model.ts'
import type { CallEvent } from '../../rule.ts'

export const sanitizerCalls: readonly CallModel[] = [
  {
    name: [
      'escape-html',
      'html-escaper.escape',
      'he.encode',
      'he.escape',
      'lodash.escape',
      '_.escape',
      'entities.encode',
      'entities.escape',
      'html-entities.encode',
      'validator.escape',
      '*.escapeHtml',
      '*.escapeHTML',
      '*.htmlEscape',
      '*.encodeHTML',
      'DOMPurify.sanitize',
      'dompurify.sanitize',
      '*.sanitize',
      'sanitize-html',
      'xss',
      'xss.filterXSS',
      '*.escapeExpression',
      'Handlebars.escapeExpression',
      'striptags',
      'isomorphic-dompurify.sanitize',
      '*.sanitizeHtml',
      '*.highlight',
    ],
    returns: sanitizes('html'),
  },
  {
    name: [
      'shell-quote.quote',
      'shell-escape',
      'shellescape',
      'shell-quote',
      'puka.sh',
      'shescape.quote',
      'shescape.escape',
      'shescape.quoteAll',
      '*.shellEscape',
      '*.escapeShell',
      '*.escapeShellArg',
      '*.quoteArg',
      'any-shell-escape',
      'shq',
      '*.shellQuote',
    ],
    returns: sanitizes('shell'),
  },
  {
    name: [
      'mysql.escape',
      'mysql.escapeId',
      'mysql2.escape',
      'mysql2.escapeId',
      'sqlstring.escape',
      'sqlstring.escapeId',
      'sqlstring.format',
      'pg-format',
      'pg-escape',
      '*.escapeId',
      '*.escapeIdentifier',
      '*.escapeLiteral',
      '*.escape',
      'mysql.format',
      '*.quoteIdentifier',
      '*.quote',
    ],
    returns: sanitizes('sql'),
  },
  {
    name: ['ldap-escape.filter', 'ldap-escape.dn', 'ldapjs.escape*', '*.escapeLDAP*'],
    returns: sanitizes('ldap'),
  },
  {
    name: [
      'lodash.escapeRegExp',
      '_.escapeRegExp',
      'escape-string-regexp',
      '*.escapeRegExp',
      '*.escapeRegex',
      '*.escapeStringRegexp',
      'regexp.escape',
      'RegExp.escape',
    ],
    returns: sanitizes('regex'),
  },
  {
    name: ['mongo-sanitize', 'express-mongo-sanitize.sanitize', '*.mongoSanitize'],
    returns: returnsUntainted(),
  },
  {
    name: [
      'slugify',
      '*.slugify',
      '*.toInt',
      'validator.toInt',
      'validator.toFloat',
      'validator.toBoolean',
      'mongoose.Types.ObjectId',
      'mongodb.ObjectId',
      'bson.ObjectId',
      '*.ObjectId',
      'Types.ObjectId',
    ],
    returns: returnsUntainted(),
  },
  {
    name: ['*.parse', '*.parseAsync', '*.safeParse', '*.validateSync', '*.attempt', '*.validate', '*.assert'],
    returns: parseWithSchema,
  },
  { name: ['lodash.pick', '_.pick', 'pick'], returns: pickKeys },
  {
    name: ['marked', 'marked.parse', 'marked.marked', 'showdown.Converter().makeHtml', 'snarkdown'],
    returns: renderedMarkdown,
  },
]

/** The first piece of rendered markdown. */
export const MARKDOWN_TAG = '<p>'

/** Markdown can contain HTML and links that run script. Renderers leave the cleaning to their callers. */
function renderedMarkdown(event: CallEvent): AbstractValue | undefined {
  const text = event.arg(0)?.value
  const isClean = event.option('sanitize')?.known === true || event.option('sanitizer') !== undefined
  if (!text || isClean || /\bsanitize\s?:\s?true/.test(event.text)) return undefined
  const html: AbstractValue = { taints: allTaints(text), type: 'string' }
  return { ...html, pieces: [MARKDOWN_TAG, html] }
}

/** A schema returns a value of the described shape. Strings in it are still tainted. */
function parseWithSchema(event: CallEvent): AbstractValue | undefined {
  const { receiver, name } = event
  if (
    /^(?:JSON|path|url|URL|querystring|qs|Date|marked|yaml|jsyaml|js-yaml|csv|toml|ini|semver|acorn|esprima|cookie)\b/.test(
      name,
    )
  )
    return undefined
  const isSchema = /(?:zod|joi|yup|valibot|superstruct|ajv|typebox|Schema)/i.test(
    `${name} ${receiver?.type ?? ''}`,
  )
  const source = event.expr.callee.kind === 'member' ? event.source(event.expr.callee.object.at) : ''
  if (!isSchema && !/(?:schema|validator|dto|shape|\bz\.|Joi\.)/i.test(source)) return undefined
  const given = event.arg(0)?.value ?? UNTAINTED
  const shaped: AbstractValue = { taints: sanitize({ taints: given.taints }, ['key']).taints, type: 'parsed' }
  const field: AbstractValue = { taints: shaped.taints, type: 'string' }
  const whole: AbstractValue = { ...shaped, others: field }
  return {
    ...whole,
    fields: new Map([
      ['data', whole],
      ['value', whole],
    ]),
  }
}

/** The result has only the picked keys. */
function pickKeys(event: CallEvent): AbstractValue {
  const given = event.arg(0)?.value ?? UNTAINTED
  const value = { ...sanitize({ taints: given.taints }, ['key']), type: 'parsed' }
  return { ...value, others: { taints: given.taints } }
}
