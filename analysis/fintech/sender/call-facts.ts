// Evaluates calls of a handler: functions of the project are followed, library calls are known by name.

import type { Expr, ExprOf } from '../../ir.ts'
import { continuesIf, isNamedCheck, isWrite, kindOfCall } from './calls.ts'
import {
  asCondition,
  dottedName,
  type Fact,
  has,
  isSecretName,
  memberFact,
  PROVEN_IF_TRUE,
  provesIfEqual,
  TAG,
  tagsOf,
  UNKNOWN,
  withoutPresence,
  withTags,
} from './facts.ts'
import { isPending } from './pending.ts'
import { addTags, enter, readName, type Walk } from './walk.ts'

export function callOf(walk: Walk, expr: ExprOf<'call'>): Fact {
  const name = dottedName(expr.callee)
  const { callee } = expr
  const receiver =
    callee.kind === 'member'
      ? withoutPresence(
          callee.object.kind === 'name' && /^(?:this|self)$/.test(callee.object.name)
            ? UNKNOWN
            : walk.evaluate(walk, callee.object),
        )
      : null
  if (callee.kind === 'index' || callee.kind === 'call') walk.evaluate(walk, callee)
  const args = expr.args.map(({ value }) => walk.evaluate(walk, value))
  const definition =
    walk.resolve(expr, name, walk) ?? (callee.kind === 'name' ? readName(walk, name).definition : undefined)
  if (walk.nextNames.size > 0) noteNext(walk, name)
  // Errors of Go calls prove what the call proves.
  const result = definition ? knownCall(walk, expr, name, definition, args) : undefined
  const fact = result ?? libraryCall(walk, expr, name, args, receiver)
  walk.lastError = result ?? { tags: 0, whenTrue: false, whenFalse: fact.whenTrue }
  const condition = continuesIf(name)
  if (condition !== null && args[0]) walk.isProven ||= condition ? args[0].whenTrue : args[0].whenFalse
  runCallbacks(walk, args, receiver)
  return fact
}

function noteNext(walk: Walk, name: string): void {
  if (!walk.nextNames.has(name) && !walk.nextNames.has(name.split('.')[0] ?? '')) return
  walk.isNextCalled = true
  if (!walk.isProven) walk.isNextUnproven = true
}

function knownCall(
  walk: Walk,
  expr: ExprOf<'call'>,
  name: string,
  definition: NonNullable<Fact['definition']>,
  args: readonly Fact[],
): Fact | undefined {
  const before = walk.write
  const result = enter(walk, definition, args)
  if (!result) return undefined
  if (!before && walk.write) walk.write = expr.at
  const isQuery = has(result, TAG.answer)
  const isMac = has(result, TAG.mac)
  const tags = isQuery || isMac ? result.tags & (TAG.answer | TAG.mac) : result.tags & ~TAG.root
  // A helper that could not be followed to its end keeps the meaning of its name.
  if (!isQuery && !isMac && !result.whenTrue && !result.whenFalse && isNamedCheck(name) && walk.stepsLeft < 0)
    return PROVEN_IF_TRUE
  return asCondition({ ...result, tags })
}

function libraryCall(
  walk: Walk,
  expr: ExprOf<'call'>,
  name: string,
  args: readonly Fact[],
  receiver: Fact | null,
): Fact {
  const all = receiver ? [receiver, ...args] : args
  const tags = tagsOf(all)
  const kind = kindOfCall(name, args)
  const isDirect = receiver !== null && has(receiver, TAG.mac)
  switch (kind) {
    case 'provider check':
      if (walk.language !== 'go') walk.isProven = true
      return { ...PROVEN_IF_TRUE, tags: TAG.answer }
    case 'mac':
      return withTags(TAG.mac)
    case 'digest':
      return withTags(isKeyed(args) ? TAG.mac : TAG.digest)
    case 'equality':
    case 'distance':
      return equality(all, args, receiver, kind === 'distance')
    case 'membership':
      return membership(all, tags)
    case 'query':
      addTags(walk, expr.args[0]?.value ?? expr, /curl_setopt/.test(name) ? TAG.answer : 0)
      return { tags: TAG.answer, whenTrue: true, whenFalse: true }
    case 'named check':
      return PROVEN_IF_TRUE
    default:
  }
  if (isWrite(name, args, receiver, chainTexts(expr.callee))) noteWrite(walk, expr, args, tags)
  if (isDirect) return withTags(TAG.mac)
  if (receiver && has(receiver, TAG.digest)) return digestUpdate(walk, expr, args, receiver)
  return valueCall(walk, expr, name, args, receiver, tags)
}

const isKeyed = (args: readonly Fact[]): boolean => {
  const values = args.filter(({ text, isTruthy }) => text === undefined || !isTruthy || text.includes('\0'))
  return values.some((fact) => has(fact, TAG.secret | TAG.config) || fact.tags === 0)
}

function digestUpdate(walk: Walk, expr: ExprOf<'call'>, args: readonly Fact[], receiver: Fact): Fact {
  const tags = isKeyed(args) && args.length > 0 ? TAG.mac : 0
  if (tags && expr.callee.kind === 'member') addTags(walk, expr.callee.object, tags)
  return withTags(tags || receiver.tags)
}

function equality(
  all: readonly Fact[],
  args: readonly Fact[],
  receiver: Fact | null,
  isDistance: boolean,
): Fact {
  const [left = UNKNOWN, right = UNKNOWN] = receiver && args.length === 1 ? all : args
  const isProof = provesIfEqual(withoutVerdict(left), withoutVerdict(right))
  return isDistance
    ? { tags: 0, whenTrue: false, whenFalse: isProof }
    : { tags: 0, whenTrue: isProof, whenFalse: false }
}

const withoutVerdict = ({ tags, text, isLength }: Fact): Fact => ({
  ...UNKNOWN,
  tags,
  ...(text !== undefined && { text }),
  ...(isLength && { isLength }),
})

/** An address in a list of allowed ones, or a token in a list of secrets. */
function membership(all: readonly Fact[], tags: number): Fact {
  if ((tags & TAG.answer) !== 0) return { tags, whenTrue: true, whenFalse: true }
  const isAllowed =
    (tags & TAG.address) !== 0 ||
    (all.some((fact) => has(fact, TAG.header)) &&
      all.some((fact) => has(fact, TAG.secret) && !has(fact, TAG.request)))
  return { tags: tags & ~TAG.root, whenTrue: isAllowed, whenFalse: false }
}

/** The texts of earlier calls in a chain: `activity_logs` of `db.from('activity_logs').insert(…)`. */
function chainTexts(callee: Expr): string[] {
  if (callee.kind !== 'member' || callee.object.kind !== 'call') return []
  const { args, callee: inner } = callee.object
  const texts = args.flatMap(({ value }) =>
    value.kind === 'literal' && typeof value.value === 'string' ? [value.value] : [],
  )
  return [...texts, ...chainTexts(inner)]
}

function noteWrite(walk: Walk, expr: ExprOf<'call'>, args: readonly Fact[], tags: number): void {
  if (walk.isProven || walk.write || (tags & TAG.answer) !== 0) return
  // The callee receives the signature or the whole request and can check it. Go passes the request as a context.
  const isContext =
    walk.language === 'go' && args.some((fact) => has(fact, TAG.request) && !has(fact, TAG.root))
  const isDelegated =
    (!isContext && args.some((fact) => has(fact, TAG.root))) ||
    args.some((fact) => has(fact, TAG.header) && !has(fact, TAG.token))
  if (isDelegated || isPending(expr)) return
  walk.write = expr.at
}

function valueCall(
  walk: Walk,
  expr: ExprOf<'call'>,
  name: string,
  args: readonly Fact[],
  receiver: Fact | null,
  tags: number,
): Fact {
  const method = name.slice(name.lastIndexOf('.') + 1)
  const [first] = args
  if (name === 'file_get_contents' && first?.text === 'php://input') return withTags(TAG.request)
  if (/^(?:getallheaders|apache_request_headers|headers|getRequestHeaders)$/.test(name))
    return withTags(TAG.request | TAG.header)
  if (name === 'request' && args.length === 0) return withTags(TAG.root | TAG.request)
  if (name === 'params' && args.length === 0) return withTags(TAG.request)
  if (
    /^(?:getenv|env|config|os\.getenv|os\.Getenv|System\.getenv|get_option|option|setting|get_setting)$/.test(
      name,
    ) ||
    /(?:config\w*|env|environ|settings?)\.(?:get\w*|value|string)$/i.test(name)
  )
    return asCondition(withTags(TAG.config | (isSecretName(first?.text ?? '') ? TAG.secret : 0)))
  if (receiver && has(receiver, TAG.root)) return requestCall(method, args)
  if (
    /(?:client|remote|real|caller|source)_?(?:ip|addr)\w*$/i.test(method) &&
    (tags & TAG.root || args.length === 0)
  )
    return withTags(TAG.request | TAG.address)
  const presence = presenceCall(method, args, receiver)
  if (presence) return presence
  // Go and PHP write results into an argument.
  if (/^(?:Decode|Unmarshal|Scan|bind_result|parse_str|json_decode)$/.test(method))
    for (const { value } of expr.args) addTags(walk, value, tags & ~TAG.root)
  if (receiver && first?.text !== undefined && has(receiver, TAG.request))
    return memberFact(receiver, first.text)
  if (
    (tags & TAG.token) !== 0 &&
    /^(?:find|get|first|where|query|select|lookup|load|one|exists|filter|by|fetch)/i.test(method)
  )
    return { tags: TAG.token, whenTrue: true, whenFalse: false }
  if (receiver?.whenTrue && has(receiver, TAG.token)) return receiver
  // Code that was not scanned receives the message and its signature. Its result tells whether they match.
  const isDelegated =
    args.some((fact) => has(fact, TAG.header)) &&
    args.some((fact) => has(fact, TAG.request) && !has(fact, TAG.header)) &&
    /hook|event|parse|handle|process|verify|valid|check/i.test(method)
  if (isDelegated) return PROVEN_IF_TRUE
  const isSetting = receiver !== null && has(receiver, TAG.config) && isSecretName(first?.text ?? '')
  if (/^(?:len|strlen|count)$/.test(name)) return { ...UNKNOWN, isLength: true }
  const text = args.length === 1 && receiver === null ? first?.text : undefined
  return asCondition({
    ...withTags((tags & ~TAG.root) | (isSetting || (isSecretName(method) && tags === 0) ? TAG.secret : 0)),
    ...(text?.includes('\0') && { text }),
  })
}

/** `empty($secret)`, `secret.isBlank()`, `isset($secret)`. */
function presenceCall(method: string, args: readonly Fact[], receiver: Fact | null): Fact | null {
  const [subject] = args.length > 0 ? args : [receiver]
  if (!subject || !has(subject, TAG.secret) || has(subject, TAG.request | TAG.mac)) return null
  if (/^(?:empty|blank|is_null|isEmpty|isBlank|isNullOrEmpty|isNil)$/.test(method))
    return { tags: 0, whenTrue: true, whenFalse: false, isSecretPresence: true }
  return /^(?:isset|filled|isPresent|hasText|isNotBlank|isNotEmpty|Boolean|bool)$/.test(method)
    ? { tags: 0, whenTrue: false, whenFalse: true, isSecretPresence: true }
    : null
}

function requestCall(method: string, args: readonly Fact[]): Fact {
  const fact = memberFact(withTags(TAG.root), method)
  const key = args[0]?.text
  if (
    /^(?:get|header|getHeader|GetHeader|Get|query|param|input|post|server|getParameter|route)$/i.test(
      method,
    ) &&
    key !== undefined
  )
    return memberFact(withTags(TAG.request | (/input|post/i.test(method) ? 0 : TAG.header)), key)
  return has(fact, TAG.root) ? withTags(TAG.request) : fact
}

/** Inline functions run where they are passed. Their arguments come from the receiver. */
function runCallbacks(walk: Walk, args: readonly Fact[], receiver: Fact | null): void {
  for (const { definition } of args) {
    if (definition?.name !== '') continue
    const before = walk.isProven
    enter(walk, definition, [receiver ? { ...receiver, tags: receiver.tags & ~TAG.root } : UNKNOWN])
    walk.isProven = before
  }
}
