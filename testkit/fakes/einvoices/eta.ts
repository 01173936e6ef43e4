// A fake of Egypt's eInvoicing: OAuth tokens, acceptance at once, validation later.
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { FakeReply, FakeRequest } from '../payments/loopback-server.ts'
import { SEAL_CERTIFICATE, SEAL_KEY } from './eta-seal.fixture.ts'
import {
  cents,
  type FakeAuthority,
  type RegisteredDocument,
  reply,
  startAuthorityServer,
  sumOf,
} from './fake-authority.ts'

export type FakeEta = FakeAuthority & {
  /** Invalidates all issued tokens. */
  expireTokens(): void
  /** How many tokens were issued. */
  tokensIssued(): number
}

type Kept = RegisteredDocument & {
  uuid: string
  status: 'Submitted' | 'Valid' | 'Invalid'
  issued: string
  type: string
}

const SUBMISSIONS = '/api/v1.0/documentsubmissions'
const registers = ({ path }: FakeRequest): boolean => path === SUBMISSIONS

export async function startFakeEta(): Promise<FakeEta> {
  const documents: Kept[] = []
  const tokens = new Set<string>()
  let issued = 0

  function issueToken(raw: string): FakeReply {
    const form = new URLSearchParams(raw)
    const isKnown = form.get('client_id') === 'client' && form.get('client_secret') === 'client-secret'
    if (!fake.keysWork || !isKnown || form.get('grant_type') !== 'client_credentials')
      return reply(400, { error: 'invalid_client' })
    const token = randomUUID()
    tokens.add(token)
    issued += 1
    return reply(200, { access_token: token, expires_in: 3600, token_type: 'Bearer', scope: 'InvoicingAPI' })
  }

  function submit(raw: string): FakeReply {
    const read = Submission.safeParse(JSON.parse(raw))
    if (!read.success) {
      const target = read.error.issues[0]?.path.join('.')
      return reply(400, { error: { code: 'BadStructure', message: `Bad structure: ${target}`, details: [] } })
    }
    const [document] = read.data.documents
    if (!document) return reply(400, { error: { code: 'BadArgument', message: 'No documents' } })
    const { internalID, documentType: type, dateTimeIssued } = document
    if (documents.some(({ key, status }) => key === internalID && status !== 'Invalid'))
      return reply(422, { error: { code: 'DuplicateSubmission', message: 'Identical payload' } })
    const problem = fake.rejects ? 'Item code is not registered' : problemIn(document, documents)
    if (problem) {
      const error = {
        code: 'ValidationError',
        message: 'Validation Error',
        details: [{ code: 'CF301', message: problem }],
      }
      return reply(200, {
        submissionId: null,
        acceptedDocuments: [],
        rejectedDocuments: [{ internalId: internalID, error }],
      })
    }
    const uuid = `UUID${String(documents.length + 1).padStart(22, '0')}`
    documents.push({
      key: internalID,
      uuid,
      status: 'Submitted',
      issued: dateTimeIssued,
      type,
      body: JSON.parse(raw),
    })
    const accepted = { uuid, longId: `LONG${uuid}`, internalId: internalID, hashKey: 'x' }
    return reply(202, { submissionId: `SUB${uuid}`, acceptedDocuments: [accepted], rejectedDocuments: [] })
  }

  function search(query: URLSearchParams): FakeReply {
    const from = query.get('issueDateFrom') ?? ''
    const to = query.get('issueDateTo') ?? ''
    const type = query.get('documentType')?.toUpperCase()
    const result = documents
      .filter((each) => each.issued >= from && each.issued <= to && each.type === type)
      .map(({ uuid, key, status }) => ({ uuid, longId: `LONG${uuid}`, internalId: key, status }))
    return reply(200, { result, metadata: { continuationToken: 'EndofResultSet' } })
  }

  function details(uuid: string): FakeReply {
    const found = documents.find((each) => each.uuid === uuid)
    if (!found) return reply(404, { error: { code: '404', message: 'not found' } })
    const { status, key } = found
    const failed = {
      error: { message: 'Item code is not active', details: [{ message: 'EG-1 was deactivated' }] },
    }
    return reply(200, {
      uuid,
      longId: status === 'Valid' ? `LONG${uuid}` : null,
      internalId: key,
      status,
      validationResults: { status, validationSteps: status === 'Invalid' ? [{ error: null }, failed] : [] },
    })
  }

  function handle({ method, path, headers, query, raw }: FakeRequest): FakeReply {
    if (path === '/connect/token') return issueToken(raw)
    if (!fake.keysWork || !tokens.has(headers.authorization?.replace(/^Bearer /, '') ?? ''))
      return reply(401, {})
    if (method === 'POST' && path === SUBMISSIONS) return submit(raw)
    if (path === '/api/v1.0/documents/search') return search(query)
    const [, uuid] = /^\/api\/v1\.0\/documents\/(\w+)\/details$/.exec(path) ?? []
    return uuid === undefined ? reply(404, {}) : details(uuid)
  }

  const server = await startAuthorityServer(handle, registers)
  const fake: FakeEta = {
    name: 'eta',
    server,
    country: 'EG',
    currency: 'EGP',
    variables: {
      SERVICE_SELLER_COUNTRY: 'EG',
      ETA_BASE_URL: server.url,
      ETA_ID_URL: server.url,
      ETA_CLIENT_ID: 'client',
      ETA_CLIENT_SECRET: 'client-secret',
      ETA_TAXPAYER_ID: '204961254',
      ETA_ACTIVITY_CODE: '6201',
      ETA_ITEM_CODE: 'EG-204961254-1',
      ETA_GOVERNATE: 'Cairo',
      ETA_CITY: 'Nasr City',
      ETA_STREET: '1 Tahrir',
      ETA_BUILDING: '13',
      ETA_SIGNING_KEY: SEAL_KEY,
      ETA_SIGNING_CERTIFICATE: SEAL_CERTIFICATE,
    },
    documents,
    rejects: false,
    keysWork: true,
    occupy({ key, day }: { key: string; day: string }) {
      const uuid = `OTHER${documents.length + 1}`
      documents.push({ key, uuid, status: 'Valid', issued: `${day}T00:00:00Z`, type: 'I', body: null })
    },
    decide(verdict: 'valid' | 'invalid') {
      for (const document of documents)
        if (document.status === 'Submitted') document.status = verdict === 'valid' ? 'Valid' : 'Invalid'
    },
    expireTokens: () => tokens.clear(),
    tokensIssued: () => issued,
  }
  return fake
}

const amount = z.number().min(0)
const Party = z.object({
  type: z.enum(['B', 'P', 'F']),
  id: z.string().optional(),
  name: z.string().min(1),
  address: z
    .object({
      country: z.string(),
      governate: z.string(),
      regionCity: z.string(),
      street: z.string(),
      buildingNumber: z.string(),
    })
    .optional(),
})
const Tax = z.strictObject({ taxType: z.literal('T1'), amount })
const Document = z.strictObject({
  issuer: Party.required(),
  receiver: Party,
  documentType: z.enum(['I', 'C']),
  documentTypeVersion: z.literal('1.0'),
  dateTimeIssued: z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
  taxpayerActivityCode: z.string(),
  internalID: z.string().min(1).max(50),
  references: z.array(z.string()).optional(),
  invoiceLines: z
    .array(
      z.strictObject({
        description: z.string().min(1),
        itemType: z.enum(['EGS', 'GS1']),
        itemCode: z.string(),
        unitType: z.literal('EA'),
        quantity: z.number().min(1),
        internalCode: z.string(),
        salesTotal: amount,
        total: amount,
        valueDifference: amount,
        totalTaxableFees: amount,
        netTotal: amount,
        itemsDiscount: amount,
        unitValue: z.strictObject({ currencySold: z.literal('EGP'), amountEGP: amount }),
        taxableItems: z.array(Tax.extend({ subType: z.string(), rate: amount })),
      }),
    )
    .min(1),
  totalSalesAmount: amount,
  totalDiscountAmount: amount,
  netAmount: amount,
  taxTotals: z.array(Tax),
  extraDiscountAmount: amount,
  totalItemsDiscountAmount: amount,
  totalAmount: amount,
  signatures: z
    .array(z.strictObject({ signatureType: z.literal('I'), value: z.base64().min(500) }))
    .length(1),
})
const Submission = z.strictObject({ documents: z.array(Document) })

function problemIn(document: z.output<typeof Document>, documents: readonly Kept[]): string | null {
  const { invoiceLines: lines, netAmount, taxTotals, totalAmount, receiver } = document
  if (receiver.type === 'B' && (!receiver.id || !receiver.address))
    return 'A business has a number and an address'
  if (
    document.documentType === 'C' &&
    !document.references?.every((uuid) => documents.some((each) => each.uuid === uuid))
  )
    return 'The referenced document does not exist'
  if (
    lines.some(
      ({ quantity, unitValue, salesTotal }) => cents(unitValue.amountEGP) * quantity !== cents(salesTotal),
    )
  )
    return 'salesTotal is not value times quantity'
  if (sumOf(lines.map(({ netTotal }) => netTotal)) !== cents(netAmount))
    return 'netAmount is not the sum of the lines'
  const taxes = lines.flatMap(({ taxableItems }) => taxableItems.map((tax) => tax.amount))
  if (sumOf(taxes) !== sumOf(taxTotals.map((tax) => tax.amount)))
    return 'taxTotals is not the sum of the lines'
  return sumOf([netAmount, ...taxes]) === cents(totalAmount) ? null : 'totalAmount is not the sum'
}
