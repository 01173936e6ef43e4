// Repositories of JavaScript and TypeScript: npm with a lockfile, and the test runner of Node.js.
import { npmLock, rangesOf } from '../npm-packages.ts'
import type { Files, LanguageRules, TaskInput } from '../task.ts'

const nodeRules = (language: 'javascript' | 'typescript', hiddenFile: string): LanguageRules => ({
  language,
  command: 'npm test',
  judge: `node --test ${hiddenFile}`,
  manifest: nodeManifest,
  hidden: (_, { hidden }) => ({ [hiddenFile]: hidden }),
})

/** CommonJS, unless a source says otherwise. */
function nodeManifest(id: string, { packages = [], files, prompt }: TaskInput): Files {
  const isModule = Object.entries(files).some(
    ([path, text]) => /[.][jt]s$/.test(path) && /^(import|export) /m.test(text),
  )
  const manifest = {
    name: id,
    version: '1.0.0',
    private: true,
    ...(isModule && { type: 'module' }),
    scripts: { test: 'node --test' },
    ...(packages.length > 0 && { dependencies: rangesOf(packages) }),
  }
  return {
    'package.json': `${JSON.stringify(manifest, null, 2)}\n`,
    'package-lock.json': npmLock(id, '1.0.0', packages),
    'README.md': `# ${id}\n\nRun the tests with \`npm test\`.\n\nOpen question: ${prompt.split('.')[0]}.\n`,
    '.gitignore': 'node_modules/\n',
  }
}

export const JAVASCRIPT = nodeRules('javascript', 'test/hidden.test.js')
export const TYPESCRIPT = nodeRules('typescript', 'test/hidden.test.ts')
