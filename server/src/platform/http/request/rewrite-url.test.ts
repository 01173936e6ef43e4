import { describe, expect, test } from 'vitest'
import { rewriteUrl } from './rewrite-url.ts'

describe('an address of models is rewritten', () => {
  const google = { 'x-goog-api-client': 'google-genai-sdk/3.1.0' }
  test.for<[url: string, headers: Record<string, string>, rewritten: string]>([
    ['/v1/models/deepseek/v3:free?limit=1', {}, '/v1/models/deepseek%2Fv3:free?limit=1'],
    ['/v1beta/models/a/b/c:countTokens', {}, '/v1beta/models/a%2Fb%2Fc:countTokens'],
    ['/v1/models/open:generateContent', {}, '/v1beta/models/open:generateContent'],
    [
      '/v1/models/a/b:streamGenerateContent?alt=sse',
      {},
      '/v1beta/models/a%2Fb:streamGenerateContent?alt=sse',
    ],
    ['/v1/models?pageSize=2', google, '/v1beta/models?pageSize=2'],
    ['/v1/models/open', google, '/v1beta/models/open'],
  ])('%s with %o', ([url, headers, rewritten]) => {
    expect(rewriteUrl({ url, headers })).toBe(rewritten)
  })
})

describe('every other address is kept', () => {
  test.for([
    '/',
    '/v1/models',
    '/v1/models/',
    '/v1/models/open',
    '/v1/models?x=a/b:generateContent',
    '/v1/modelsx/a/b',
    '/v1/chat/completions',
    '/v1beta/tunedModels/x:generateContent',
    '/orgs/a/v1/models/b/c',
  ])('%s', (url) => {
    expect(rewriteUrl({ url, headers: {} })).toBe(url)
  })
})
