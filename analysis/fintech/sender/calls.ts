// Library calls by name: codes, hashes, comparisons, provider checks and provider queries.
import type { ExprOf } from '../../ir.ts'
import { type Fact, has, TAG } from './facts.ts'

const MAC_CALL =
  /(?:^|\.)(?:createHmac|hash_hmac|HmacSHA\d+|hmacSha\d*|hmac_sha\d+|hmacHex|hmac)$|(?:^|\.)(?:hmac|HMAC|Hmac)\.(?:new|New|digest|create|hexdigest)$|(?:^|\.)(?:Mac\.getInstance|HmacUtils|HMACSHA\d+|HMACSHA\d+\.HashData(?:Async)?|HMACMD5|subtle\.sign|createHMAC|HMAC|Hmac)$/
const MAC_HELPER =
  /^(?:compute|generate|create|calc(?:ulate)?|expected|build|make|get|derive|sign)_?\w*(?:signature|hmac|hash|digest|checksum)$|^(?:hmac|sign)_?\w*(?:sha\d+|payload|body|request)$/i
const DIGEST_CALL =
  /(?:^|\.)(?:createHash|md5|sha1|sha256|sha512|hash|SHA256|SHA512|SHA1|MD5|sha512Hex|sha256Hex|md5Hex|Sum512|Sum256|sha3_512|keccak256)$|(?:^|\.)(?:MessageDigest\.getInstance|hashlib\.\w+|sha512\.\w+|sha256\.\w+|md5\.\w+)$/
const EQUALITY =
  /(?:^|\.)(?:timingSafeEqual|timing_safe_equal|compare_digest|hash_equals|isEqual|ConstantTimeCompare|constant_time_compare|constantTimeEquals?|safe_?compare|(?:fixed_length_)?secure_?compare|tsscmp|safeEqual\w*|timingSafeCompare|bytes\.Equal|EqualFold|strcmp|strcasecmp|equals|equalsIgnoreCase|hmac\.Equal|fixedTimeEquals|sequenceEqual|contentEquals|slow_?equals?)$/i
const DISTANCE = /(?:^|\.)(?:strcmp|strcasecmp|compareTo|localeCompare)$/
const MEMBERSHIP =
  /(?:^|\.)(?:includes|has|contains|in_array|Contains|some|indexOf|checkIp|checkSubnet|inRange|ip_in_range|cidr_match|isInSubnet|any)$/

/** Library functions that throw, or return an error, if the signature is wrong. */
const PROVIDER_CHECK =
  /(?:^|\.)(?:constructEvent|construct_event|constructEventAsync|ConstructEvent|constructEventFromPayload|verifyHeader|verify_header|validateRequest|unmarshalWebhook)$|(?:^|\.)(?:jwt|JWT|jose)\.(?:verify|decode|jwtVerify)$|(?:^|\.)jwtVerify$|(?:^|\.)webhooks?\.(?:verify|unwrap|validate)$/
const CHECK_NAME =
  /verif(?:y|ies|ied)\w*?(?:itn|ipn|notification|callback|event|request|payload|message)|(?:verif|validat|valid|check|authenticat|assert|ensure|guard|compare|match|authori[sz]e|restrict|require|protect)\w*?(?:signature|hmac|webhook|hash|sender|origin|checksum|digest|source|caller|_?ips?(?:$|_|[A-Z])|IPs?(?:$|[A-Z])|provider|paystack|flutterwave|monnify|stripe|safaricom|mpesa|payfast|paymob|ozow)|(?:signature|hmac|webhook|checksum|hash|\bip|Ip|IP|sender|origin)_?(?:\w*_)?(?:is_?)?(?:verif|valid|check|match|auth|guard|allow|trusted|ok)|(?:allowed|trusted|whitelist\w*|known|safaricom)_?(?:ips?|address|sender|origin|source)(?:$|_|[A-Z])/i
const NOT_CHECK =
  /payload|schema|shape|dto|rate_?limit|csrf|exists|enabled|configured|url|email|phone|amount|currency|fields/i

const QUERY_NAME =
  /(?:^|\.)(?:verify_?(?:transaction|payment|charge|order|trans|reference|tx)\w*|re_?query\w*|(?:query|check|fetch|get|confirm|lookup)_?(?:transaction|payment|stk|charge|collection|mpesa|momo|request_?to_?pay)\w*_?status\w*|stk_?(?:push_?)?query\w*|transaction_?status_?query|query_?(?:transaction|stk\w*|payment)|request_?to_?pay_?(?:transaction_?)?status|fetch_?transaction|validate_?(?:transaction|payment|itn)\w*)$|(?:transactions?|payments?|charges?|paystack|flw|flutterwave|rave|monnify)(?:\.\w+)?\.verify\w*$|(?:paymentIntents|PaymentIntent|paymentintent|sessions|Session|session|charges|Charge|collections?|momo|invoices|subscriptions)\.(?:retrieve|Retrieve|Get|get(?:Transaction|Payment)?|getTransactionStatus)$/i
const QUERY_URL =
  /transaction\/verify|\/verify(?:$|[/?\0])|verify_by_reference|requery|stkpushquery|transactionstatus|requesttopay|\/transactions?\/|\/query\b|\/status\b|payments?\/\0|getstatus|gettransaction|checkout\/sessions\/\0|eng\/query\/validate/i
const HTTP =
  /(?:^|\.)(?:get|post|put|request|fetch|send|exchange|getForObject|getForEntity|postForObject|postForEntity|curl_init|curl_setopt|curl_setopt_array|file_get_contents|NewRequest|NewRequestWithContext|Get|Post|newBuilder|create|uri|url|axios|got|urlopen|retrieve|body|fetchJson|ky|wp_remote_get|wp_remote_post|withToken|toPromise|client|execute|Do|Request|call|api\w*|\w*[rR]equest\w*|\w*[fF]etch\w*)$/

export type CallKind =
  | 'mac'
  | 'digest'
  | 'equality'
  | 'distance'
  | 'membership'
  | 'provider check'
  | 'named check'
  | 'query'
  | null

export function kindOfCall(name: string, args: readonly Fact[]): CallKind {
  const last = name.slice(name.lastIndexOf('.') + 1)
  if (PROVIDER_CHECK.test(name)) return 'provider check'
  if (MAC_CALL.test(name)) return 'mac'
  if (EQUALITY.test(name)) return DISTANCE.test(name) ? 'distance' : 'equality'
  if (DIGEST_CALL.test(name)) return 'digest'
  if (isQuery(name, args)) return 'query'
  if (MEMBERSHIP.test(name)) return 'membership'
  if (isNamedCheck(last)) return 'named check'
  return MAC_HELPER.test(last) ? 'mac' : null
}

export const isNamedCheck = (name: string): boolean =>
  CHECK_NAME.test(name) && (/verify/i.test(name) || !NOT_CHECK.test(name))

/** A name that suggests a query. The body decides if it is known. */
const isQuery = (name: string, args: readonly Fact[]): boolean =>
  QUERY_NAME.test(name) || isQueryRequest(name, args)

const isQueryRequest = (name: string, args: readonly Fact[]): boolean =>
  HTTP.test(name) && args.some(({ text }) => text !== undefined && QUERY_URL.test(text))

export const isQueryUrl = (text: string): boolean => QUERY_URL.test(text)

/** A function that never returns. */
export const isExit = ({ callee, args }: ExprOf<'call'>): boolean => {
  // A response of Rails ends a filter: `head :unauthorized`, `render json: error, status: 401`.
  if (callee.kind === 'name' && callee.name === 'render') return args.some(({ name }) => name === 'status')
  if (callee.kind === 'name' && callee.name === 'head') return args.length === 1
  if (callee.kind === 'name')
    return /^(?:exit|die|abort|panic|quit|wp_die|wp_send_json\w*)$/.test(callee.name)
  return (
    callee.kind === 'member' &&
    callee.object.kind === 'name' &&
    /^(?:process\.exit|sys\.exit|os\.Exit|log\.Fatal\w*)$/.test(`${callee.object.name}.${callee.property}`)
  )
}

/** `abort_unless(valid, 403)`: 'true' if execution continues only if the first argument is true. */
export function continuesIf(name: string): boolean | null {
  if (/(?:^|\.)(?:abort_unless|throw_unless|assert|ok|invariant|isTrue|ensure|check)$/.test(name)) return true
  return /(?:^|\.)(?:abort_if|throw_if|isFalse)$/.test(name) ? false : null
}

const STORES =
  /^(?:save|saveAndFlush|saveChanges|executeSqlRaw|executeSqlInterpolated|create|createOne|createMany|insert|insertOne|insertMany|insert_one|insertGetId|update|updateOne|updateMany|update_one|findOneAndUpdate|find_one_and_update|findByIdAndUpdate|increment|decrement|persist|merge|upsert|bulk_create|bulkCreate|firstOrCreate|updateOrCreate|update_or_create|get_or_create|updateOrInsert|executeUpdate|commit|forceFill|fill|updates?|updateColumn|update_columns?|update_attributes?|update_all|update_counters|increment_counter|decrement_counter|insert_all|upsert_all|touch_all|toggle|firstOrNew|putItem|updateItem|hincrby|incrby|modify|add_credit|push|putIfAbsent)$/i
const ACTS =
  /^(?:credit|debit|fund|top_?up|activate|fulfil+|complete|confirm|approve|grant|provision|settle|mark|process|handle|record|finali[sz]e|update|create|upsert|insert|save|add|issue|release|deliver|enrol+|upgrade|extend|renew|set|apply|unlock|on|do|dispatch|enqueue|store|register|deposit|allocate|reconcile|post|charge|pay|assign|give|send)(?=_?[A-Z_a-z]*(?:payment|order|wallet|balance|invoice|subscription|booking|transaction|charge|deposit|credit|account|plan|premium|paid|success|event|webhook|callback|top_?up|donation|ticket|enrol|licen[cs]e|membership|funds?|user|airtime|bundle|token|coin|contribution|loan|rent|fee|purchase|sale|settlement|ledger|access|value|points|credits))/i
const ACTS_ALONE =
  /^(?:fulfil+|credit|debit|activate|settle|creditWallet|fundWallet|markPaid|deposit|topUp)$/i
const QUEUES =
  /^(?:dispatch|dispatchSync|enqueue|delay|sendToQueue|publish|apply_async|send_task|perform_later|perform_async|perform_in)$/
const SQL_RUNNER =
  /^(?:query|execute|exec|execContext|exec_params|exec_query|exec_update|raw|statement|run|prepare|prepareStatement|mysqli_query|mysqli_prepare|pg_query|pg_query_params|executeUpdate|update|insert|unprepared|all|one|none|\$executeRaw|\$executeRawUnsafe|\$queryRaw|text|sql|createNativeQuery|createQuery|get_var|get_results|db_query|executeSql|rawUpdate|rawInsert)$/i
/** Logs of received messages are often written before the check. */
const LOG_NAME =
  /logs?$|Log[A-Z]?|audit|raw_?(?:event|payload|callback)|webhook_?(?:event|log|request|payload|call|message|deliver)|event_?(?:store|log)|inbox|received|callback_?(?:log|event|request)|metrics?|cache|counter|stats|sentry|history|nonce|file/i
const NOT_STORE =
  /^(?:crypto|Object|Array|console|logger|log|hash|hmac|mac|md5|sha\d*|digest|cipher|res|response|reply|headers?|Promise|JSON|axios|http|https|z|yup|Joi|Math|Buffer|supabaseAdmin\.auth|stripe|paystack|flutterwave|flw|factory|schema|validator|ResponseEntity|URI|SecretKeySpec|digestor|router|app|Route)$/i

/** A call that changes stored data or hands the message to code that does. */
export function isWrite(
  name: string,
  args: readonly Fact[],
  receiver: Fact | null,
  chainTexts: readonly string[],
): boolean {
  const cut = name.lastIndexOf('.')
  // C# marks asynchronous methods by their name.
  const method = name.slice(cut + 1).replace(/^_+|Async$|!$/g, '')
  const object = cut === -1 ? '' : name.slice(0, cut)
  if (receiver && has(receiver, TAG.mac | TAG.digest | TAG.root)) return false
  const sql = args.find(
    ({ text }) => text !== undefined && /^\s*(?:update|insert|merge|delete|upsert|with)\s/i.test(text),
  )
  if (sql && SQL_RUNNER.test(method)) return !LOG_NAME.test(tableOf(sql.text ?? ''))
  if (SQL_RUNNER.test(method) && !STORES.test(method)) return false
  const owner = object.slice(object.lastIndexOf('.') + 1)
  const root = object.split('.')[0] ?? ''
  if (NOT_STORE.test(owner) || NOT_STORE.test(root)) return false
  if (LOG_NAME.test(object) || args.some(({ text }) => text !== undefined && LOG_TABLE.test(text)))
    return false
  if (chainTexts.some((text) => LOG_NAME.test(text))) return false
  if (QUEUES.test(method)) return true
  if (/^(?:add|send|push)$/.test(method)) return /queue|session|sqs|jobs?$/i.test(object) && args.length > 0
  if (/^(?:set|put)$/.test(method)) return /(?:^|\.)(?:doc|ref|collection|child)$/.test(object)
  if (STORES.test(method))
    return object !== '' && (method !== 'commit' || /session|db|conn|tx|trans/i.test(object))
  if (LOG_NAME.test(method) || /email|mail|sms|notification|message/i.test(method)) return false
  return ACTS_ALONE.test(method) || (ACTS.test(method) && args.length > 0)
}

const tableOf = (sql: string): string => /(?:update|into|from)\s+["`]?([\w.]+)/i.exec(sql)?.[1] ?? ''
const LOG_TABLE =
  /^(?:\w*_)?(?:webhook|callback|audit|event)_?(?:log|event|request|payload|call|deliver)\w*$/i
