// Files with one known fault each, with generated names and folders.
import fc from 'fast-check'

export type FaultyFile = { readonly path: string; readonly content: string }

/** An injection in each supported language: of a command, in SQL of a statement. */
export const FAULTS = {
  js: "const { exec } = require('child_process')\nmodule.exports = (req) => {\n  exec('ls ' + req.query.dir)\n}\n",
  ts: "import { exec } from 'node:child_process'\nexport const list = (req) => {\n  exec('ls ' + req.query.dir)\n}\n",
  py: "import os\nfrom flask import Flask, request\napp = Flask(__name__)\n\n@app.route('/ls')\ndef list_folder():\n    os.system('ls ' + request.args['dir'])\n",
  go: 'package main\n\nimport (\n\t"net/http"\n\t"os/exec"\n)\n\nfunc list(w http.ResponseWriter, r *http.Request) {\n\texec.Command("sh", "-c", "ls "+r.URL.Query().Get("dir")).Run()\n}\n',
  java: 'import javax.servlet.http.*;\n\npublic class App extends HttpServlet {\n  protected void doGet(HttpServletRequest request, HttpServletResponse response) throws java.io.IOException {\n    Runtime.getRuntime().exec("sh -c ls " + request.getParameter("dir"));\n  }\n}\n',
  php: "<?php\nsystem('ls ' . $_GET['dir']);\n",
  rb: "require 'sinatra'\n\nget '/ls' do\n  system(\"ls #{params['dir']}\")\nend\n",
  sql: "CREATE FUNCTION list(dir text) RETURNS void LANGUAGE plpgsql AS $$\nBEGIN\n  EXECUTE 'DROP TABLE ' || dir;\nEND $$;\n",
  dart: "import 'dart:io';\nimport 'package:shelf/shelf.dart';\n\nvoid list(Request request) {\n  Process.run('sh', ['-c', 'ls \x24{request.url.queryParameters['dir']}']);\n}\n",
  cs: 'var app = WebApplication.CreateBuilder(args).Build();\n\napp.MapGet("/ls", (HttpContext context) => {\n  Process.Start("sh", "-c ls " + context.Request.Query["dir"]);\n});\n',
  kt: 'import io.ktor.server.routing.*\n\nfun Application.list() {\n  routing {\n    get("/ls") {\n      Runtime.getRuntime().exec("sh -c ls " + call.parameters["dir"])\n    }\n  }\n}\n',
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
/** Usual and unusual endings of each language. */
const ENDINGS: Readonly<Record<keyof typeof FAULTS, readonly string[]>> = {
  js: [
    'js',
    'mjs',
    'cjs',
    'jsx',
    'test.js',
    'spec.js',
    'min.js',
    'JS',
    'config.js',
    'es6',
    'jsm',
    'js.bak',
    'user.js',
  ],
  ts: ['ts', 'tsx', 'mts', 'cts', 'test.ts', 'stories.tsx', 'd.ts', 'e2e.ts', 'TS'],
  py: ['py', 'PY', 'pyw', 'pyi', 'wsgi', 'py.orig', 'pyx', 'ipynb'],
  go: ['go', 'pb.go', 'GO', 'go.tmpl'],
  cs: ['cs', 'CS', 'csx', 'designer.cs', 'cshtml.cs', 'cs.bak'],
  kt: ['kt', 'kts', 'KT', 'gradle.kts', 'kt.orig'],
  java: ['java', 'Java', 'JAVA', 'jsp', 'java.old'],
  php: [
    'php',
    'PHP',
    'phtml',
    'inc',
    'blade.php',
    'php5',
    'module',
    'tpl',
    'html',
    'php~',
    'php.save',
    'Php',
  ],
  rb: ['rb', 'RB', 'rake', 'gemspec', 'ru', 'jbuilder', 'thor', 'rb.orig'],
  dart: ['dart', 'DART', 'g.dart', 'dart.bak'],
  sql: ['sql', 'SQL', 'pgsql', 'up.sql', 'ddl', 'sql.bak', 'sql.tmpl'],
}

/** Names without an ending, or with one that no language uses. */
const ODD_ENDINGS = [
  '',
  '.1',
  '.x',
  '.cgi',
  '.bin2',
  '.unknown',
  '.Foo',
  '.no-word',
  '.é',
  '.sh',
  '.code',
  '.ps1',
  '.tf',
  '.proto',
  '.graphql',
  '.gql',
  '.prisma',
  '.patch',
  '.diff',
  '.ipynb',
]

const SHEBANGS: Readonly<Record<keyof typeof FAULTS, readonly string[]>> = {
  js: ['#!/usr/bin/env node', '#!/usr/local/bin/node --no-warnings', '#!/usr/bin/env -S node --flag'],
  ts: ['#!/usr/bin/env -S deno run', '#!/usr/bin/env tsx'],
  py: ['#!/usr/bin/python3', '#!/usr/bin/env python', '#! /usr/bin/env python3.12'],
  go: ['#!/usr/bin/env gorun'],
  cs: ['#!/usr/bin/env dotnet-script'],
  kt: ['#!/usr/bin/env kotlin'],
  java: ['#!/usr/bin/env java'],
  php: ['#!/usr/bin/php', '#!/usr/bin/env php'],
  rb: ['#!/usr/bin/env ruby', '#!/usr/bin/ruby -w'],
  dart: ['#!/usr/bin/env dart'],
  sql: ['#!/usr/bin/env -S psql -f'],
}

const inScript = (code: string, open: string): string =>
  `<template>\n  <p>{{ amount }} & more</p>\n</template>\n\n${open}\n${code}</script>\n<style>p { color: red }</style>\n`

type Language = keyof typeof FAULTS
type Form = { readonly ending: string; readonly content: string }

const form: fc.Arbitrary<Form> = fc.constantFrom(...(Object.keys(FAULTS) as Language[])).chain((language) => {
  const plain = FAULTS[language]
  const marked = ['vue', 'svelte', 'html', 'htm', 'Vue', 'astro', 'svg'].map((ending) => ({
    ending: `.${ending}`,
    content: inScript(
      language === 'ts' ? FAULTS.ts : FAULTS.js,
      language === 'ts' ? '<script setup lang="ts">' : '<script>',
    ),
  }))
  const odd = ODD_ENDINGS.flatMap((ending) => [
    { ending, content: plain },
    ...SHEBANGS[language].map((first) => ({ ending, content: `${first}\n${plain}` })),
  ])
  return fc.oneof(
    {
      weight: 6,
      arbitrary: fc
        .constantFrom(...ENDINGS[language])
        .map((ending) => ({ ending: `.${ending}`, content: plain })),
    },
    { weight: 2, arbitrary: fc.constantFrom(...odd) },
    fc.constantFrom(...marked),
  )
})

/** The same code as other editors and systems write it. */
const asWritten: fc.Arbitrary<(content: string) => string> = fc.oneof(
  { weight: 4, arbitrary: fc.constant((content: string) => content) },
  fc.constantFrom(
    (content: string) => `\ufeff${content}`,
    (content: string) => content.replaceAll('\n', '\r\n'),
    (content: string) => content.trimEnd(),
    (content: string) => `${content}\n\n\u001a\n`,
    (content: string) => content.replaceAll('dir', 'répertoire'),
    (content: string) => `${content}\u0000`,
    (content: string) => `${content}// \ufffd\ufffd ÿ`,
    (content: string) => `${content}\ud800`,
  ),
)

const word = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...WORDS) },
  fc.stringMatching(/^[A-Za-z0-9_-]{1,12}$/),
)
const joinedWords = fc.oneof(
  word,
  fc.tuple(word, fc.constantFrom('-', '_', '.', ''), word).map((parts) => parts.join('')),
)

const faultyFile: fc.Arbitrary<FaultyFile> = fc
  .tuple(fc.array(word, { maxLength: 5 }), joinedWords, form, asWritten)
  .map(([folders, name, { ending, content }, write]) => ({
    path: [...folders, `${name}${ending}`].join('/'),
    content: write(content),
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
