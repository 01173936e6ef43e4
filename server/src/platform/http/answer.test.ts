import { expect, test } from 'vitest'
import { localPath } from './answer.ts'

test.for(['/app', '/app/wallet?tab=ledger', '/app/runs/run_1#end', '/app/tasks/new?sample=1&prompt=Fix+it*'])(
  '%s is a local path',
  (path) => {
    expect(localPath(path)).toBe(path)
  },
)

test.for([
  undefined,
  '',
  'app',
  '//evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  'https://evil.example',
  'https:evil.example',
  'javascript:alert(1)',
  '/app\r\nset-cookie: a=b',
  '/%0d%0a/..//evil\t',
  '/app<script>',
])('%j is replaced by the app', (path) => {
  expect(localPath(path)).toBe('/app')
})
