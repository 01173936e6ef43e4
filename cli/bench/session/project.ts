// The project of the session: the source of the package `diff` with tests. Real code, because made-up text compresses too well.
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Files } from '@cowrie/testkit/tasks/corpus/task.ts'

/** The version whose lines the session edits. */
const VERSION = '9.0.0'

export const TEST_COMMAND = 'node --test'

const TESTS: Files = {
  'package.json': `{
  "name": "text-differences",
  "version": "1.0.0",
  "type": "module",
  "exports": "./src/index.js",
  "scripts": {
    "test": "${TEST_COMMAND}"
  }
}
`,
  'AGENTS.md': `# Conventions

- Source is in \`src/\`, one module for each kind of difference. Tests are in \`test/\` and run with \`${TEST_COMMAND}\`.
- Four spaces, single quotes, semicolons.
- Every change of behaviour has a test.
`,
  'README.md': `# Text differences

Compares texts by characters, words, sentences, lines, CSS and JSON, and creates, parses, applies and reverses patches.

## Use

\`\`\`js
import { diffWords, createPatch } from 'text-differences';

diffWords('one two', 'one three');
createPatch('greeting.txt', 'Hello, world.\\n', 'Hello, Lagos.\\n');
\`\`\`
`,
  'test/convert.test.js': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { convertChangesToDMP, convertChangesToXML, diffWords } from '../src/index.js';

test('changes become XML', () => {
    assert.equal(convertChangesToXML(diffWords('one two', 'one three')), 'one <del>two</del><ins>three</ins>');
});

test('text is escaped in XML', () => {
    assert.equal(convertChangesToXML([{ value: '<a href="x">&</a>' }]), '&lt;a href=&quot;x&quot;&gt;&amp;&lt;/a&gt;');
});

test('changes become operations of diff-match-patch', () => {
    assert.deepEqual(convertChangesToDMP(diffWords('one two', 'one three')), [[0, 'one '], [-1, 'two'], [1, 'three']]);
});
`,
  'test/patch.test.js': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyPatch, createPatch, parsePatch, reversePatch, formatPatch } from '../src/index.js';

const OLD = 'one\\ntwo\\nthree\\nfour\\nfive\\n';
const NEW = 'one\\n2\\nthree\\nfour\\nfive\\nsix\\n';

test('a patch turns the old text into the new one', () => {
    assert.equal(applyPatch(OLD, createPatch('count.txt', OLD, NEW)), NEW);
});

test('a reversed patch turns the new text into the old one', () => {
    const [patch] = parsePatch(createPatch('count.txt', OLD, NEW));
    assert.equal(applyPatch(NEW, reversePatch(patch)), OLD);
});

test('a formatted patch is parsed to the same patch', () => {
    const [patch] = parsePatch(createPatch('count.txt', OLD, NEW));
    assert.deepEqual(parsePatch(formatPatch(patch)), [patch]);
});

test('a patch for another text is refused', () => {
    assert.equal(applyPatch('nothing of this', createPatch('count.txt', OLD, NEW)), false);
});
`,
  'test/words.test.js': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffChars, diffWords } from '../src/index.js';

const textOf = (changes, wanted) => changes.filter((change) => !change[wanted === 'old' ? 'added' : 'removed']).map(({ value }) => value).join('');

test('the parts of a comparison by characters give both texts', () => {
    const changes = diffChars('kobo', 'naira');
    assert.equal(textOf(changes, 'old'), 'kobo');
    assert.equal(textOf(changes, 'new'), 'naira');
});

test('a changed word is removed and added', () => {
    assert.deepEqual(diffWords('pay in kobo now', 'pay in naira now').map(({ value }) => value), ['pay in ', 'kobo', 'naira', ' now']);
});
`,
}

/** Files by path. */
export function projectFiles(): Files {
  const manifest = createRequire(import.meta.url).resolve('diff/package.json')
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }
  if (version !== VERSION)
    throw new Error(`the session edits diff ${VERSION}, but ${version} is installed: adapt cli/bench/session`)
  const source = join(dirname(manifest), 'libesm')
  const paths = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.js'),
  )
  const entries = paths.sort().map((path) => [`src/${path}`, readFileSync(join(source, path), 'utf8')])
  return { ...Object.fromEntries(entries), ...TESTS }
}

/** Passes only if every change of the session was made. No client sees it. */
export const HIDDEN_TEST = `import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import * as diff from '../src/index.js';

test('the session is complete', () => {
    assert.equal(diff.convertChangesToXML([{ value: "it's" }]), 'it&#39;s');
    assert.deepEqual(diff.cssDiff.tokenize('/* a: b; */c'), ['', '/* a: b; */', 'c']);
    assert.deepEqual(diff.sentenceDiff.tokenize('Wait… Go.'), ['Wait…', ' ', 'Go.']);
    assert.deepEqual(diff.countChanges(diff.diffWords('a b', 'a c d')), { added: 2, removed: 1, kept: 1 });
    assert.throws(() => diff.applyPatch('', '', { fuzzFactor: 1.5 }), /but it is 1.5/);
    assert.equal(diff.DEFAULT_CONTEXT, 4);
    assert.deepEqual(diff.canonicalize(new Map([['b', 1], ['a', 2]])), { a: 2, b: 1 });
    assert.deepEqual(diff.diffLists([1, 2], [1, 3]).map(({ value }) => value), [[1], [2], [3]]);
    assert.doesNotMatch(readFileSync(new URL('../src/patch/reverse.js', import.meta.url), 'utf8'), /Object.assign/);
    assert.match(readFileSync(new URL('../CHANGELOG.md', import.meta.url), 'utf8'), /countChanges/);
    assert.match(readFileSync(new URL('../README.md', import.meta.url), 'utf8'), /## Counting/);
});
`
