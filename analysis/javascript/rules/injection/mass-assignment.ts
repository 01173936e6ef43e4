// Rules about mass assignment.

import type { AbstractValue } from '../../../abstract-value.ts'
import type { CallEvent, Hit, Rule } from '../../../rule.ts'
import { flowHit } from '../taint-flow.ts'

export const massAssignmentRules: readonly Rule[] = [
  {
    id: 'JS-MASS-01',
    title: 'A record accepts every field of a request',
    cwe: 915,
    severity: 'warn',
    confidence: 'medium',
    languages: ['javascript'],
    message: 'A request may contain fields that the form does not have: `role`, `isAdmin`, `balance`.',
    fix: 'List the fields that may be set, or use a schema that drops all others.',
    on: {
      call(event) {
        if (!mayWriteRecord(event) || event.imports(VALIDATORS)) return undefined
        return recordValues(event)
          .map((value) => wholeBody(event, value))
          .find((hit) => hit !== undefined)
      },
    },
  },
]

const VALIDATORS =
  /^(?:celebrate|joi|@hapi\/joi|zod|yup|express-validator|ajv|class-validator|superstruct|valibot|lodash\.pick)$/

/** By the names only, which rejects most calls. */
const mayWriteRecord = ({ method, name, isNew }: CallEvent): boolean =>
  isNew || name === 'Object.assign' || RECORD_METHODS.has(method)

/** The values written to a record: arguments of model methods, or objects copied over a record. */
function recordValues(event: CallEvent): readonly AbstractValue[] {
  const { method, name, expr, isNew } = event
  const holder = expr.callee.kind === 'member' ? event.source(expr.callee.object.at) : ''
  const args = event.args.map(({ value }) => value)
  const target = event.arg(0)?.expr
  if (name === 'Object.assign' && target?.kind === 'name' && !SETTINGS.test(target.name))
    return isNewObject(args[0]) ? [] : args.slice(1)
  if (isNew && expr.callee.kind === 'name' && /^[A-Z]/.test(expr.callee.name) && event.imports(MODELS))
    return args.slice(0, 1)
  if (
    !RECORD_METHODS.has(method) ||
    !/^(?:[A-Z]\w*|.*\b[mM]odels?\.\w+|.*(?:prisma|db)\.\w+|.*[rR]epo(?:sitory)?)$/.test(holder)
  )
    return []
  return [...args, ...args.flatMap(({ fields }) => [fields?.get('$set'), fields?.get('data')])].filter(
    (value) => value !== undefined,
  )
}

/** The values of a request in another form, or settings, rather than a record. */
const SETTINGS = /^(?:query|params|search\w*|filters?|options|opts|headers|settings|args)$/i

/** Still empty, so it is not a record. */
const isNewObject = (value: AbstractValue | undefined): boolean =>
  value?.fields?.size === 0 && value.others === undefined && value.type === undefined

const MODELS = /models?\b|schemas?\b|entit|mongoose|sequelize/i
const RECORD_METHODS: ReadonlySet<string> = new Set(
  'create insertOne insertMany update updateOne updateMany findByIdAndUpdate findOneAndUpdate bulkCreate upsert save'.split(
    ' ',
  ),
)

/** The whole body, not a single field or the result of a schema. */
function wholeBody(event: CallEvent, value: AbstractValue): Hit | undefined {
  if (value.type !== undefined || value.pieces) return undefined
  const isBody = value.taints.some(
    ({ label, unknownCalls }) => unknownCalls === 0 && /(?:^|\.)body$|^@Body\(\)$/.test(label),
  )
  return isBody ? flowHit(event.expr.at, value, { sinks: ['key'] }) : undefined
}
