import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { loadSecretFiles } from './secret-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'cowrie-secrets-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function fileWith(text: string): string {
  const path = join(folder, String(text.length))
  writeFileSync(path, text)
  return path
}

test('a variable gets the content of its file without the final newline', () => {
  const variables: Record<string, string | undefined> = {
    SERVICE_SECRET_FILE: fileWith('forty-two\n'),
    PAYSTACK_SECRET_KEY_FILE: fileWith('sk_live'),
    DATABASE_URL_FILE: fileWith('postgres://db/cowrie\r\n'),
    SERVICE_SMTP_URL_FILE: ' ',
  }
  loadSecretFiles(variables)
  expect(variables).toEqual({
    SERVICE_SECRET: 'forty-two',
    PAYSTACK_SECRET_KEY: 'sk_live',
    DATABASE_URL: 'postgres://db/cowrie',
    SERVICE_SMTP_URL_FILE: ' ',
  })
})

test('file variables of other programs are not changed', () => {
  const others = { SSL_CERT_FILE: '/nowhere', AWS_WEB_IDENTITY_TOKEN_FILE: '/nowhere', _FILE: '/nowhere' }
  const variables = { ...others }
  loadSecretFiles(variables)
  expect(variables).toEqual(others)
})

test('all problems are reported at once, by name and without values', () => {
  const variables = {
    METRICS_TOKEN_FILE: join(folder, 'absent'),
    SERVICE_SECRET: 'in the open',
    SERVICE_SECRET_FILE: fileWith('in the file'),
  }
  expect(() => loadSecretFiles(variables)).toThrow(
    'METRICS_TOKEN_FILE has a path that cannot be read (ENOENT). Correct it.\n  - SERVICE_SECRET and SERVICE_SECRET_FILE are both set. Remove one of them.',
  )
})
