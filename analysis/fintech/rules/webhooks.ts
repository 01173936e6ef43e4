// Rules about webhooks of payment providers: authentication and replay.

import type { AbstractValue } from '../../abstract-value.ts'
import type { FunctionDefinition } from '../../ir.ts'
import { bodyParts } from '../../javascript/ir-walk.ts'
import type { CallEvent, ClassEvent, CompareEvent, FunctionEvent, Hit, Rule } from '../../rule.ts'
import { bodyOf, functionText, isProviderWebhook, lastNameOf } from '../context.ts'
import { addAliases, addCallee, addFunction, addRegistration } from '../sender/project.ts'
import { senderHits } from '../sender/unsigned.ts'

const EVERY = ['javascript', 'python', 'java', 'go', 'php', 'csharp', 'kotlin', 'ruby', 'dart'] as const

export const webhookRules: readonly Rule[] = [
  {
    id: 'FIN-HOOK-01',
    title: 'A payment webhook is trusted without its signature',
    cwe: 345,
    severity: 'error',
    confidence: 'medium',
    languages: EVERY,
    message:
      'Anyone who knows the URL can post “charge.success” with any amount and be credited money that was never paid.',
    fix: 'Compute the HMAC of the raw body with your secret, compare it in constant time with the provider’s header (x-paystack-signature: SHA-512; verif-hash: your secret hash), and reject the request before doing anything else.',
    on: {
      function: collectFunction,
      call: collectRegistration,
      class: collectAliases,
      project: (event) => senderHits(event).unsigned,
    },
  },
  {
    id: 'FIN-HOOK-02',
    title: 'The signature is checked only if a secret is set',
    cwe: 636,
    severity: 'error',
    confidence: 'high',
    languages: EVERY,
    message:
      'If the variable is missing (a new server, a typo), every webhook is trusted and nothing shows it.',
    fix: 'Refuse to start, or respond with 503, if the secret is not set. Check the signature in every case.',
    on: {
      function: collectFunction,
      call: findOptionalCheck,
      project: (event) => senderHits(event).optional,
    },
  },
  {
    id: 'FIN-HOOK-03',
    title: 'The signature is computed over the parsed body',
    cwe: 347,
    severity: 'warn',
    confidence: 'high',
    languages: ['javascript', 'python'],
    message:
      'The provider signs the bytes it sends. After parsing and serializing, order, spacing and escapes differ: valid webhooks are rejected, and a loosened check accepts forged ones.',
    fix: 'Keep the raw body (express.raw, request.get_data()) and compute the HMAC over exactly those bytes.',
    on: { call: findParsedBodyMac },
  },
  {
    id: 'FIN-HOOK-04',
    title: 'A signature is not compared in constant time',
    cwe: 208,
    severity: 'warn',
    confidence: 'high',
    languages: ['python', 'php', 'java', 'go', 'csharp', 'kotlin', 'ruby', 'dart'],
    message:
      'The comparison stops at the first difference. Its duration reveals a valid signature piece by piece.',
    fix: 'Compare in constant time: hash_equals in PHP, hmac.compare_digest in Python, hmac.Equal in Go, MessageDigest.isEqual in Java, OpenSSL.secure_compare in Ruby and Kotlin, CryptographicOperations.FixedTimeEquals in C#.',
    on: { compare: findUnsafeCompare },
  },
  {
    id: 'FIN-HOOK-06',
    title: 'A repeated payment webhook credits twice',
    cwe: 837,
    severity: 'error',
    confidence: 'medium',
    languages: EVERY,
    message:
      'Providers resend a webhook until it is acknowledged, and sometimes after that. Each one adds to the balance here.',
    fix: 'Insert the reference into a table with a unique index in the same transaction, or change the status from pending to paid under a condition, and credit only if that changed a row.',
    on: { function: findRepeatedCredit },
  },
]

function collectFunction(event: FunctionEvent): undefined {
  addFunction(event)
}

function collectRegistration(event: CallEvent): undefined {
  addRegistration(event)
  if (event.language === 'php') addCallee(event)
}

function collectAliases(event: ClassEvent): undefined {
  addAliases(event)
}

function findOptionalCheck(event: CallEvent): Hit | undefined {
  addRegistration(event)
  if (!isMac(event)) return undefined
  const [test] = event.conditions
  if (!test || !/signature|webhook|verif/i.test(functionText(event))) return undefined
  const asked = event.source(test.at)
  const isOnlyPresence =
    /^\(?\s*(?:!!)?[\w.$>\-[\]'"()]*(?:SECRET|Secret|secret|WEBHOOK_KEY|HASH)\w*(?:\(['"]?\w*['"]?\))?['"\])]*\s*\)?$/.test(
      asked,
    )
  return isOnlyPresence ? { at: { ...test.at, endLine: test.at.line } } : undefined
}

const isMac = ({ name, method }: CallEvent): boolean =>
  /createHmac$|^hmac\.new$|^hmac\.New$|^OpenSSL\.HMAC\.(?:hex|base64)?digest$/.test(name) ||
  method === 'hash_hmac'

function findParsedBodyMac(event: CallEvent): Hit | undefined {
  const { name, receiver, args, expr, language } = event
  const isUpdate =
    language === 'javascript' && event.method === 'update' && /createHmac\(\)/.test(receiver?.name ?? name)
  const signed = isUpdate ? args[0] : name === 'hmac.new' ? args[1] : undefined
  if (!signed) return undefined
  const text = functionText(event)
  if (!/signature|verif/i.test(text)) return undefined
  const source = event.source(signed.expr.at)
  const isParsed =
    /^JSON\.stringify\(\s*(?:req|request|ctx\.request|c\.req)\.body\b|^JSON\.stringify\(\s*(?:body|payload|event)\s*\)$|^json\.dumps\(\s*(?:request\.(?:json|data|get_json\(\))|payload|data|body|event)\b/.test(
      source,
    )
  // Code that signs its own outgoing data does not need the raw bytes of a request.
  const [definition] = event.functions
  return isParsed && definition && readsHeaders(definition) ? { at: expr.at } : undefined
}

/** Whether a function reads headers of a request, as opposed to setting its own. */
const readsHeaders = (definition: FunctionDefinition): boolean =>
  /signature|hash|hmac/i.test(definition.parameters.map(({ target }) => lastNameOf(target)).join(' ')) ||
  bodyParts(definition).some(
    (part) =>
      (part.kind === 'member' && /^(?:headers?|META|get_header|getHeader|rawHeaders)$/.test(part.property)) ||
      (part.kind === 'call' &&
        part.callee.kind === 'member' &&
        part.callee.property === 'get' &&
        part.args.some(
          ({ value }) => value.kind === 'literal' && /signature|hash/i.test(String(value.value)),
        )),
  )

function findUnsafeCompare(event: CompareEvent): Hit | undefined {
  const { operator, left, right, expr } = event
  if (!/^[!=]==?$/.test(operator) || left.known !== undefined || right.known !== undefined) return undefined
  const isDigest = ({ name = '' }: AbstractValue) =>
    /hash_hmac\(\)$|hmac\.new\(\)\.(?:hex)?digest\(\)|hmac\.New\(\)|Mac\.getInstance\(\)|OpenSSL\.HMAC\.(?:hex|base64)?digest\(\)|Hmac\(\)\.convert\(\)/.test(
      name,
    )
  return isDigest(left) || isDigest(right) ? { at: expr.at } : undefined
}

const COUNTED =
  /processed|already|duplicate|firstOrCreate|get_or_create|updateOrCreate|on conflict|on duplicate|insert ignore|upsert|unique|idempot|status\s*(?:[!=]==?|=>|:|,)\s*['"]?(?:success|paid|completed|pending|settled)|where\([^)]*(?:status|reference)|filter(?:_by)?\([^)]*(?:status|reference)|eventId|event_id|event\.id|(?:findOne|find_one|findFirst|findUnique|findBy\w*|exists|get|first|count|one|query|select|find_by|exists\?)\w*\([^;]{0,120}(?:reference|tx_?ref|trx|transaction_?id|txid|receipt|checkout_?request_?id|external_?id|payment_?id)/i

function findRepeatedCredit(event: FunctionEvent): Hit | undefined {
  if (!isProviderWebhook(event)) return undefined
  const body = bodyOf(event, event.definition.at)
  const credit =
    event.calls.find(
      ({ expr, method }) =>
        /^(?:increment!?|increment_counter|update_counters|credit|creditWallet|addFunds|fund|topUp|deposit)$/.test(
          method,
        ) || /\$inc/.test(event.source(expr.at)),
    ) ?? event.assigns.find(({ name, operator }) => operator === '+' && /balance/i.test(name))
  if (!credit || COUNTED.test(body)) return undefined
  // A credit call that receives the reference can reject duplicates itself.
  if (/reference|tx_?ref|transaction_?id|event\.id/i.test(event.source(credit.expr.at))) return undefined
  return { at: credit.expr.at }
}
