// A small repository with a failing test, to try the agent on.
import type { NewTask } from '@cowrie/sdk'

export const SAMPLE_PROMPT = 'Fix the failing test.'
export const SAMPLE_COMMAND = 'node --test'

const FILES: Readonly<Record<string, string>> = {
  'README.md': '# Kobo\n\nAdds amounts of money in whole kobo, never in fractions.\n',
  'package.json':
    '{\n  "name": "kobo",\n  "private": true,\n  "type": "module",\n  "scripts": { "test": "node --test" }\n}\n',
  'src/kobo.js':
    '/** The sum of two amounts in kobo. */\nexport function add(a, b) {\n  return a - b\n}\n\n/** "₦12.50" for 1250. */\nexport const format = (kobo) => "₦" + (kobo / 100).toFixed(2)\n',
  'test/kobo.test.js':
    'import assert from "node:assert/strict"\nimport { test } from "node:test"\nimport { add, format } from "../src/kobo.js"\n\ntest("two amounts are added", () => assert.equal(add(200, 350), 550))\n\ntest("an amount has two decimals", () => assert.equal(format(1250), "₦12.50"))\n',
}

export const SAMPLE_FILES = Object.entries(FILES).map(([path, content]) => ({ path, content }))

export const sampleTask = (title: string): NewTask => ({
  title,
  workspace: { kind: 'files', files: SAMPLE_FILES },
})
