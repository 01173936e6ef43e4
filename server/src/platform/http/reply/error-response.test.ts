import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ApiError, invalidFields } from '../../../kernel/errors.ts'
import { LANGUAGE_CODES, type Language } from '../../texts/language.ts'
import { minor } from '../shapes.ts'
import { errorResponse, fieldErrors } from './error-response.ts'

const Shape = z.object({ name: z.string().max(5), tags: z.array(z.string()).optional() })

describe('a field error is reported', () => {
  test.for<[string, given: unknown, path: string, message: string]>([
    ['when it is missing', {}, 'name', 'is required'],
    ['when it is of another type', { name: 5 }, 'name', 'must be a text'],
    ['when it is null', { name: null }, 'name', 'must be a text'],
    ['when it is too long', { name: 'Chinua' }, 'name', 'must have at most 5 characters'],
    ['when it is nested', { name: 'Ada', tags: ['a', 7] }, 'tags.1', 'must be a text'],
    ['when it is the whole body', [], '', 'must be an object'],
  ])('%s', ([, given, path, message]) => {
    const parsed = Shape.safeParse(given)
    expect(fieldErrors(parsed.error?.issues ?? [])).toEqual([{ path, message }])
  })

  const Order = z.object({
    amountMinor: minor(),
    lane: z.enum(['open', 'frontier']),
    seats: z.int(),
    value: z.union([z.boolean(), z.number(), z.string()]),
    workspace: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('files') }),
      z.object({ kind: z.literal('client') }),
    ]),
    attachment: z.union([
      z.object({ name: z.string(), mediaType: z.enum(['image/png']), data: z.base64() }),
      z.object({ name: z.string(), content: z.string() }),
    ]),
  })
  const GOOD = {
    amountMinor: 5n,
    lane: 'open',
    seats: 1,
    value: 'a',
    workspace: { kind: 'files' },
    attachment: { name: 'a', content: '' },
  }
  test.for<[given: object, path: string, message: string]>([
    [{ amountMinor: undefined }, 'amountMinor', 'is required'],
    [{ lane: undefined }, 'lane', 'is required'],
    [{ lane: 'closed' }, 'lane', 'must be one of open, frontier'],
    [{ seats: 1.5 }, 'seats', 'must be a whole number'],
    [{ seats: '1' }, 'seats', 'must be a number'],
    [{ value: undefined }, 'value', 'is required'],
    [{ value: [] }, 'value', 'must be true or false, a number or a text'],
    [{ workspace: { kind: 'folder' } }, 'workspace.kind', 'must be one of files, client'],
    [{ workspace: {} }, 'workspace.kind', 'is required'],
    [{ attachment: { name: 'a' } }, 'attachment.content', 'is required'],
    [
      { attachment: { name: 'a', mediaType: 'image/bmp', data: '' } },
      'attachment.mediaType',
      'must be image/png',
    ],
    [{ attachment: { name: 'a', mediaType: 'image/png', data: '%' } }, 'attachment.data', 'must be base64'],
    [{ attachment: 5 }, 'attachment', 'must be an object'],
  ])('in plain words: %j', ([given, path, message]) => {
    const parsed = Order.safeParse({ ...GOOD, ...given }, { reportInput: true })
    expect(fieldErrors(parsed.error?.issues ?? [])).toEqual([{ path, message }])
  })
})

describe('an error is written in the language of the caller', () => {
  const bodyIn = (language: Language, error: ApiError) =>
    JSON.parse(errorResponse(error, 'req_1', 'native', language).body) as Record<string, unknown>

  test.for<[Language, error: string, field: string]>([
    [
      'en',
      'Some fields are missing or invalid. See "fields" for each of them.',
      'must have at most 5 characters',
    ],
    [
      'fr',
      'Certaines réponses manquent ou sont fausses. Corrigez celles qui sont signalées.',
      'doit avoir au plus 5 caractères',
    ],
    ['sw', 'Baadhi ya sehemu', 'lazima iwe na herufi 5 au chini'],
    ['ar', '', 'يجب ألا يتجاوز عدد أحرفها \u20685\u2069'],
  ])('%s', ([language, error, message]) => {
    const parsed = Shape.safeParse({ name: 'Chinua' })
    const body = bodyIn(language, invalidFields(...fieldErrors(parsed.error?.issues ?? [])))
    expect(body).toMatchObject({ code: 'invalid_fields', fields: [{ path: 'name', message }] })
    expect(body.error).toContain(error)
  })

  test('with the reason of a refusal, and texts of others as they are', () => {
    const refused = new ApiError('payment_refused', { reason: 'The card has expired.' })
    expect(bodyIn('fr', refused)).toMatchObject({ reason: 'La carte a expiré.' })
    const reasons = ['A payment is under review. Wait for the decision, or contact support.']
    expect(bodyIn('fr', new ApiError('org_not_closable', { reasons })).reasons).toEqual([
      'Un paiement est en vérification. Attendez la décision, ou contactez le support.',
    ])
    const upstream = new ApiError('bad_request', { error: 'max_tokens is too large' })
    expect(bodyIn('fr', upstream)).toMatchObject({ code: 'bad_request', error: 'max_tokens is too large' })
  })

  test('the code and the other details are the same in every language', () => {
    const bodies = LANGUAGE_CODES.map((language) => {
      const { error, ...rest } = bodyIn(language, new ApiError('budget_too_low', { requiredMinor: 5n }))
      expect(error).toBeTruthy()
      return rest
    })
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1)
  })

  test('formats of other APIs stay in English, because their clients compare texts', () => {
    for (const format of ['openai', 'anthropic', 'gemini'] as const) {
      const error = new ApiError('prompt_too_long')
      expect(errorResponse(error, 'req_1', format, 'fr').body).toBe(
        errorResponse(error, 'req_1', format).body,
      )
    }
  })
})
