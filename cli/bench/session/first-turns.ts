// The first half of the session: getting to know the project, and small changes.
import { create, edit, list, read, run, search } from '@cowrie/testkit/tasks/corpus/task.ts'
import { TEST_COMMAND } from './project.ts'
import { type Turn, turn } from './turn.ts'

const test = run(TEST_COMMAND)

export const FIRST_TURNS: readonly Turn[] = [
  turn(
    'I have not seen this project before. What does it do, and how is it organised? Do not change anything.',
    [
      ['I start with the files of the project.', list()],
      [
        'Now the conventions, the manifest and the public interface.',
        read('AGENTS.md'),
        read('README.md'),
        read('src/index.js'),
      ],
    ],
    `The project compares texts and works with patches.

- \`src/diff/\` has one module for each way to compare: characters, words, lines, sentences, CSS, JSON and arrays. All of them extend \`Diff\` in \`base.js\`, which implements the algorithm of Myers.
- \`src/patch/\` creates, parses, applies and reverses patches in the unified format.
- \`src/convert/\` turns changes into XML or into the operations of diff-match-patch.
- \`src/util/\` has helpers for strings, arrays and options.

Tests run with \`${TEST_COMMAND}\`. Every change of behaviour needs a test.`,
  ),
  turn(
    'Where are line endings handled? I mean CRLF in patches and in texts.',
    [
      ['I search for the helpers first.', search('LineEndings'), search('unixToWin')],
      ['The conversion itself is in one file.', read('src/patch/line-endings.js')],
    ],
    `In three places. \`src/util/string.js\` decides whether a text has only Windows or only Unix line endings. \`src/patch/line-endings.js\` converts a patch from one to the other and leaves the line "No newline at end of file" as it is. \`src/patch/apply.js\` calls both before it applies a patch, unless \`autoConvertLineEndings\` is false.`,
  ),
  turn(
    'convertChangesToXML does not escape single quotes, so the result cannot be used in an attribute with single quotes. Please fix it.',
    [
      ['I read the conversion.', read('src/convert/xml.js')],
      [
        'One replacement is missing.',
        edit(
          'src/convert/xml.js',
          `    n = n.replace(/"/g, '&quot;');`,
          `    n = n.replace(/"/g, '&quot;');\n    n = n.replace(/'/g, '&#39;');`,
        ),
      ],
      ['I run the tests.', test],
    ],
    `Single quotes become \`&#39;\`, which is valid in XML and in HTML. \`&apos;\` is not known to old HTML parsers. The tests pass; none of them covers single quotes yet.`,
  ),
  turn(
    'Add a test for it.',
    [
      ['The test belongs beside the others.', read('test/convert.test.js')],
      [
        'I add it after the test for escaping.',
        edit(
          'test/convert.test.js',
          `test('changes become operations of diff-match-patch', () => {`,
          `test('single quotes are escaped in XML', () => {
    assert.equal(convertChangesToXML([{ value: "it's" }]), 'it&#39;s');
});

test('changes become operations of diff-match-patch', () => {`,
        ),
      ],
      ['I run the tests.', test],
    ],
    'The new test passes. Without the fix of the last turn it fails, because the text is unchanged.',
  ),
  turn(
    'convertChangesToDMP still has the style of ten years ago. Make it readable without changing its result.',
    [
      ['I read it.', read('src/convert/dmp.js')],
      [
        'A loop over the changes with one expression is enough.',
        edit(
          'src/convert/dmp.js',
          `    const ret = [];
    let change, operation;
    for (let i = 0; i < changes.length; i++) {
        change = changes[i];
        if (change.added) {
            operation = 1;
        }
        else if (change.removed) {
            operation = -1;
        }
        else {
            operation = 0;
        }
        ret.push([operation, change.value]);
    }
    return ret;`,
          `    return changes.map((change) => [operationOf(change), change.value]);`,
        ),
      ],
      [
        'The decision becomes a separate function.',
        edit(
          'src/convert/dmp.js',
          `    return changes.map((change) => [operationOf(change), change.value]);
}`,
          `    return changes.map((change) => [operationOf(change), change.value]);
}
function operationOf(change) {
    if (change.added) {
        return 1;
    }
    return change.removed ? -1 : 0;
}`,
        ),
      ],
      ['I run the tests.', test],
    ],
    'The function is now one expression, and `operationOf` decides between 1, -1 and 0. The result is the same; the test of the conversion passes.',
  ),
  turn(
    'diffCss splits inside comments, so a colon in a comment is a separate change. Comments should stay in one piece.',
    [
      ['I look at the tokens.', read('src/diff/css.js')],
      [
        'A comment can be one of the separators.',
        edit(
          'src/diff/css.js',
          `        return value.split(/([{}:;,]|\\s+)/);`,
          `        // A comment is one token, whatever it contains.
        return value.split(/(\\/\\*[\\s\\S]*?\\*\\/|[{}:;,]|\\s+)/);`,
        ),
        create(
          'test/css.test.js',
          `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffCss } from '../src/index.js';

const changed = (before, after) => diffCss(before, after).filter(({ added, removed }) => added || removed).map(({ value }) => value);

test('a changed value is the only change', () => {
    assert.deepEqual(changed('a { color: red; }', 'a { color: blue; }'), ['red', 'blue']);
});

test('a comment changes as a whole', () => {
    assert.deepEqual(changed('/* a: 1; */b', '/* a: 2; */b'), ['/* a: 1; */', '/* a: 2; */']);
});
`,
        ),
      ],
      ['I run the tests.', test],
    ],
    'A comment is one token now. The expression is lazy, so two comments on a line stay two tokens. `test/css.test.js` covers a changed value and a changed comment.',
  ),
  turn(
    'diffSentences should know that a sentence can end with an ellipsis character.',
    [
      ['I read how a sentence ends.', read('src/diff/sentence.js')],
      [
        'The function needs one more character.',
        edit(
          'src/diff/sentence.js',
          `    return char == '.' || char == '!' || char == '?';`,
          `    return char == '.' || char == '!' || char == '?' || char == '…';`,
        ),
      ],
      ['I run the tests.', test],
    ],
    'An ellipsis followed by white space ends a sentence. An ellipsis inside a word or at the end of the text is treated as before.',
  ),
  turn(
    'There is no test for sentences at all. Write a few, including the ellipsis and white space between sentences.',
    [
      ['I check what the tests of words look like, to follow them.', read('test/words.test.js')],
      [
        'Three tests are enough for the tokens.',
        create(
          'test/sentences.test.js',
          `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffSentences, sentenceDiff } from '../src/index.js';

test('white space between sentences is a separate token', () => {
    assert.deepEqual(sentenceDiff.tokenize('One.  Two!\\nThree?'), ['One.', '  ', 'Two!', '\\n', 'Three?']);
});

test('an ellipsis ends a sentence', () => {
    assert.deepEqual(sentenceDiff.tokenize('Wait… Go.'), ['Wait…', ' ', 'Go.']);
});

test('a changed sentence is removed and added', () => {
    const values = diffSentences('Pay today. Thank you.', 'Pay tomorrow. Thank you.').map(({ value }) => value);
    assert.deepEqual(values, ['Pay today.', 'Pay tomorrow.', ' Thank you.']);
});
`,
        ),
      ],
      ['I run the tests.', test],
    ],
    'Three tests: white space between sentences, the ellipsis, and a changed sentence. All of them pass.',
  ),
  turn(
    'I want a function countChanges that counts added, removed and kept tokens of a list of changes. Put it into its own file and export it.',
    [
      ['I look at the type of a change in the base class.', read('src/diff/base.js'), search('count: 1')],
      [
        'Each change has the number of its tokens, so counting is a sum.',
        create(
          'src/util/count.js',
          `/**
 * Counts the tokens that were added, removed and kept.
 */
export function countChanges(changes) {
    const counts = { added: 0, removed: 0, kept: 0 };
    for (const change of changes) {
        const kind = change.added ? 'added' : change.removed ? 'removed' : 'kept';
        counts[kind] += change.count;
    }
    return counts;
}
`,
        ),
        read('src/index.js'),
      ],
      [
        'Now the export.',
        edit(
          'src/index.js',
          `import { convertChangesToXML } from './convert/xml.js';`,
          `import { convertChangesToXML } from './convert/xml.js';
import { countChanges } from './util/count.js';
export { countChanges };`,
        ),
      ],
      ['I run the tests.', test],
    ],
    '`countChanges(changes)` returns `{ added, removed, kept }` in tokens. It is in `src/util/count.js` and exported by `src/index.js`.',
  ),
  turn(
    'Test it with words and with lines.',
    [
      [
        'I add a test file for it.',
        create(
          'test/count.test.js',
          `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countChanges, diffLines, diffWords } from '../src/index.js';

test('words are counted', () => {
    assert.deepEqual(countChanges(diffWords('a b', 'a c d')), { added: 2, removed: 1, kept: 1 });
});

test('lines are counted', () => {
    assert.deepEqual(countChanges(diffLines('a\\nb\\n', 'a\\nc\\nd\\n')), { added: 2, removed: 1, kept: 1 });
});

test('equal texts have no changes', () => {
    assert.deepEqual(countChanges(diffLines('a\\n', 'a\\n')), { added: 0, removed: 0, kept: 1 });
});
`,
        ),
      ],
      ['I run the tests.', test],
    ],
    'The counts of words and lines are as expected, and equal texts have no changes.',
  ),
  turn(
    'How does applyPatch find the place of a hunk when the line numbers do not match? Explain it; no changes.',
    [
      ['I read the function.', read('src/patch/apply.js')],
      [
        'The order of the places comes from an iterator.',
        read('src/util/distance-iterator.js'),
        search('distanceIterator'),
      ],
    ],
    `1. It starts at the line of the hunk header, moved by the offset of the hunk before.
2. If the hunk does not fit there, \`distanceIterator\` gives the other lines by their distance: one after, one before, two after, two before, and so on, up to the first and the last possible line.
3. At each line \`applyHunk\` compares the context. Removed lines must match exactly. With \`fuzzFactor\`, a number of context lines may be missing, extra or different, but not those beside an insertion.
4. All lines are tried without errors first, then with one error, then with two. So an exact match far away wins over a fuzzy match nearby.`,
  ),
  turn(
    'The iterator is an anonymous default export. Give it a name, and say in a comment what it returns at the end.',
    [
      ['I read it again, because the comment is above it.', read('src/util/distance-iterator.js')],
      [
        'The import has its own name, so nothing else changes.',
        edit(
          'src/util/distance-iterator.js',
          `// start of 2, this will iterate 2, 3, 1, 4, 0.
export default function (start, minLine, maxLine) {`,
          `// start of 2, this will iterate 2, 3, 1, 4, 0.
// Returns undefined when every position was tried.
export default function distanceIterator(start, minLine, maxLine) {`,
        ),
      ],
      ['I run the tests.', test],
    ],
    'The function is called `distanceIterator`, as its only importer calls it already. The comment says that it returns undefined at the end.',
  ),
  turn(
    'applyPatch throws "fuzzFactor must be a non-negative integer" without the value. Show the value in the message.',
    [
      ['I find the message.', search('fuzzFactor must be'), read('src/patch/apply.js')],
      [
        'The value goes to the end of the sentence.',
        edit(
          'src/patch/apply.js',
          `        throw new Error('fuzzFactor must be a non-negative integer');`,
          `        throw new Error('fuzzFactor must be a non-negative integer, but it is ' + fuzzFactor);`,
        ),
        read('test/patch.test.js'),
      ],
      [
        'A test for the message.',
        edit(
          'test/patch.test.js',
          `test('a patch for another text is refused', () => {`,
          `test('a wrong fuzz factor is shown', () => {
    assert.throws(() => applyPatch(OLD, createPatch('count.txt', OLD, NEW), { fuzzFactor: -1 }), /but it is -1/);
});

test('a patch for another text is refused', () => {`,
        ),
      ],
      ['I run the tests.', test],
    ],
    'The message ends with the value, for example "but it is -1". A test checks it.',
  ),
  turn(
    'The number 4 for the lines of context is hidden in structuredPatch. Make it a named, exported constant.',
    [
      ['I read the module.', read('src/patch/create.js')],
      [
        'The constant goes to the other constants.',
        edit(
          'src/patch/create.js',
          `export const INCLUDE_HEADERS = {`,
          `/** The lines of context around a change, unless the options say otherwise. */
export const DEFAULT_CONTEXT = 4;
export const INCLUDE_HEADERS = {`,
        ),
        edit(
          'src/patch/create.js',
          `        optionsObj.context = 4;`,
          `        optionsObj.context = DEFAULT_CONTEXT;`,
        ),
      ],
      [
        'And the export.',
        edit(
          'src/index.js',
          `import { convertChangesToDMP } from './convert/dmp.js';`,
          `export { DEFAULT_CONTEXT } from './patch/create.js';
import { convertChangesToDMP } from './convert/dmp.js';`,
        ),
      ],
      ['I run the tests.', test],
    ],
    '`DEFAULT_CONTEXT` is 4 and exported. `structuredPatch` uses it when the options have no `context`.',
  ),
  turn(
    'Does the test command also run if I am in the folder test? And how long does it take?',
    [['I try both.', run(`cd test && ${TEST_COMMAND} >/dev/null && echo works in the folder test`), test]],
    'Yes, it works in both folders and finds the same files. It takes less than a second here; most of it is the start of a process for each file.',
  ),
]
