// Rules about MongoDB filters built from input.

import type { AbstractValue } from '../../../abstract-value.ts'
import { type CallEvent, type Rule, worstTaint } from '../../../rule.ts'
import { memoizeByText } from '../../../rule-helpers/memoize-by-text.ts'
import { flowHit } from '../taint-flow.ts'

export const nosqlRules: readonly Rule[] = [
  {
    id: 'JS-NOSQL-01',
    title: 'Input decides the operators of a MongoDB filter',
    cwe: 943,
    severity: 'error',
    confidence: 'medium',
    languages: ['javascript'],
    message:
      'A request can send an object instead of a string: `{ "$ne": null }` as a password matches every user.',
    fix: 'Convert it to a string (`String(value)`), or reject other types with a schema, before using it in the filter.',
    on: {
      call(event) {
        if (!isFilterCall(event)) return undefined
        const filter = event.arg(0)?.value
        if (!filter) return undefined
        const asked = [filter, ...operands(filter)].find((value) => isObjectLike(value))
        return asked ? flowHit(event.expr.at, asked, { sinks: ['key', 'sql'] }) : undefined
      },
    },
  },
]

const FILTER_METHODS: ReadonlySet<string> = new Set(
  'find findOne findOneAndUpdate findOneAndDelete findOneAndReplace findOneAndRemove updateOne updateMany deleteOne deleteMany countDocuments count remove exists replaceOne where'.split(
    ' ',
  ),
)

/** Arrays also have `find`, but it takes a function. */
function isFilterCall(event: CallEvent): boolean {
  if (!FILTER_METHODS.has(event.method) || event.receiver === null) return false
  const first = event.arg(0)
  if (!first || first.value.callable || event.receiver.type === 'list' || event.receiver.taints.length > 0)
    return false
  if (first.value.fields?.has('where') || event.imports(SQL_LIBRARIES)) return false
  const isMongo = event.imports(/mongo/i) || /(?:^|\.)(?:model|collection)\(\)/.test(event.name)
  if (isMongo) return true
  if (event.method === 'where' || SQL_MODELS.test(event.name) || hasSqlModels(event.text)) return false
  return event.imports(/(?:^|\/)(?:models?|schemas?)(?:\/|$)/i) && usesMongo(event.text)
}

const SQL_LIBRARIES =
  /^(?:sequelize|sequelize-typescript|typeorm|knex|objection|bookshelf|@prisma\/client|mikro-orm|@mikro-orm\/.*|waterline)$/

/** Calls and options that only models of SQL databases have. */
const SQL_MODELS =
  /\b(?:findByPk|findAll|findAndCountAll|findOrCreate|bulkCreate|findOneBy|findOneOrFail|getRepository|createQueryBuilder|sequelize|InjectRepository)\b|\bwhere\s*:|\bOp\.\w+/

/** Calls, options and operators that only MongoDB has. */
const MONGO_USE =
  /\b(?:findById\w*|findOneAnd\w+|updateOne|updateMany|deleteOne|deleteMany|countDocuments|lean|populate|insertMany|ObjectId|aggregate)\b|\$(?:set|in|or|and|push|inc|ne|gt|lt)\b|\.exec\(\s*\)|\._id\b|\.save\(\s*\)/

const hasSqlModels = memoizeByText((text) => SQL_MODELS.test(text))
const usesMongo = memoizeByText((text) => MONGO_USE.test(text))

const operands = (filter: AbstractValue, depth = 2): AbstractValue[] =>
  depth === 0
    ? []
    : [...(filter.fields?.values() ?? [])].flatMap((field) => [field, ...operands(field, depth - 1)])

/** Not known to be a string, so the request may send an object with operators. */
const isObjectLike = (value: AbstractValue): boolean =>
  value.type !== 'string' &&
  value.type !== 'parsed' &&
  value.type !== 'regex' &&
  !value.pieces &&
  value.taints.some(({ unknownCalls }) => unknownCalls === 0) &&
  worstTaint(value, []) !== undefined
