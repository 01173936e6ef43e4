import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createArchive } from '@cowrie/testkit/fakes/github/tarball.ts'
import { rounds } from '@cowrie/testkit/harness/soak.ts'
import {
  manyFiles,
  type RepositoryWorld,
  startRepositoryWorld,
} from '@cowrie/testkit/tasks/repository-world.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { GithubRateLimit } from '../../github/github.ts'

let world: RepositoryWorld
beforeAll(async () => {
  world = await startRepositoryWorld()
})
afterAll(() => world.close())
beforeEach(() => {
  world.github.override = null
  world.github.clear()
})

const FILES = {
  'src/app.js': 'const a = 1\n',
  'README.md': '# Pay\n',
  'src/empty.js': '',
  'bin/run': 'exit 0\n',
}
const contentOf = (folder: string, path: string) => readFileSync(join(folder, path), 'utf8')
const requestsTo = (part: string) => world.github.requests.filter((request) => request.includes(part))
const LFS = 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n'

describe('a snapshot', () => {
  test('has the files of a commit, read-only, from one archive', async () => {
    const long = `${'deep/'.repeat(25)}näme.txt`
    const files = { ...FILES, [long]: 'long\n', 'a b.txt': 'x'.repeat(300_000) }
    const tenant = world.addRepo(files)
    tenant.repo.modes.set('bin/run', '100755')
    const snapshot = await tenant.open()
    expect([...snapshot.files.keys()]).toEqual(Object.keys(files).sort())
    for (const [path, content] of Object.entries(files)) {
      expect(contentOf(snapshot.folder, path)).toBe(content)
      expect(snapshot.files.get(path)?.bytes).toBe(Buffer.byteLength(content))
      expect(statSync(join(snapshot.folder, path)).mode & 0o777).toBe(path === 'bin/run' ? 0o555 : 0o444)
    }
    expect(snapshot.files.get('bin/run')?.isExecutable).toBe(true)
    expect(snapshot.skipped).toEqual([])
    expect([requestsTo('/tarball/').length, requestsTo('/git/blobs/').length]).toEqual([1, 0])
    snapshot.release()
    snapshot.release()

    world.github.clear()
    const again = await tenant.open({ commit: snapshot.commit })
    expect(again.files).toEqual(snapshot.files)
    expect(world.github.requests).toEqual([])
  })

  test('stays at its commit when the branch moves', async () => {
    const tenant = world.addRepo(FILES)
    const { commit } = await tenant.resolve()
    tenant.push({ 'src/app.js': 'const a = 2\n' })
    const snapshot = await tenant.open({ commit })
    expect(contentOf(snapshot.folder, 'src/app.js')).toBe('const a = 1\n')
    expect((await tenant.resolve()).commit).not.toBe(commit)
  })

  const COUNT = rounds(600, 3_000)
  test(`of a repository with ${COUNT} files fetches only what changed since the last one`, async () => {
    const files = manyFiles(COUNT)
    const tenant = world.addRepo(files)
    const first = await tenant.open()
    const coldBytes = world.github.bytesSent
    const gone = 'packages/p7/src/module-7.ts'
    const { [gone]: removed, ...rest } = files
    tenant.push({
      ...rest,
      'packages/p1/src/module-1.ts': 'export {}\n',
      'new/copy.ts': 'new\n',
      'new/b.ts': 'new\n',
    })
    world.github.clear()
    world.github.bytesSent = 0
    const second = await tenant.open()
    expect(second.files.size).toBe(COUNT + 1)
    expect([requestsTo('/tarball/').length, requestsTo('/git/blobs/').length]).toEqual([0, 2])
    expect(requestsTo('/git/trees/')).toHaveLength(1)
    expect(contentOf(second.folder, 'new/b.ts')).toBe('new\n')
    expect(contentOf(second.folder, 'packages/p1/src/module-1.ts')).toBe('export {}\n')
    const unchanged = 'packages/p2/src/module-2.ts'
    expect(contentOf(second.folder, unchanged)).toBe(files[unchanged])
    expect(statSync(join(second.folder, unchanged)).ino).toBe(statSync(join(first.folder, unchanged)).ino)
    expect(removed && contentOf(first.folder, gone)).toBe(removed)
    expect(() => contentOf(second.folder, gone)).toThrow('ENOENT')
    expect(coldBytes).toBeGreaterThan(0)
  })

  test('names submodules, links, LFS files, large files and unsafe paths that it skips', async () => {
    const large = 'x'.repeat((32 << 20) + 1)
    const files = {
      'app.js': 'ok\n',
      'vendor/lib': 'a submodule',
      link: '/etc/passwd',
      'media/film.mp4': LFS,
      'data/large.csv': large,
      '.git/config': '[core]\n',
      'sub/.GIT/hooks/post-checkout': '#!/bin/sh\n',
      'back\\slash': 'x',
    }
    const tenant = world.addRepo(files)
    tenant.repo.modes.set('vendor/lib', '160000').set('link', '120000')
    const snapshot = await tenant.open()
    expect([...snapshot.files.keys()]).toEqual(['app.js'])
    expect(snapshot.skipped).toEqual([
      { path: '.git/config', reason: 'unsafe_path' },
      { path: 'back\\slash', reason: 'unsafe_path' },
      { path: 'data/large.csv', reason: 'too_large' },
      { path: 'link', reason: 'link' },
      { path: 'media/film.mp4', reason: 'lfs' },
      { path: 'sub/.GIT/hooks/post-checkout', reason: 'unsafe_path' },
      { path: 'vendor/lib', reason: 'submodule' },
    ])
    tenant.push({ ...files, 'app.js': 'changed\n' })
    world.github.clear()
    const next = await tenant.open()
    expect(next.skipped).toEqual(snapshot.skipped)
    expect(requestsTo('/git/blobs/')).toHaveLength(1)
  })

  test('takes files that attributes change in the archive, or leave out of it, from their blobs', async () => {
    const tenant = world.addRepo({ ...FILES, 'run.bat': 'echo\n', 'test/a.js': 'test\n' })
    world.github.override = (_, path) =>
      path.includes('/tarball/')
        ? {
            status: 200,
            body: createArchive([
              ...Object.entries(FILES).map(([path, content]) => ({ name: `top/${path}`, content })),
              { name: 'top/run.bat', content: 'echo\r\n' },
              { name: 'top/unknown.js', content: 'not in the tree\n' },
            ]),
          }
        : null
    const { folder, files } = await tenant.open()
    expect(contentOf(folder, 'run.bat')).toBe('echo\n')
    expect(contentOf(folder, 'test/a.js')).toBe('test\n')
    expect(files.has('unknown.js')).toBe(false)
    expect(() => contentOf(folder, 'unknown.js')).toThrow('ENOENT')
  })

  test('is listed folder by folder if GitHub cuts the tree off, and refused with too many files', async () => {
    const tenant = world.addRepo({ ...FILES, 'lib/x/y.js': 'y\n' })
    const { commit } = await tenant.resolve()
    const whole = [...tenant.repo.commits.keys()]
    let truncated = 0
    world.github.override = (_, path) =>
      path.endsWith(`/git/trees/${commit}`) && truncated++ === 0
        ? { status: 200, body: { sha: commit, tree: [], truncated: true } }
        : null
    const snapshot = await tenant.open({ commit })
    expect([...snapshot.files.keys()].sort()).toEqual([...Object.keys(FILES), 'lib/x/y.js'].sort())
    expect(whole).toContain(commit)

    tenant.push({ a: 'a' })
    const sha = 'a'.repeat(40)
    const tree = Array.from({ length: 50_001 }, (_, i) => ({
      path: `f${i}`,
      mode: '100644',
      type: 'blob',
      sha,
      size: 1,
    }))
    world.github.override = (_, path) =>
      path.includes('/git/trees/') ? { status: 200, body: { sha, tree, truncated: false } } : null
    await expect(tenant.open()).rejects.toMatchObject({
      code: 'repository_too_large',
      status: 422,
      detail: { limits: { files: 50_000, bytes: 1 << 30 } },
    })
  })
})

describe('a hostile archive is refused and leaves nothing behind', () => {
  const good = { name: 'top/src/app.js', content: 'const a = 1\n' }
  test.for([
    ['a link in place of a file', [{ name: 'top/src/app.js', type: '2', link: '/etc/passwd' }]],
    ['a link to a folder', [{ name: 'top/src', type: '2', link: '/tmp' }, good]],
    ['a path that leaves the folder', [{ name: 'top/../../evil.js', content: 'x' }]],
    ['an absolute path', [{ name: '/top/evil.js', content: 'x' }]],
    ['a file of git', [{ name: 'top/.git/hooks/pre-commit', content: 'x' }]],
    ['two entries of one name', [good, good]],
    ['a device', [{ name: 'top/dev', type: '3' }]],
    ['a bomb', [{ name: 'top/bomb', content: Buffer.alloc(24 << 20) }]],
  ] as const)('%s', async ([, entries]) => {
    const tenant = world.addRepo(FILES)
    world.github.override = (_, path) =>
      path.includes('/tarball/') ? { status: 200, body: createArchive(entries) } : null
    await expect(tenant.open()).rejects.toMatchObject({ code: 'github_unavailable' })
    world.github.override = null
    const { folder } = await tenant.open()
    expect(contentOf(folder, 'src/app.js')).toBe('const a = 1\n')
  })

  test.for([
    ['damaged', Buffer.from('not an archive at all')],
    ['cut off', createArchive([good, { name: 'top/b', content: 'x'.repeat(9_000) }]).subarray(0, 150)],
  ] as const)('or %s, after a second attempt', async ([, body]) => {
    const tenant = world.addRepo(manyFiles(8))
    world.github.override = (_, path) => (path.includes('/tarball/') ? { status: 200, body } : null)
    await expect(tenant.open()).rejects.toMatchObject({ code: 'github_unavailable' })
    expect(requestsTo('/tarball/')).toHaveLength(2)
  })

  test('in part: a content that the tree does not name is fetched alone, and refused if it is wrong again', async () => {
    const tenant = world.addRepo(FILES)
    const tampered = 'const b = 1\n'
    const entries = Object.entries({ ...FILES, 'src/app.js': tampered })
    const body = createArchive(entries.map(([path, content]) => ({ name: `top/${path}`, content })))
    world.github.override = (_, path) =>
      path.includes('/tarball/')
        ? { status: 200, body }
        : path.includes('/git/blobs/')
          ? { status: 200, body: tampered }
          : null
    await expect(tenant.open()).rejects.toMatchObject({ code: 'github_unavailable' })
    world.github.override = (_, path) => (path.includes('/tarball/') ? { status: 200, body } : null)
    const { folder } = await tenant.open()
    expect(contentOf(folder, 'src/app.js')).toBe(FILES['src/app.js'])
  })

  test('or on another host; the host of the API is followed without the token', async () => {
    const tenant = world.addRepo(FILES)
    const { SERVICE_GITHUB_API_URL: api = '' } = world.github.variables
    const bearers: string[] = []
    const redirectTo = (location: string) => {
      world.github.override = (_, path, bearer) => {
        if (path.startsWith('/codeload/')) bearers.push(bearer)
        if (path.includes('/tarball/')) return { status: 302, body: '', headers: { location } }
        const entries = Object.entries(FILES).map(([name, content]) => ({ name: `top/${name}`, content }))
        return path.startsWith('/codeload/') ? { status: 200, body: createArchive(entries) } : null
      }
    }
    redirectTo(`${api.replace('127.0.0.1', 'localhost')}/codeload/x`)
    await expect(tenant.open()).rejects.toMatchObject({ code: 'github_unavailable' })
    redirectTo(`${api}/codeload/x?token=own`)
    expect((await tenant.open()).files.size).toBe(4)
    expect(bearers).toEqual([''])
  })
})

describe('a ref', () => {
  test('is a branch, a commit or the default branch', async () => {
    const tenant = world.addRepo(FILES)
    tenant.push({ 'b.js': 'b\n' }, 'feature/x')
    const main = await tenant.resolve()
    const feature = await tenant.resolve('feature/x')
    expect(main).toEqual({
      commit: expect.stringMatching(/^[0-9a-f]{40}$/),
      repositoryId: tenant.repo.id,
      defaultBranch: 'trunk',
    })
    expect(feature.commit).not.toBe(main.commit)
    expect(await tenant.resolve(feature.commit)).toEqual(feature)
    expect(await tenant.resolve('trunk')).toEqual(main)
  })

  test.for(['missing', '..', 'a/../b', '', '-x', 'a b', 'a\u0000', 'x'.repeat(300), 'e'.repeat(40)])(
    'that does not exist is an error: %j',
    async (ref) => {
      const tenant = world.addRepo(FILES)
      await expect(tenant.resolve(ref)).rejects.toMatchObject({ code: 'ref_not_found', status: 404 })
    },
  )

  test('of a renamed repository is found', async () => {
    const tenant = world.addRepo(FILES)
    const { SERVICE_GITHUB_API_URL: api } = world.github.variables
    const before = await tenant.resolve()
    world.clock.advance({ hours: 1 })
    const body = { id: tenant.repo.id, full_name: tenant.name, default_branch: 'trunk' }
    let location = `${api}/repositories/${tenant.repo.id}`
    world.github.override = (_, path) =>
      path === `/repos/${tenant.name}`
        ? { status: 301, body: {}, headers: { location } }
        : path === `/repositories/${tenant.repo.id}`
          ? { status: 200, body }
          : null
    expect(await tenant.resolve()).toEqual(before)
    world.clock.advance({ hours: 1 })
    location = 'http://127.0.0.1:9/repositories/1'
    await expect(tenant.resolve()).rejects.toMatchObject({ code: 'github_unavailable' })
  })
})

describe('access', () => {
  test('ends with the installation, in the database or on GitHub', async () => {
    const tenant = world.addRepo(FILES)
    const { commit } = await tenant.open()
    tenant.installation.status = 'suspended'
    await expect(tenant.open({ commit })).rejects.toMatchObject({
      code: 'installation_unavailable',
      status: 409,
    })
    tenant.installation.status = 'active'
    const onGithub = world.github.installations.get(tenant.external)
    if (onGithub) onGithub.suspended = true
    world.clock.advance({ minutes: 6 })
    await expect(tenant.open({ commit })).rejects.toMatchObject({ code: 'installation_unavailable' })
    world.github.installations.delete(tenant.external)
    await expect(tenant.resolve()).rejects.toMatchObject({ code: 'installation_unavailable' })
  })

  test('needs permission to read contents', async () => {
    const tenant = world.addRepo(FILES)
    const onGithub = world.github.installations.get(tenant.external)
    if (onGithub) onGithub.permissions = { metadata: 'read' }
    await expect(tenant.resolve()).rejects.toMatchObject({
      code: 'permission_missing',
      status: 409,
      detail: { permissions: ['contents: read'] },
    })
  })

  test('is limited to the repositories of the installation, even if another one is public', async () => {
    const [tenant, other] = [world.addRepo(FILES), world.addRepo(FILES)]
    const request = { installation: tenant.installation, signal: new AbortController().signal }
    const { resolveRef } = await import('./repository.ts')
    const attempt = (repository: string) => resolveRef(world.app, { ...request, repository })
    await expect(attempt('acme/unknown')).rejects.toMatchObject({ code: 'repository_not_found', status: 404 })
    await expect(attempt('../../app')).rejects.toMatchObject({ code: 'repository_not_found' })
    const body = { id: other.repo.id, full_name: other.name }
    world.github.override = (_, path) => (path === `/repos/${other.name}` ? { status: 200, body } : null)
    await expect(attempt(other.name)).rejects.toMatchObject({ code: 'repository_not_found' })
  })

  test('that is revoked during a download ends it', async () => {
    const tenant = world.addRepo(FILES)
    const { commit } = await tenant.resolve()
    world.github.override = (_, path) =>
      path.includes('/tarball/') ? { status: 401, body: { message: 'Bad credentials' } } : null
    await expect(tenant.open({ commit })).rejects.toMatchObject({ code: 'installation_unavailable' })
  })
})

describe('GitHub', () => {
  test('that is down or limits requests fails the open, which succeeds later', async () => {
    const tenant = world.addRepo(FILES)
    const { commit } = await tenant.resolve()
    const failing = (status: number, headers = {}) => {
      world.github.override = (_, path) => (path.includes('/tarball/') ? { status, body: {}, headers } : null)
    }
    failing(503)
    await expect(tenant.open({ commit })).rejects.toMatchObject({ code: 'github_unavailable', status: 503 })
    failing(429, { 'retry-after': '120' })
    await expect(tenant.open({ commit })).rejects.toThrow(new GithubRateLimit(120))
    failing(403, {
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': String(world.clock.now().getTime() / 1000 + 90),
    })
    await expect(tenant.open({ commit })).rejects.toThrow(new GithubRateLimit(90))
    world.github.override = null
    const snapshot = await tenant.open({ commit })
    expect(snapshot.files.size).toBe(4)

    world.github.override = () => ({ status: 500, body: {} })
    expect((await tenant.open({ commit })).files.size).toBe(4)
  })
})
