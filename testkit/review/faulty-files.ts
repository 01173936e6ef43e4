// Files with one known fault each, with generated names and folders.
import fc from 'fast-check'

export type FaultyFile = { readonly path: string; readonly content: string }

/** A command injection in each supported language. */
export const FAULTS = {
  js: "const { exec } = require('child_process')\nmodule.exports = (req) => {\n  exec('ls ' + req.query.dir)\n}\n",
  ts: "import { exec } from 'node:child_process'\nexport const list = (req) => {\n  exec('ls ' + req.query.dir)\n}\n",
  py: "import os\nfrom flask import Flask, request\napp = Flask(__name__)\n\n@app.route('/ls')\ndef list_folder():\n    os.system('ls ' + request.args['dir'])\n",
  go: 'package main\n\nimport (\n\t"net/http"\n\t"os/exec"\n)\n\nfunc list(w http.ResponseWriter, r *http.Request) {\n\texec.Command("sh", "-c", "ls "+r.URL.Query().Get("dir")).Run()\n}\n',
  java: 'import javax.servlet.http.*;\n\npublic class App extends HttpServlet {\n  protected void doGet(HttpServletRequest request, HttpServletResponse response) throws java.io.IOException {\n    Runtime.getRuntime().exec("sh -c ls " + request.getParameter("dir"));\n  }\n}\n',
  php: "<?php\nsystem('ls ' . $_GET['dir']);\n",
} as const

const WORDS = [
  ...[
    'deposit',
    'credit',
    'edit',
    'init',
    'Audit',
    'audit',
    'Commit',
    'unit',
    'Deposit',
    'exit',
    'split',
    'it',
    'IT',
  ],
  ...[
    'demo',
    'example',
    'examples',
    'docs',
    'samples',
    'sample',
    'seeds',
    'seeders',
    'spec',
    'specs',
    'testing',
  ],
  ...[
    'benchmark',
    'bench',
    'migrations',
    'fixtures',
    'mocks',
    'stories',
    'e2e',
    'testdata',
    'test',
    'tests',
    'Test',
  ],
  ...[
    'TESTS',
    'Docs',
    'latest',
    'contest',
    'attestation',
    'inspect',
    'manifest',
    'protest',
    '__tests__',
    'test-utils',
  ],
  ...[
    'dist',
    'build',
    'vendor',
    'node_modules',
    'third_party',
    'generated',
    'min',
    'jquery',
    'bootstrap',
    'public',
  ],
  ...[
    'src',
    'main',
    'java',
    'com',
    'acme',
    'app',
    'lib',
    'cmd',
    'internal',
    'Http',
    'Controllers',
    'payments',
    'web',
  ],
  ...[
    'café',
    'a b',
    'x',
    'index',
    '.github',
    '.config',
    'd',
    'paiement',
    'دفع',
    'test_pay',
    'pay_test',
    'PayTest',
    'PayIT',
  ],
]
const ENDINGS: Readonly<Record<keyof typeof FAULTS, readonly string[]>> = {
  js: ['js', 'mjs', 'cjs', 'jsx', 'test.js', 'spec.js', 'min.js', 'JS', 'config.js'],
  ts: ['ts', 'tsx', 'mts', 'test.ts', 'stories.tsx', 'd.ts', 'e2e.ts'],
  py: ['py', 'PY', 'pyw'],
  go: ['go', 'pb.go'],
  java: ['java', 'Java'],
  php: ['php', 'PHP', 'phtml', 'inc', 'blade.php', 'php5'],
}

const word = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...WORDS) },
  fc.stringMatching(/^[A-Za-z0-9_-]{1,12}$/),
)
const joinedWords = fc.oneof(
  word,
  fc.tuple(word, fc.constantFrom('-', '_', '.', ''), word).map((parts) => parts.join('')),
)

const faultyFile: fc.Arbitrary<FaultyFile> = fc
  .tuple(
    fc.array(word, { maxLength: 5 }),
    joinedWords,
    fc
      .constantFrom(...(Object.keys(FAULTS) as (keyof typeof FAULTS)[]))
      .chain((language) =>
        fc.constantFrom(...ENDINGS[language]).map((ending) => ({ ending, content: FAULTS[language] })),
      ),
  )
  .map(([folders, name, { ending, content }]) => ({
    path: [...folders, `${name}.${ending}`].join('/'),
    content,
  }))

/** Random file trees in which every file has a fault. */
export const fileTrees = (most: number, least = 1): fc.Arbitrary<FaultyFile[]> =>
  fc.uniqueArray(faultyFile, {
    minLength: least,
    maxLength: most,
    selector: ({ path }) => path.toLowerCase(),
  })

/** Typical framework paths, from a bug report about skipped files. */
export const COMMON_PATHS: readonly FaultyFile[] = [
  ...['deposit.php', 'credit.php', 'edit.php', 'init.php', 'database/migrations/pay.php', 'docs/index.php'],
  ...['src/main/java/com/example/demo/PayController.java', 'src/main/java/com/acme/Audit.java'],
  ...[
    'samples/pay.py',
    'seeds/pay.py',
    'spec/pay.js',
    'testing/pay.go',
    'benchmark/pay.ts',
    'examples/pay.js',
  ],
].map((path) => ({ path, content: FAULTS[path.slice(path.lastIndexOf('.') + 1) as keyof typeof FAULTS] }))

/** A diff that adds these files. */
export const diffAdding = (files: readonly FaultyFile[]): string =>
  files
    .map(({ path, content }) => {
      const lines = content.replace(/\n$/, '').split('\n')
      const added = lines.map((line) => `+${line}`).join('\n')
      return `diff --git a/${path} b/${path}\nnew file mode 100644\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1,${lines.length} @@\n${added}\n`
    })
    .join('')
