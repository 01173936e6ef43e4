// Beginnings of files by their kind.
import type { Clause } from './clauses.ts'
import { functionNames } from './functions.ts'
import { isCommonJs } from './insert.ts'
import { extensionOf, isTestPath, languageOf, mainLanguage } from './language.ts'
import { classSkeleton, printSkeleton, serverSkeleton } from './program-skeletons.ts'
import type { Workspace } from './workspace.ts'

/** Undefined for what has no usual beginning. */
export function skeletonOf(path: string, clause: Clause, workspace: Workspace): string | undefined {
  const file = path.slice(path.lastIndexOf('/') + 1)
  const plain = BY_NAME.get(file.toLowerCase())
  if (plain !== undefined) return plain(workspace)
  const language = languageOf(path)
  if (language !== undefined) {
    const isCommon = isCommonJs(workspace, path)
    return (
      classSkeleton(clause.text, language, isCommon) ??
      serverSkeleton(clause.text, language, isCommon) ??
      printSkeleton(clause.text, language)
    )
  }
  const title = titleOf(file)
  if (extensionOf(path) === 'md') return `# ${title}\n`
  if (extensionOf(path) === 'html') return page(title)
  if (extensionOf(path) === 'css') return 'body {\n  margin: 0;\n  font-family: system-ui, sans-serif;\n}\n'
  if (extensionOf(path) === 'json') return '{}\n'
  if (extensionOf(path) === 'sh') return '#!/bin/sh\nset -eu\n'
  return undefined
}

const BY_NAME: ReadonlyMap<string, (workspace: Workspace) => string> = new Map(
  Object.entries({
    'readme.md': readme,
    '.gitignore': (workspace) =>
      isPython(workspace)
        ? '__pycache__/\n*.pyc\n.venv/\n.pytest_cache/\n.env\n'
        : 'node_modules/\ndist/\ncoverage/\n*.log\n.env\n',
    '.dockerignore': () => '.git\nnode_modules\ndist\n__pycache__\n.venv\n.env\n',
    dockerfile: (workspace) => (isPython(workspace) ? PYTHON_IMAGE : NODE_IMAGE),
    makefile: (workspace) =>
      isPython(workspace) ? '.PHONY: test\ntest:\n\tpython -m pytest\n' : '.PHONY: test\ntest:\n\tnpm test\n',
    'package.json': (workspace) =>
      `${JSON.stringify({ name: nameOf(workspace), version: '0.1.0', private: true, type: 'module', scripts: { start: 'node server.js', test: 'node --test' } }, null, 2)}\n`,
    'tsconfig.json': () =>
      `${JSON.stringify({ compilerOptions: { target: 'es2023', module: 'nodenext', strict: true, skipLibCheck: true, outDir: 'dist' }, include: ['src'] }, null, 2)}\n`,
    'changelog.md': () => '# Changelog\n\n## Unreleased\n\n- First entry.\n',
    '.editorconfig': () =>
      'root = true\n\n[*]\ncharset = utf-8\nend_of_line = lf\nindent_style = space\nindent_size = 2\ninsert_final_newline = true\ntrim_trailing_whitespace = true\n',
  }),
)

const NODE_IMAGE = `FROM node:24-slim
WORKDIR /app
COPY package*.json ./
RUN npm ci --omit=dev
COPY . .
USER node
EXPOSE 3000
CMD ["npm", "start"]
`

const PYTHON_IMAGE = `FROM python:3.13-slim
WORKDIR /app
COPY requirements.txt ./
RUN pip install --no-cache-dir -r requirements.txt
COPY . .
EXPOSE 8000
CMD ["python", "main.py"]
`

/** Says what is there: files, their functions and the commands that go with them. */
function readme(workspace: Workspace): string {
  const sources = [...workspace.files].filter(([path]) => languageOf(path) !== undefined && !isTestPath(path))
  const lines = sources.slice(0, 30).map(([path, text]) => {
    const names = functionNames(text, languageOf(path) ?? 'js').slice(0, 8)
    return `- \`${path}\`${names.length > 0 ? `: ${names.map((name) => `\`${name}\``).join(', ')}` : ''}`
  })
  const commands = isPython(workspace) ? ['python -m pytest'] : ['npm install', 'npm test']
  return [
    `# ${titleOf(nameOf(workspace))}`,
    '',
    'What this project is for, in one or two sentences.',
    ...(lines.length > 0 ? ['', '## What is in it', '', ...lines] : []),
    '',
    '## Use',
    '',
    '```sh',
    ...commands,
    '```',
    '',
  ].join('\n')
}

const isPython = ({ files }: Workspace): boolean => mainLanguage(files.keys()) === 'py'

function nameOf({ files }: Workspace): string {
  return /"name"\s*:\s*"([^"]+)"/.exec(files.get('package.json') ?? '')?.[1] ?? 'my-project'
}

function titleOf(file: string): string {
  const words = file
    .replace(/\.\w+$/, '')
    .replaceAll(/[-_]+/g, ' ')
    .trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const page = (title: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${title}</title>
  </head>
  <body>
    <h1>${title}</h1>
  </body>
</html>
`
