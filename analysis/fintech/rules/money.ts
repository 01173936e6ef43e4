// Rules about number types that cannot represent money exactly.
import type { Expr, Language } from '../../ir.ts'
import type { AssignEvent, CallEvent, ClassEvent, Hit, Rule, TextEvent } from '../../rule.ts'
import { reachesPayment } from '../amount-flow.ts'
import { functionText, isAboutPayments, isAmountName, isMoneyName, lastNameOf } from '../context.ts'

export const moneyRules: readonly Rule[] = [
  {
    id: 'FIN-MONEY-01',
    title: 'Money is stored as a floating-point number',
    cwe: 681,
    severity: 'warn',
    confidence: 'medium',
    languages: ['javascript', 'python', 'java', 'php', 'csharp', 'kotlin', 'ruby', 'dart'],
    message:
      'Tenths and hundredths have no exact binary form. Sums drift by a kobo here and there until the books do not balance.',
    fix: 'Store whole minor units in an integer (bigint), or a DECIMAL with a fixed scale.',
    on: { assign: floatColumn, call: floatColumnOfTable, class: floatField },
  },
  {
    id: 'FIN-MONEY-02',
    title: 'An amount of money is parsed as a floating-point number',
    cwe: 681,
    severity: 'warn',
    confidence: 'medium',
    languages: ['javascript', 'python', 'php', 'ruby', 'dart'],
    message:
      'An amount parsed as a float and sent to a payment provider or stored may differ from what was written: 0.1 + 0.2 is not 0.3.',
    fix: 'Accept whole minor units as integers in the API, or parse the decimal text into them exactly.',
    on: { call: floatAmount },
  },
  {
    id: 'FIN-MONEY-03',
    title: 'Naira are converted to kobo without rounding',
    cwe: 682,
    severity: 'warn',
    confidence: 'medium',
    languages: ['javascript', 'python'],
    message:
      '19.99 * 100 is 1998.9999999999998. The provider rejects it, or charges a kobo less than the order total.',
    fix: 'Keep amounts in minor units from the start. Where you must convert, use Math.round(amount * 100).',
    on: { assign: unroundedMinor },
  },
]

function floatColumn(event: AssignEvent): Hit | undefined {
  if (!isAmountName(event.name)) return undefined
  const { value, expr, isEntry, isField, source } = event
  if (event.language === 'javascript' && isEntry) {
    const written = source(expr.at)
    const isFloat =
      /^(?:DataTypes|Sequelize|DataType)\.(?:FLOAT|DOUBLE|REAL)\b|\btype\s*:\s*(?:DataTypes|Sequelize|DataType)\.(?:FLOAT|DOUBLE|REAL)\b/.test(
        written,
      )
    return isFloat ? { at: expr.at } : undefined
  }
  if (event.language === 'python' && (isField || event.classes.length > 0)) {
    const made = value.name ?? ''
    const isFloat =
      /(?:^|\.)(?:FloatField)\(\)$/.test(made) ||
      /^(?:\w+\.)?Column\(\s*(?:\w+\.)?Float\b/.test(source(expr.at))
    return isFloat ? { at: expr.at } : undefined
  }
  return undefined
}

/** Laravel: `$table->float('amount')`. */
function floatColumnOfTable(event: CallEvent): Hit | undefined {
  const { language, method } = event
  if (language === 'ruby') return floatColumnOfMigration(event)
  if (language !== 'php' || !/^(?:float|double)$/.test(method)) return undefined
  const { args, expr, source } = event
  if (expr.callee.kind !== 'member') return undefined
  const name = args[0]?.value.known
  return typeof name === 'string' && isAmountName(name) && /table/i.test(source(expr.callee.object.at))
    ? { at: expr.at }
    : undefined
}

const HAS_FIELD_TYPES: ReadonlySet<Language> = new Set(['java', 'csharp', 'kotlin'])

/** Rails: `t.float :amount` and `add_column :wallets, :balance, :float`. */
function floatColumnOfMigration(event: CallEvent): Hit | undefined {
  const { method } = event
  if (!/^(?:float|add_column|change_column|column)$/.test(method)) return undefined
  const { args, expr, source } = event
  const texts = args.map(({ value }) => (typeof value.known === 'string' ? value.known : ''))
  const owner = expr.callee.kind === 'member' ? source(expr.callee.object.at) : ''
  const isOfTable = method === 'float' && /^t(?:able)?$/.test(owner) && texts.some(isAmountName)
  const isAdded =
    /^(?:add_column|change_column|column)$/.test(method) &&
    texts.includes('float') &&
    texts.some(isAmountName)
  return isOfTable || isAdded ? { at: expr.at } : undefined
}

/** JPA `@Entity class Wallet { double balance; }`, and TypeORM columns. */
function floatField({ definition, language, source }: ClassEvent): readonly Hit[] {
  const isEntity = definition.annotations.some(({ name }) =>
    /(?:^|\.)(?:Entity|Table|Document|HiveType|Collection|collection)$/.test(name),
  )
  const isOfMoney =
    HAS_FIELD_TYPES.has(language) &&
    /Wallet|Account|Payment|Transaction|Invoice|Ledger/.test(definition.name) &&
    !/(?:Request|Response|Dto|DTO|View|Event|Payload|Result|Body|Message|Summary|Report|Data|Form|Command|Info|Record|Item|Status)$/.test(
      definition.name,
    )
  if (!isEntity && !isOfMoney) return []
  return definition.fields
    .filter(({ name, type, annotations, at }) => {
      if (!isAmountName(name)) return false
      if (language === 'dart') return /^(?:double|num)$/.test(type ?? '')
      if (HAS_FIELD_TYPES.has(language))
        return /^(?:java\.lang\.)?(?:double|float|Double|Float)$/.test(type ?? '')
      return (
        annotations.some((mark) => mark.name === 'Column') &&
        /Column\(\s*(?:['"](?:float|double|real)|\{[^}]*type\s*:\s*['"](?:float|double|real))/.test(
          source(at),
        )
      )
    })
    .map(({ at }) => ({ at }))
}

function floatAmount(event: CallEvent): Hit | undefined {
  const { name, method, language } = event
  const isParse =
    language === 'javascript'
      ? /^(?:Number\.)?parseFloat$/.test(name || method)
      : language === 'php'
        ? method === 'floatval'
        : language === 'ruby' || language === 'dart'
          ? /^(?:.*\.)?(?:to_f|(?:double|num)\.(?:try)?[pP]arse)$/.test(
              name === '' || method === 'to_f' ? method : name,
            )
          : name === 'float' || (name === '' && method === 'float')
  if (!isParse) return undefined
  const { expr } = event
  const given = givenTo(event)
  if (!given || !isMoneyName(nameIn(given))) return undefined
  const [definition] = event.functions
  if (!definition) return changesBalance(event) ? { at: expr.at } : undefined
  const isFee = /fee|tax|vat|commission|discount/i.test(definition.name)
  if (!isFee) return reachesPayment(definition, expr.at) ? { at: expr.at } : undefined
  return /chart|format|display|render|toFixed|toLocaleString|report|round/i.test(functionText(event))
    ? undefined
    : { at: expr.at }
}

/** Ruby converts the receiver: `params[:amount].to_f`. */
const givenTo = ({ method, expr, args }: CallEvent): Expr | undefined =>
  method === 'to_f' && expr.callee.kind === 'member' ? expr.callee.object : args[0]?.expr

/** At top level: `$wallet->balance -= floatval($amount)`. */
function changesBalance({ text, expr }: CallEvent): boolean {
  const line = text.slice(text.lastIndexOf('\n', expr.at.start) + 1, expr.at.start)
  return /balance\w*['"\]]{0,2}\s*[-+]?=[^=]/i.test(line)
}

const nameIn = (expr: CallEvent['args'][number]['expr']): string =>
  expr.kind === 'call'
    ? expr.args[0]
      ? lastNameOf(expr.args[0].value) ||
        String(expr.args[0].value.kind === 'literal' ? expr.args[0].value.value : '')
      : ''
    : lastNameOf(expr)

function unroundedMinor(event: AssignEvent): Hit | undefined {
  const { name, expr } = event
  if (!/^(?:amount|kobo|amount_?(?:in_?)?(?:kobo|minor|cents)|minor)$/i.test(name)) return undefined
  const value = expr.kind === 'assign' ? expr.value : expr
  if (value.kind !== 'binary' || value.operator !== '*') return undefined
  const [money, hundred] =
    value.right.kind === 'literal' ? [value.left, value.right] : [value.right, value.left]
  if (hundred.kind !== 'literal' || hundred.value !== 100 || money.kind === 'literal') return undefined
  if (money.kind !== 'name' && money.kind !== 'member' && money.kind !== 'call' && money.kind !== 'same')
    return undefined
  const written = event.source(money.at)
  if (/^(?:Math\.|round\(|parseInt|Number\.parseInt|int\(|Decimal)|percent|rate|ratio/i.test(written))
    return undefined
  if (!isAboutPayments(event) || isWholeNumber(event, money)) return undefined
  const [definition] = event.functions
  return !definition || reachesPayment(definition, value.at) ? { at: expr.at } : undefined
}

/** A whole number has no fraction to lose: `const total = Number.parseInt(text, 10)`. */
function isWholeNumber(event: AssignEvent, money: Expr): boolean {
  const name = lastNameOf(money)
  if (!/^\w+$/.test(name)) return false
  const whole = String.raw`(?:parseInt|Math\.(?:round|floor|ceil|trunc)|isInteger|isSafeInteger|\bint|\bround)\(`
  const checked = new RegExp(
    String.raw`\b${name}\b\s*(?::[^=\n]*)?=\s*[^;\n]{0,60}${whole}|${whole}[^)\n]{0,40}\b${name}\b`,
  )
  return checked.test(functionText(event))
}

export const moneyTextRules: readonly Rule[] = [
  {
    id: 'FIN-MONEY-06',
    title: 'A money column has a floating-point type',
    cwe: 681,
    severity: 'warn',
    confidence: 'high',
    languages: 'any text',
    message:
      'FLOAT and DOUBLE cannot store tenths exactly. Sums drift by a kobo here and there until the books do not balance.',
    fix: 'Use BIGINT with whole minor units, or NUMERIC with a fixed scale.',
    on: { text: floatColumnOfSql },
  },
]

function floatColumnOfSql({ path, text }: TextEvent): Hit[] {
  if (!/\.sql$/i.test(path)) return []
  return [
    ...text.matchAll(
      /(?:^|[(,])[ \t]*(?:add column )?["`[]?(?<name>\w+)["`\]]?[ \t]+(?:float|double precision|double|real|float8|float4)\b/gim,
    ),
  ]
    .filter(({ groups }) => isAmountName(groups?.name ?? ''))
    .map((match) => {
      const line = text.slice(0, match.index).split('\n').length
      return { at: { start: match.index, end: match.index + match[0].length, line, endLine: line } }
    })
}
