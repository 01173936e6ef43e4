// Finds the entry points that receive messages of a payment provider.

import type { Expr, FunctionDefinition, Parameter, Stmt } from '../../ir.ts'
import { firstWord, PROVIDER, SENDS, wordSet } from '../context.ts'
import { type Fact, TAG, UNKNOWN, withTags } from './facts.ts'
import type { ProjectFunction } from './project.ts'

const HOOK_NAME =
  /web_?hook|\bipn\b|\bitn\b|_ipn|ipn_|Ipn|call_?back|notif(?:y|ication)|notify_?url|confirmation|listener|payment_?event|on_?payment|c2b|b2c|result_?url|\bresult\b/i
/** First words of functions that ask for payments. `callback` or `hook` in the name outweighs them. */
const ASKS = wordSet(
  'find fetch retry make init start request push subscribe remove test mock simulate use render show log query lipa pay checkout charge check authenticate sign stk',
)
/** Fields and headers that only such messages have. */
const MESSAGE =
  /\b(?:stkCallback|CheckoutRequestID|MpesaReceiptNumber|CallbackMetadata|TransID|BillRefNumber|ResultCode|financialTransactionId|charge\.(?:success|completed|failed)|transfer\.(?:success|completed|failed)|payment_intent\.succeeded|checkout\.session\.completed|invoice\.paid|SUCCESSFUL_TRANSACTION|SUCCESSFUL_DISBURSEMENT|pf_payment_id|m_payment_id|payment_status|x-paystack-signature|X-Paystack-Signature|HTTP_X_PAYSTACK_SIGNATURE|verif-hash|HTTP_VERIF_HASH|monnify-signature|Stripe-Signature|stripe-signature|tx_ref|TransactionReference|merchant_order_id|externalId|charge_success|x-squad-encrypted-body)\b/
/** Code that asks the provider for a payment. It also names fields of the callback. */
const INITIATES =
  /\b(?:CallBackURL|ResultURL|processrequest|authorization_url|hosted_link|callback_url|redirect_url|CustomerPayBillOnline|success_url|notify_url)\b|transaction\/initiali[sz]e/
/** Words of received messages only. Responses to our own requests have the others too. */
const RECEIVED =
  /\b(?:stkCallback|CallbackMetadata|BillRefNumber|charge\.(?:success|completed|failed)|transfer\.(?:success|completed|failed)|payment_intent\.succeeded|checkout\.session\.completed|SUCCESSFUL_TRANSACTION|pf_payment_id|x-paystack-signature|X-Paystack-Signature|HTTP_X_PAYSTACK_SIGNATURE|verif-hash|HTTP_VERIF_HASH|monnify-signature|Stripe-Signature|stripe-signature|financialTransactionId)\b/
const PAY_NAME = new RegExp(
  `pay(?:ment|ments|out)?(?![a-z])|Pay(?![a-z])|${PROVIDER.source}|mpesa|momo|billing|wallet|checkout|topup|deposit`,
  'i',
)
const FILE_ROUTE =
  /(?:^|\/)(?:api|functions|routes|netlify|supabase|lambda|handlers?|webhooks?|server)\/|\/route\.[jt]sx?$/
const ENTRY_EXPORT = /^(?:POST|PUT|GET|handler|default|main|handle|__invoke|index|post|receive|)$/

const REQUEST_NAME = /^(?:req|request|_req|r|ctx|context|c|httpRequest|event)$/
const REQUEST_TYPE =
  /(?:^|[.*\\])(?:Request|NextRequest|NextApiRequest|HttpRequest|FastifyRequest|HttpServletRequest|ServerRequestInterface|ServerHttpRequest|Context|Ctx|IncomingMessage|HttpContext|HttpRequestData|ApplicationCall|RoutingCall|APIGatewayProxyEvent\w*|APIGatewayEvent|WP_REST_Request|RequestContext)\b/

/** The fact of a parameter of an entry point. */
export function parameterFact({ target, type, annotations, default: initial }: Parameter): Fact {
  const name = target.kind === 'name' ? target.name : ''
  const marks = annotations.map((each) => each.name).join(' ')
  if (
    /\b(?:RequestHeader|Headers?|PathVariable|Param|Query|RequestParam|FromHeader|FromQuery|FromRoute|Ip|HeaderParam|QueryParam|PathParam)\b/.test(
      marks,
    )
  ) {
    const token = /token|secret/i.test(name) ? TAG.token : 0
    return withTags(TAG.request | TAG.header | token | (/\bIp\b/.test(marks) ? TAG.address : 0))
  }
  if (/\b(?:RequestBody|Body|RawBody|FromBody)\b/.test(marks)) return withTags(TAG.request)
  if (/\b(?:Req|Request)\b/.test(marks)) return withTags(TAG.request | TAG.root)
  if (initial?.kind === 'call' && initial.callee.kind === 'name') {
    if (/^(?:Header|Query|Path)$/.test(initial.callee.name)) return withTags(TAG.request | TAG.header)
    if (initial.callee.name === 'Depends') return UNKNOWN
  }
  if (REQUEST_TYPE.test(type ?? '') || REQUEST_NAME.test(name)) return withTags(TAG.root | TAG.request)
  if (target.kind === 'map') return withTags(TAG.root | TAG.request)
  if (/^(?:res|response|w|next|reply|self|cls|done|_res|writer)$/.test(name)) return UNKNOWN
  if (/sig|hash|header|hmac/i.test(name)) return withTags(TAG.request | TAG.header)
  return withTags(TAG.request | (/token|secret/i.test(name) ? TAG.token | TAG.header : 0))
}

const isRoot = (parameter: Parameter): boolean => (parameterFact(parameter).tags & TAG.root) !== 0
const isHandlerParameter = ({ target, type }: Parameter): boolean =>
  REQUEST_TYPE.test(type ?? '') ||
  (target.kind === 'name' && /^(?:req|request|ctx|context)$/.test(target.name))
const isMarked = ({ annotations }: Parameter): boolean =>
  annotations.some(({ name }) =>
    /^(?:RequestBody|Body|RequestHeader|Headers|Req|RawBody|FromBody|FromHeader)$/.test(name),
  )

/** Whether a function receives webhooks of a payment provider directly. */
export function isProviderEntry(entry: ProjectFunction, mountPath = ''): boolean {
  const { definition, path, route, classes, outer } = entry
  if (outer.some(({ name, parameters }) => name !== '' && parameters.some(isRoot))) return false
  const className = classes[0]?.name ?? ''
  const classRoute = classes
    .flatMap(({ annotations }) => annotations)
    .flatMap(({ args }) => args.map(({ value }) => value))
  const prefix = classRoute.map((value) => (value.kind === 'literal' ? String(value.value) : '')).join(' ')
  const verb = firstWord(definition.name)
  if (ASKS.has(verb) && !/hook|call_?back/i.test(definition.name)) return false
  // Controllers of Rails name their actions `create` and `update`.
  const isAction = /Controller$/.test(className) && HOOK_NAME.test(`${className} ${mountPath}`)
  if (
    (SENDS.has(verb) && !isAction) ||
    (route === null && /^(?:verify|validate|is|authenticate)$/.test(verb))
  )
    return false
  if (route !== null && /^(?:GET|DELETE|HEAD|OPTIONS) /.test(route) && !/callback|verify/i.test(route))
    return false
  const isEntry =
    route !== null ||
    definition.parameters.some(isRoot) ||
    definition.parameters.some(isMarked) ||
    (/(?:View|Controller|Resource|Handler|Servlet)$/.test(className) &&
      !/^_|^constructor$|^__/.test(definition.name)) ||
    (definition.parameters.length === 0 &&
      mentions(definition, /^(?:request|params|\$?_POST|\$?_SERVER|php:\/\/input)$/))
  if (!isEntry) return false
  const own = `${prefix} ${route ?? mountPath} ${className} ${definition.name}`
  const isFileRoute = ENTRY_EXPORT.test(definition.name) && (FILE_ROUTE.test(path) || definition.name === '')
  const isAnonymousRoute = route !== null && definition.name === ''
  const isNamed = HOOK_NAME.test(own) || (isFileRoute && !isAnonymousRoute && HOOK_NAME.test(path))
  const words = wordsIn(definition)
  const isUnnamedEntry =
    route === null
      ? (definition.name === '' || isRoutedByName(entry)) && definition.parameters.some(isHandlerParameter)
      : !/GET /.test(route)
  // Servers without a router compare the path themselves.
  const isForHook = route === null && HOOK_PATH.test(words)
  if (!isNamed && !(isUnnamedEntry && (isForHook || RECEIVED.test(words)))) return false
  if (INITIATES.test(words) && !RECEIVED.test(words)) return false
  if (/initiali[sz]e\b/i.test(definition.name)) return false
  return (
    PROVIDER.test(own) ||
    MESSAGE.test(words) ||
    PROVIDER.test(words) ||
    (PAY_NAME.test(path) && !OTHER.test(own)) ||
    PAY_NAME.test(own)
  )
}

/** Django REST derives the route from the name of the method. */
const isRoutedByName = ({ definition: { annotations } }: ProjectFunction): boolean =>
  annotations.some(({ name }) => /(?:^|\.)action$/.test(name))

/** `/ozow/notify`, among other words. */
const HOOK_PATH = /(?:^|\s)\/[\w/-]*(?:webhook|callback|notify|notification|\bipn|\bitn)[\w/-]*(?:$|\s)/i

/** Webhooks of other services. */
const OTHER =
  /github|gitlab|telegram|whatsapp|slack|discord|twilio|sms|mailgun|sendgrid|clerk|shopify|calendly/i

/** Whether a script receives webhooks of a payment provider. */
export function isProviderScript(path: string, body: readonly Stmt[]): boolean {
  const words = wordsIn(body)
  if (!/php:\/\/input|\b_POST\b|\b_REQUEST\b/.test(words)) return false
  if (!HOOK_NAME.test(path) && !MESSAGE.test(words)) return false
  return MESSAGE.test(words) || PROVIDER.test(words) || PAY_NAME.test(path)
}

const WORDS_MAX = 20_000

/** The names and texts of code, without comments. */
export function wordsIn(root: unknown): string {
  const words: string[] = []
  let left = WORDS_MAX
  const add = (part: unknown): void => {
    if (typeof part !== 'object' || part === null || left-- < 0) return
    if (Array.isArray(part)) {
      for (const each of part) add(each)
      return
    }
    const { kind, name, property, value } = part as Partial<Record<string, unknown>>
    if (kind === 'name' && typeof name === 'string') words.push(name)
    if (kind === 'member' && typeof property === 'string') words.push(property)
    if (kind === 'literal' && typeof value === 'string') words.push(value)
    for (const key in part) if (key !== 'at') add((part as Record<string, unknown>)[key])
  }
  add(root)
  return words.join(' ')
}

function mentions({ body }: FunctionDefinition, pattern: RegExp): boolean {
  return wordsIn(body)
    .split(' ')
    .some((word) => pattern.test(word))
}

/** The names and functions in an expression, such as a list of middleware. */
export function referencesIn(
  expr: Expr,
  depth = 0,
): { readonly names: string[]; readonly definitions: FunctionDefinition[] } {
  const names: string[] = []
  const definitions: FunctionDefinition[] = []
  const add = (part: Expr, left: number): void => {
    if (left === 0) return
    switch (part.kind) {
      case 'name':
        names.push(part.name)
        return
      case 'literal':
        if (typeof part.value === 'string') names.push(part.value)
        return
      case 'member':
        names.push(part.property)
        add(part.object, left - 1)
        return
      case 'call':
        add(part.callee, left - 1)
        for (const { value } of part.args) add(value, left - 1)
        return
      case 'list':
        for (const { value } of part.items) add(value, left - 1)
        return
      case 'map':
        for (const { value } of part.entries) add(value, left - 1)
        return
      case 'same':
        add(part.value, left - 1)
        return
      case 'function':
        definitions.push(part.definition)
        return
      default:
    }
  }
  add(expr, 6 - depth)
  return { names, definitions }
}
