// Egypt: the eInvoicing solution of the Tax Authority (ETA). It accepts documents first and validates them later.
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { z } from 'zod'
import { assert } from '../../../kernel/assert.ts'
import { DecimalText, toJson } from '../../../kernel/json.ts'
import type { Variables } from '../../../platform/environment/environment.ts'
import { type EInvoiceAuthority, EInvoiceConfigurationError, type OpenAuthority } from '../authority.ts'
import {
  type AuthorityHttp,
  type AuthorityReply,
  type AuthorityRequest,
  failureOf,
  JSON_BODY,
  parsed,
  unreadable,
} from '../http.ts'
import { type CheckOutcome, rejected, unknown } from '../outcome.ts'
import { amount, percent, type TaxDocument, unitsOf } from '../tax-document.ts'
import { type Signer, signCades } from './cades.ts'

const NEEDS = [
  ...['ETA_CLIENT_ID', 'ETA_CLIENT_SECRET', 'ETA_TAXPAYER_ID', 'ETA_ACTIVITY_CODE', 'ETA_ITEM_CODE'],
  ...[
    'ETA_GOVERNATE',
    'ETA_CITY',
    'ETA_STREET',
    'ETA_BUILDING',
    'ETA_SIGNING_KEY',
    'ETA_SIGNING_CERTIFICATE',
  ],
] as const

export const eta: EInvoiceAuthority = {
  name: 'eta',
  label: 'Egyptian Tax Authority',
  country: 'EG',
  currency: 'EGP',
  needs: NEEDS,
  open: openEta,
}

type Keys = Readonly<
  Record<
    | (typeof NEEDS)[number]
    | 'ETA_BASE_URL'
    | 'ETA_ID_URL'
    | 'ETA_PORTAL_URL'
    | 'ETA_BRANCH'
    | 'ETA_ITEM_TYPE',
    string
  >
>
const DEFAULTS = {
  ETA_BASE_URL: 'https://api.invoicing.eta.gov.eg',
  ETA_ID_URL: 'https://id.eta.gov.eg',
  ETA_PORTAL_URL: 'https://invoicing.eta.gov.eg',
  ETA_BRANCH: '0',
  ETA_ITEM_TYPE: 'EGS',
}

function openEta(variables: Variables): OpenAuthority {
  const keys = { ...DEFAULTS, ...variables } as Keys
  const signer = readSigner(keys)
  const call = withToken(keys)

  return {
    async submit(http, document) {
      const body = toJson({ documents: [signedDocument(document, keys, signer, http.clock.now())] })
      const reply = await call(http, '/api/v1.0/documentsubmissions', {
        method: 'POST',
        headers: JSON_BODY,
        body,
      })
      const failure = failureOf(reply)
      if (failure) return failure
      // The same document within ten minutes.
      if (reply.status === 422) return { outcome: 'duplicate' }
      const submitted = parsed(Submission, reply)
      const taken = submitted?.acceptedDocuments.find(({ internalId }) => internalId === document.key)
      if (taken) return { outcome: 'pending', pendingId: taken.uuid }
      const refused = submitted?.rejectedDocuments.find(({ internalId }) => internalId === document.key)
      if (refused) return rejected(reasonsIn(refused.error))
      const refusal = parsed(BadRequest, reply)
      return reply.status === 400 && refusal ? rejected(reasonsIn(refusal.error)) : unreadable(reply)
    },
    async check(http, document, pendingId) {
      if (pendingId !== null) return details(http, pendingId)
      // Issue times are exact to the second, so the search returns few documents.
      const at = toSecond(document.issuedAt)
      const query = new URLSearchParams({
        direction: 'Sent',
        documentType: TYPES[document.kind].toLowerCase(),
        issueDateFrom: at,
        issueDateTo: at,
        pageSize: '100',
      })
      const reply = await call(http, `/api/v1.0/documents/search?${query}`, { method: 'GET', headers: {} })
      const failure = failureOf(reply)
      if (failure) return failure
      const found = parsed(Found, reply)
      if (!found) return unreadable(reply)
      // An invalid document may have been corrected and sent again.
      const ours = found.result.filter(({ internalId }) => internalId === document.key)
      const best = ours.find(({ status }) => !/invalid/i.test(status)) ?? ours[0]
      if (best) return details(http, best.uuid)
      if (found.metadata?.continuationToken && found.metadata.continuationToken !== 'EndofResultSet')
        return unknown('The authority has more documents of this second than one page.')
      return { outcome: 'absent' }
    },
  }

  async function details(http: AuthorityHttp, uuid: string): Promise<CheckOutcome> {
    const path = `/api/v1.0/documents/${encodeURIComponent(uuid)}/details`
    const reply = await call(http, path, { method: 'GET', headers: {} })
    const failure = failureOf(reply)
    if (failure) return failure
    // A document is visible some time after it was taken.
    if (reply.status === 404) return { outcome: 'pending', pendingId: uuid }
    const found = parsed(Details, reply)
    if (!found) return unreadable(reply)
    const { status, validationResults, longId } = found
    if (/^valid$/i.test(status) && longId)
      return {
        outcome: 'accepted',
        id: uuid,
        qr: `${keys.ETA_PORTAL_URL}/documents/${uuid}/share/${longId}`,
        stamp: { uuid, longId },
      }
    if (/^(submitted|in progress)$/i.test(status)) return { outcome: 'pending', pendingId: uuid }
    const steps = validationResults?.validationSteps ?? []
    const reasons = steps.flatMap(({ error }) => (error ? reasonsIn(error) : []))
    return rejected([`The document is ${status.toLowerCase()} at the authority.`, ...reasons])
  }
}

const TYPES = { invoice: 'I', credit_note: 'C' } as const

function readSigner({ ETA_SIGNING_KEY, ETA_SIGNING_CERTIFICATE }: Keys): Signer {
  try {
    const key = createPrivateKey(ETA_SIGNING_KEY.replaceAll('\\n', '\n'))
    const certificate = new X509Certificate(ETA_SIGNING_CERTIFICATE.replaceAll('\\n', '\n'))
    assert(
      key.asymmetricKeyType === 'rsa' && certificate.checkPrivateKey(key),
      'the key fits the certificate',
    )
    return { key, certificate }
  } catch {
    throw new EInvoiceConfigurationError([
      'ETA_SIGNING_KEY and ETA_SIGNING_CERTIFICATE must be an RSA key in PEM and its certificate in PEM.',
    ])
  }
}

// A token that ends during a call is refused without an effect.
const RENEW_EARLY_SECONDS = 60

/** Calls with an access token. A refused token is renewed once. */
function withToken(keys: Keys) {
  let cached: { token: string; untilMs: number } | null = null
  let renewal: Promise<string | AuthorityReply> | null = null

  async function renew(http: AuthorityHttp): Promise<string | AuthorityReply> {
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: keys.ETA_CLIENT_ID,
      client_secret: keys.ETA_CLIENT_SECRET,
      scope: 'InvoicingAPI',
    }).toString()
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const reply = await http.call(`${keys.ETA_ID_URL}/connect/token`, { method: 'POST', headers, body })
    const granted = parsed(Token, reply)
    // A wrong client is a 400 in OAuth.
    if (reply.status !== 200 || !granted) return reply.status === 400 ? { ...reply, status: 401 } : reply
    const { access_token: token, expires_in: seconds } = granted
    cached = { token, untilMs: http.clock.now().getTime() + (seconds - RENEW_EARLY_SECONDS) * 1000 }
    return token
  }

  async function current(http: AuthorityHttp): Promise<string | AuthorityReply> {
    if (cached && http.clock.now().getTime() < cached.untilMs) return cached.token
    renewal ??= renew(http).finally(() => {
      renewal = null
    })
    return renewal
  }

  return async (http: AuthorityHttp, path: string, request: AuthorityRequest): Promise<AuthorityReply> => {
    for (let attempt = 1; ; attempt++) {
      const token = await current(http)
      if (typeof token !== 'string') return token
      const headers = { ...request.headers, authorization: `Bearer ${token}` }
      const reply = await http.call(`${keys.ETA_BASE_URL}${path}`, { ...request, headers })
      if (reply.status !== 401 || attempt === 2) return reply
      if (cached?.token === token) cached = null
    }
  }
}

// The token must be safe in a header.
const Token = z.object({
  access_token: z.string().regex(/^[\x21-\x7e]{1,8192}$/),
  expires_in: z.coerce.number().min(0).max(86_400).catch(0),
})

const ErrorShape = z.object({
  message: z.string().nullish(),
  details: z.array(z.object({ message: z.string().nullish() })).nullish(),
})
const reasonsIn = ({ message, details }: z.output<typeof ErrorShape>): (string | null | undefined)[] => [
  message,
  ...(details ?? []).map((detail) => detail.message),
]
const Submission = z.object({
  acceptedDocuments: z
    .array(z.object({ uuid: z.string().min(1).max(100), internalId: z.string() }))
    .nullish()
    .transform(listOf),
  rejectedDocuments: z
    .array(z.object({ internalId: z.string().nullish(), error: ErrorShape }))
    .nullish()
    .transform(listOf),
})
const BadRequest = z.object({ error: ErrorShape })
const Details = z.object({
  status: z.string(),
  longId: z.string().nullish(),
  validationResults: z
    .object({ validationSteps: z.array(z.object({ error: ErrorShape.nullish() })).nullish() })
    .nullish(),
})
const Found = z.object({
  result: z.array(z.object({ uuid: z.string(), internalId: z.string().nullish(), status: z.string() })),
  metadata: z.object({ continuationToken: z.string().nullish() }).nullish(),
})
function listOf<T>(list: readonly T[] | null | undefined): readonly T[] {
  return list ?? []
}

const toSecond = (at: Date): string => `${at.toISOString().slice(0, 19)}Z`

function signedDocument(document: TaxDocument, keys: Keys, signer: Signer, at: Date): object {
  const content = etaDocument(document, keys)
  return {
    ...content,
    signatures: [{ signatureType: 'I', value: signCades(canonicalText(content), signer, at) }],
  }
}

function etaDocument(document: TaxDocument, keys: Keys): object {
  const { kind, currency, seller, buyer, original, taxes, subtotalMinor, taxMinor, totalMinor } = document
  const money = (minor: bigint) => amount(minor, currency)
  const none = money(0n)
  const rateBps = taxes.reduce((sum, tax) => sum + tax.rateBps, 0)
  return {
    issuer: {
      address: {
        branchID: keys.ETA_BRANCH,
        country: 'EG',
        governate: keys.ETA_GOVERNATE,
        regionCity: keys.ETA_CITY,
        street: keys.ETA_STREET,
        buildingNumber: keys.ETA_BUILDING,
      },
      type: 'B',
      id: keys.ETA_TAXPAYER_ID,
      name: seller.name,
    },
    receiver: buyer.taxId === null ? { type: 'P', name: buyer.name } : businessOf(buyer, buyer.taxId),
    documentType: TYPES[kind],
    documentTypeVersion: '1.0',
    dateTimeIssued: toSecond(document.issuedAt),
    taxpayerActivityCode: keys.ETA_ACTIVITY_CODE,
    internalID: document.key,
    ...(original && { references: [original.authorityId] }),
    invoiceLines: document.lines.map(({ description, quantity, netMinor, grossMinor, taxesMinor }) => {
      const units = unitsOf(netMinor, quantity)
      return {
        description,
        itemType: keys.ETA_ITEM_TYPE,
        itemCode: keys.ETA_ITEM_CODE,
        unitType: 'EA',
        quantity: units.quantity,
        internalCode: 'cowrie',
        salesTotal: money(netMinor),
        total: money(grossMinor),
        valueDifference: none,
        totalTaxableFees: none,
        netTotal: money(netMinor),
        itemsDiscount: none,
        unitValue: { currencySold: 'EGP', amountEGP: money(units.unitMinor) },
        taxableItems:
          taxes.length === 0
            ? []
            : [
                {
                  taxType: 'T1',
                  amount: money(taxesMinor.reduce((sum, minor) => sum + minor, 0n)),
                  subType: 'V009',
                  rate: percent(rateBps),
                },
              ],
      }
    }),
    totalSalesAmount: money(subtotalMinor),
    totalDiscountAmount: none,
    netAmount: money(subtotalMinor),
    taxTotals: taxes.length === 0 ? [] : [{ taxType: 'T1', amount: money(taxMinor) }],
    extraDiscountAmount: none,
    totalItemsDiscountAmount: none,
    totalAmount: money(totalMinor),
  }
}

/** Addresses are free text; the authority wants parts. */
const businessOf = ({ name, address, country }: TaxDocument['buyer'], id: string) => ({
  address: {
    country: country ?? 'EG',
    governate: '-',
    regionCity: address?.split('\n').at(-1) ?? '-',
    street: address?.split('\n')[0] ?? '-',
    buildingNumber: '-',
  },
  type: 'B',
  id,
  name,
})

/**
 * The text that is signed: names in capitals and values, each in quotation marks. The name of a list comes before the list and
 * before each element. Numbers have the digits of the JSON.
 */
export function canonicalText(value: unknown): string {
  if (value instanceof DecimalText) return `"${value.source}"`
  if (typeof value !== 'object' || value === null) return `"${String(value ?? '')}"`
  return Object.entries(value)
    .map(([name, part]) => {
      const title = `"${name.toUpperCase()}"`
      if (!Array.isArray(part)) return title + canonicalText(part)
      return title + part.map((each) => title + canonicalText(each)).join('')
    })
    .join('')
}
