import { expect, test } from 'vitest'
import { repoOfFiles } from './chosen-repo.ts'

const file = (path: string, folder?: string) => ({
  path,
  size: 1,
  bytes: async () => new ArrayBuffer(1),
  ...(folder !== undefined && { folder }),
})

test('a folder becomes a repository with its name, and single files are added to the open one', () => {
  expect(repoOfFiles([file('src/a.ts', 'shop'), file('b.ts', 'shop')], 'bank')).toBe('shop')
  expect(repoOfFiles([file('a.ts')], 'bank')).toBe('bank')
  expect(repoOfFiles([file('shop/a.ts'), file('bank/a.ts')], 'default')).toBe('default')
  expect(repoOfFiles([file('a.ts', 'x'.repeat(300))], 'bank')).toHaveLength(200)
})
