import {
  contextPathRule,
  isCleanContextPath,
  PATH_BYTES_MAX,
  PATH_SEGMENTS_MAX,
  printablePath,
} from '@cowrie/workspace/paths/clean-path.ts'
import { cleanPath } from '@cowrie/workspace/paths/protected-paths.ts'
import { describe, expect, test } from 'vitest'

describe('a path is accepted', () => {
  test.for([
    'a.ts',
    'src/app/[id]/page.tsx',
    'src/routes/$user.(group)/_index.tsx',
    'src/@types/a b.d.ts',
    '.gitignore',
    '.github/CODEOWNERS',
    '.vscode/extensions.json',
    'docs/Ọjọ́.md',
    'environment/x.py',
    'src/key.ts',
    '.cargo/README.md',
    '.yarn/notes.md',
    'git/config',
    'x'.repeat(PATH_BYTES_MAX),
    Array.from({ length: PATH_SEGMENTS_MAX }, () => 'a').join('/'),
  ])('%s', (path) => {
    expect(cleanPath(path.normalize('NFC'))).toEqual({ path: path.normalize('NFC') })
  })
})

describe('a path is rejected', () => {
  test.for<[reason: string, path: string]>([
    ['empty', ''],
    ['empty', '  '],
    ['too_long', 'x'.repeat(PATH_BYTES_MAX + 1)],
    ['too_long', 'ọ'.repeat(PATH_BYTES_MAX / 2)],
    ['too_deep', `${'a/'.repeat(PATH_SEGMENTS_MAX)}a`],
    ['too_long', 'a/'.repeat(10_000)],
    ['dot_segment', '../x'],
    ['dot_segment', 'src/../../x'],
    ['dot_segment', 'src/./x'],
    ['dot_segment', '.'],
    ['dot_segment', 'src/.../x'],
    ['absolute', '/etc/passwd'],
    ['absolute', '//server/share'],
    ['home', '~/x'],
    ['home', '~root/x'],
    ['drive', 'C:\\x'],
    ['drive', 'c:x'],
    ['backslash', '\\\\server\\share'],
    ['backslash', 'src\\a.ts'],
    ['percent_encoded', '%2e%2e/x'],
    ['percent_encoded', 'src/%2Fx'],
    ['control_character', 'src/a\0.ts'],
    ['control_character', 'src/a\n.ts'],
    ['control_character', 'src/a\u2028.ts'],
    ['control_character', 'src/\ud800.ts'],
    ['invisible_character', 'src/\u202egnp.ts'],
    ['invisible_character', 'src/a\u200b.ts'],
    ['invisible_character', '.git\u200c/config'],
    ['invisible_character', 'src/a\u00a0b.ts'],
    ['invisible_character', 'src/\ufeffa.ts'],
    ['look_alike', '\uff0e\uff0e/x'],
    ['look_alike', '..\u2044x'],
    ['look_alike', 'src\u2215x'],
    ['look_alike', 'src\uff0fx'],
    ['look_alike', '\u2025/x'],
    ['look_alike', '.\uff47it/config'],
    ['look_alike', 'caf\u0065\u0301.ts'],
    ['trailing_dot_or_space', 'src/a.ts.'],
    ['trailing_dot_or_space', 'src /a.ts'],
    ['trailing_dot_or_space', '.git./config'],
    ['trailing_dot_or_space', 'src/ a.ts'],
    ['empty_segment', 'src//x'],
    ['empty_segment', 'src/'],
    ['short_name', 'git~1/config'],
    ['short_name', 'PROGRA~1/x'],
    ['forbidden_character', '.git::$INDEX_ALLOCATION/config'],
    ['forbidden_character', 'src/a.ts:stream'],
    ['device_name', 'src/NUL'],
    ['device_name', 'con.txt'],
    ['option', '-rf'],
  ])('(%s) %j', ([reason, path]) => {
    expect(cleanPath(path)).toEqual({ reason })
    expect(isCleanContextPath(path)).toBe(false)
  })

  test.for([
    '.github/workflows/ci.yml',
    '.GitHub/Workflows/ci.yml',
    '.husky/pre-commit',
    'node_modules/.bin/x',
    'packages/a/node_modules/x/index.js',
    '.npmrc',
    'app/.envrc',
    '.env',
    '.env.local',
    'app/.ENV.production',
    '.vscode/tasks.json',
    '.gitmodules',
    'certs/server.pem',
    'deploy/id_rsa',
    'keys/ID_ED25519.pub',
    '.gitlab-ci.yml',
    '.mcp.json',
    '.claude/settings.json',
    '.cursor/mcp.json',
    '.cargo/config.toml',
    'a/.cargo/config',
    '.pre-commit-config.yaml',
    'lefthook.yml',
    '.githooks/pre-commit',
    '.yarn/releases/yarn.cjs',
    '.yarn/plugins/a.cjs',
    '.pnp.cjs',
    'x.code-workspace',
    '.mise.toml',
    '.tool-versions',
    '.gitlab-ci.yaml',
    '.gitattributes',
    '.hg/hgrc',
    '.svn/x',
    '.devcontainer/a.json',
    '.idea/workspace.xml',
    'azure-pipelines-ci.yaml',
    'bitbucket-pipelines.yml',
    'Jenkinsfile',
    '.circleci/config.yml',
  ])('%s because it is protected, though the model may read it', (path) => {
    expect(cleanPath(path)).toEqual({ reason: 'protected' })
    expect(isCleanContextPath(path)).toBe(true)
  })

  test.for(['.git/config', '.GIT/hooks/pre-commit', 'sub/.git/config', '.g\u0131t/config', '.git'])(
    '%s because it belongs to git, and the model may not read it',
    (path) => {
      expect(cleanPath(path)).toEqual({ reason: 'protected' })
      expect(isCleanContextPath(path)).toBe(false)
    },
  )
})

test('no combination of tricks leaves the workspace', () => {
  const ups = [
    '..',
    '\uff0e\uff0e',
    '.\u200b.',
    '%2e%2e',
    '.%2e',
    '\u2025',
    '.. ',
    '...',
    '..\0',
    '\u2024\u2024',
  ]
  const slashes = ['/', '\\', '\u2044', '\uff0f', '%2f', '//', '\u2215', '\u29f8', '\uff3c']
  const heads = ['', 'src', 'C:', '~', '.']
  const tails = ['etc/passwd', '.git/hooks/x', 'a.ts']
  const escapes = heads.flatMap((head) =>
    ups.flatMap((up) =>
      slashes.flatMap((slash) => tails.map((tail) => head + (head && slash) + up + slash + tail)),
    ),
  )
  const folders = [
    '.git',
    '.GIT',
    '.Git',
    'git~1',
    'GIT~1',
    '.git\u200c',
    '.git.',
    '.git ',
    '.gi\u2060t',
    '.g\u0131t',
  ]
  const inGit = folders.flatMap((folder) =>
    ['', 'a/', 'a/b/'].flatMap((head) =>
      ['config', 'hooks/pre-commit', 'HEAD'].map((tail) => `${head}${folder}/${tail}`),
    ),
  )
  expect(escapes.length + inGit.length).toBeGreaterThan(1_000)
  expect([...escapes, ...inGit].filter((path) => 'path' in cleanPath(path))).toEqual([])
})

test('a rejected path is shown with invisible characters escaped', () => {
  expect(printablePath('a\u202e\0\u200bb')).toBe('a\\u{202e}\\u{0}\\u{200b}b')
  expect(printablePath('x'.repeat(1_000))).toHaveLength(PATH_BYTES_MAX + 1)
})

test.for([
  ['cafe\u0301.js', 'accents composed'],
  ['a/../b.js', 'must not have . or .. in it'],
  ['.git/config', 'must not lead into .git'],
  ['C:/a.js', 'a drive'],
  ['', 'must not be empty'],
] as const)('the reason why %s is no path of a context file says "%s"', ([path, reason]) => {
  expect(isCleanContextPath(path)).toBe(false)
  expect(contextPathRule(path)).toContain(reason)
})
