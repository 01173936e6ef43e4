// Rules about number types that cannot represent money exactly.
import type { AssignEvent, CallEvent, ClassEvent, Hit, Rule, TextEvent } from '../../rule.ts'
import { functionText, isAboutPayments, isAmountName, isMoneyName, lastNameOf, PROVIDER } from '../context.ts'

export const moneyRules: readonly Rule[] = [
  {
    id: 'FIN-MONEY-01',
    title: 'Money is stored as a floating-point number',
    cwe: 681,
    severity: 'warn',
    confidence: 'medium',
    languages: ['javascript', 'python', 'java', 'php'],
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
    languages: ['javascript', 'python', 'php'],
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
  const { name, value, expr, isEntry, isField, source } = event
  if (!isAmountName(name)) return undefined
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
function floatColumnOfTable({ language, method, args, expr, source }: CallEvent): Hit | undefined {
  if (language !== 'php' || !/^(?:float|double)$/.test(method) || expr.callee.kind !== 'member')
    return undefined
  const name = args[0]?.value.known
  return typeof name === 'string' && isAmountName(name) && /table/i.test(source(expr.callee.object.at))
    ? { at: expr.at }
    : undefined
}

/** JPA `@Entity class Wallet { double balance; }`, and TypeORM columns. */
function floatField({ definition, language, source }: ClassEvent): readonly Hit[] {
  const isEntity = definition.annotations.some(({ name }) => /(?:^|\.)(?:Entity|Table|Document)$/.test(name))
  const isOfMoney =
    language === 'java' && /Wallet|Account|Payment|Transaction|Invoice|Ledger/.test(definition.name)
  if (!isEntity && !isOfMoney) return []
  return definition.fields
    .filter(({ name, type, annotations, at }) => {
      if (!isAmountName(name)) return false
      if (language === 'java') return /^(?:double|float|Double|Float)$/.test(type ?? '')
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
  const { name, method, args, expr, language } = event
  const isParse =
    language === 'javascript'
      ? /^(?:Number\.)?parseFloat$/.test(name || method)
      : language === 'php'
        ? method === 'floatval'
        : name === 'float' || (name === '' && method === 'float')
  const [given] = args
  if (!isParse || !given || !isMoneyName(nameIn(given.expr))) return undefined
  const around = functionText(event)
  const isPaid = PROVIDER.test(around) || (isAboutPayments(event) && /wallet|transfer/i.test(around))
  if (
    !isPaid &&
    !changesBalance(event) &&
    !/fee|tax|vat|commission|discount/i.test(event.functions[0]?.name ?? '')
  )
    return undefined
  return /chart|format|display|render|toFixed|toLocaleString|report|round/i.test(around)
    ? undefined
    : { at: expr.at }
}

/** `wallet.balance -= parseFloat(amount)`: the parsed value changes a balance on the same line. */
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
  return isAboutPayments(event) && PROVIDER.test(functionText(event) || event.text)
    ? { at: expr.at }
    : undefined
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
