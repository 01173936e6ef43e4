// The second half of the session: larger files, changes across files, and the notes for a release.
import { create, edit, read, run, search } from '@cowrie/testkit/tasks/corpus/task.ts'
import { TEST_COMMAND } from './project.ts'
import { type Turn, turn } from './turn.ts'

const test = run(TEST_COMMAND)

export const LAST_TURNS: readonly Turn[] = [
  turn(
    'Read the parser of patches and tell me what it does with file names that contain special characters.',
    [
      ['I read the parser.', read('src/patch/parse.js')],
      ['And the function that writes such names.', search('quoteFileNameIfNeeded')],
    ],
    `Git writes such names in quotes, with C-style escapes. The parser removes them:

- \`parseGitDiffHeader\` reads both names of a \`diff --git\` line. If one is quoted, \`parseQuotedFileName\` gives the text and its length, so the second name is found behind the first.
- \`rename from\`, \`rename to\`, \`copy from\` and \`copy to\` use \`unquoteIfQuoted\`.
- Octal escapes are bytes of UTF-8. They are collected and decoded together.
- A quote that does not end gives null, and the names of the \`---\` and \`+++\` lines are used instead.

\`quoteFileNameIfNeeded\` in \`create.js\` is the reverse.`,
  ),
  turn(
    'Is that tested? If not, add a test that writes and reads a name with a tab and an umlaut.',
    [
      ['I look for tests of names.', search('diff --git'), read('test/patch.test.js')],
      [
        'There are none, so I add one for both directions.',
        edit(
          'test/patch.test.js',
          `test('a wrong fuzz factor is shown', () => {`,
          `test('a name with special characters is written and read', () => {
    const [patch] = parsePatch(createPatch('zähler\\t1.txt', OLD, NEW));
    assert.equal(patch.newFileName, 'zähler\\t1.txt');
});

test('a wrong fuzz factor is shown', () => {`,
        ),
      ],
      ['I run the tests.', test],
    ],
    'It was not tested. The new test writes a patch for such a name and reads the same name from it.',
  ),
  turn(
    'reverse.js is full of nested Object.assign calls. Use the spread syntax; we do not support old browsers.',
    [
      ['I look for all of them first.', search('Object.assign('), read('src/patch/reverse.js')],
      [
        'In this file there is one.',
        edit(
          'src/patch/reverse.js',
          `    const reversed = Object.assign(Object.assign({}, structuredPatch), { oldFileName: structuredPatch.isGit ? swapPrefix(structuredPatch.newFileName) : structuredPatch.newFileName, oldHeader: structuredPatch.newHeader, newFileName: structuredPatch.isGit ? swapPrefix(structuredPatch.oldFileName) : structuredPatch.oldFileName, newHeader: structuredPatch.oldHeader, oldMode: structuredPatch.newMode, newMode: structuredPatch.oldMode, isCreate: structuredPatch.isDelete, isDelete: structuredPatch.isCreate, hunks: structuredPatch.hunks.map(hunk => {
            return {
                oldLines: hunk.newLines,
                oldStart: hunk.newStart,
                newLines: hunk.oldLines,
                newStart: hunk.oldStart,
                lines: hunk.lines.map(l => {
                    if (l.startsWith('-')) {
                        return \`+\${l.slice(1)}\`;
                    }
                    if (l.startsWith('+')) {
                        return \`-\${l.slice(1)}\`;
                    }
                    return l;
                })
            };
        }) });`,
          `    const swap = structuredPatch.isGit ? swapPrefix : (fileName) => fileName;
    const reversed = {
        ...structuredPatch,
        oldFileName: swap(structuredPatch.newFileName),
        oldHeader: structuredPatch.newHeader,
        newFileName: swap(structuredPatch.oldFileName),
        newHeader: structuredPatch.oldHeader,
        oldMode: structuredPatch.newMode,
        newMode: structuredPatch.oldMode,
        isCreate: structuredPatch.isDelete,
        isDelete: structuredPatch.isCreate,
        hunks: structuredPatch.hunks.map(reverseHunk)
    };`,
        ),
        edit(
          'src/patch/reverse.js',
          `export function reversePatch(structuredPatch) {`,
          `function reverseHunk(hunk) {
    return {
        oldLines: hunk.newLines,
        oldStart: hunk.newStart,
        newLines: hunk.oldLines,
        newStart: hunk.oldStart,
        lines: hunk.lines.map(reverseLine)
    };
}
function reverseLine(line) {
    if (line.startsWith('-')) {
        return \`+\${line.slice(1)}\`;
    }
    return line.startsWith('+') ? \`-\${line.slice(1)}\` : line;
}
export function reversePatch(structuredPatch) {`,
        ),
      ],
      ['I run the tests.', test],
    ],
    'The patch is reversed with the spread syntax, and hunks and lines have their own functions. The test that reverses a patch passes. `create.js` and `line-endings.js` have the same pattern; I left them as they are.',
  ),
  turn(
    'Show me the whole file as it is now. I want to read it again.',
    [['Here it is.', read('src/patch/reverse.js')]],
    'The file has five parts: `swapPrefix` for the names of Git, `reverseHunk`, `reverseLine`, `reversePatch` for lists and single patches, and the special case of copies at the end. That case still clears the hunks, because a copy does not contain the whole file.',
  ),
  turn(
    'diffJson ignores the content of a Map: two different Maps are equal. Compare them by their entries.',
    [
      ['I read the module.', read('src/diff/json.js')],
      [
        'A Map becomes an object before the keys are sorted.',
        edit(
          'src/diff/json.js',
          `    if (obj && obj.toJSON) {
        obj = obj.toJSON();
    }`,
          `    if (obj && obj.toJSON) {
        obj = obj.toJSON();
    }
    if (obj instanceof Map) {
        obj = Object.fromEntries(obj);
    }`,
        ),
        create(
          'test/json.test.js',
          `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalize, diffJson } from '../src/index.js';

test('the order of keys is no change', () => {
    assert.equal(diffJson({ a: 1, b: 2 }, { b: 2, a: 1 }).length, 1);
});

test('maps are compared by their entries', () => {
    assert.deepEqual(canonicalize(new Map([['b', 1], ['a', 2]])), { a: 2, b: 1 });
    assert.ok(diffJson({ fees: new Map([['card', 15]]) }, { fees: new Map([['card', 20]]) }).length > 1);
});
`,
        ),
      ],
      ['I run the tests.', test],
    ],
    'A Map is compared like an object with the same entries, with sorted keys. Keys that are no strings become strings, as in JSON.',
  ),
  turn(
    'Why do words keep the white space around them? I find that strange.',
    [['The reason must be in the module of words.', read('src/diff/word.js')]],
    `There is a comment about it. If the white space were thrown away, the text could not be put together again. If each space were a token, every second token of a text would be a space, and the shortest difference would often keep the spaces and exchange the words around them.

So a token is a word with the white space on both sides, \`equals\` compares without it, \`join\` removes what is double, and \`postProcess\` tidies the white space at the borders of changes.`,
  ),
  turn(
    'OK. Then add a test for that: only white space differs, so there is no change.',
    [
      ['I read the tests of words again.', read('test/words.test.js')],
      [
        'I add it at the end.',
        edit(
          'test/words.test.js',
          `test('a changed word is removed and added', () => {`,
          `test('white space alone is no change', () => {
    assert.equal(diffWords('pay  in\\nkobo', 'pay in kobo').length, 1);
});

test('a changed word is removed and added', () => {`,
        ),
      ],
      ['I run the tests.', test],
    ],
    'The test passes: the comparison has one part, which is kept.',
  ),
  turn(
    'diffArrays is a bad name in our code base, we say list. Export diffLists as another name for it, and keep the old one.',
    [
      ['I look for all uses.', search('diffArrays'), read('src/diff/array.js'), read('src/index.js')],
      [
        'An additional export is enough.',
        edit(
          'src/index.js',
          `export { countChanges };`,
          `export { countChanges };
export { diffArrays as diffLists } from './diff/array.js';`,
        ),
      ],
      ['I run the tests.', test],
    ],
    '`diffLists` is another name for `diffArrays`. Existing callers are not affected.',
  ),
  turn(
    'Test diffLists with numbers and with objects that are compared by a function.',
    [
      [
        'A new file for lists.',
        create(
          'test/lists.test.js',
          `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffLists } from '../src/index.js';

test('numbers are compared', () => {
    assert.deepEqual(diffLists([1, 2], [1, 3]).map(({ value }) => value), [[1], [2], [3]]);
});

test('objects are compared by a function', () => {
    const comparator = (left, right) => left.id === right.id;
    const changes = diffLists([{ id: 1, name: 'Ada' }], [{ id: 1, name: 'Ada Obi' }], { comparator });
    assert.equal(changes.length, 1);
    assert.deepEqual(changes[0].value, [{ id: 1, name: 'Ada Obi' }]);
});
`,
        ),
      ],
      ['I run the tests.', test],
    ],
    'Both tests pass. With a comparison function, the value of a kept part is the one of the new list.',
  ),
  turn(
    'Look for places in src where two values are compared with == or !=. How many are there, and is one of them wrong?',
    [
      ['I search in the source.', run("grep -rnE '[^=!]==[^=]|!=[^=]' src | wc -l"), search(' == ')],
      ['The strings deserve a look.', read('src/util/string.js')],
    ],
    'There are about thirty. All of them compare strings with strings, numbers with numbers, or a value with null to include undefined. None is wrong, so I would not change them in this session.',
  ),
  turn(
    'longestCommonPrefix declares its counter outside of the loop and has two returns. Simplify it.',
    [
      [
        'I have the file in view.',
        edit(
          'src/util/string.js',
          `    let i;
    for (i = 0; i < str1.length && i < str2.length; i++) {
        if (str1[i] != str2[i]) {
            return str1.slice(0, i);
        }
    }
    return str1.slice(0, i);
}
export function longestCommonSuffix(str1, str2) {`,
          `    let length = 0;
    while (length < str1.length && length < str2.length && str1[length] === str2[length]) {
        length++;
    }
    return str1.slice(0, length);
}
export function longestCommonSuffix(str1, str2) {`,
        ),
      ],
      ['I run the tests.', test],
    ],
    'One loop and one return. The tests of words use it for the white space between changes, and they pass.',
  ),
  turn(
    'Document countChanges and diffLists in the README.',
    [
      ['I read the README.', read('README.md')],
      [
        'A short section after the examples.',
        edit(
          'README.md',
          `createPatch('greeting.txt', 'Hello, world.\\n', 'Hello, Lagos.\\n');
\`\`\``,
          `createPatch('greeting.txt', 'Hello, world.\\n', 'Hello, Lagos.\\n');
\`\`\`

## Counting

\`\`\`js
import { countChanges, diffLists, diffWords } from 'text-differences';

countChanges(diffWords('a b', 'a c d')); // { added: 2, removed: 1, kept: 1 }
diffLists([1, 2], [1, 3]);               // the same as diffArrays
\`\`\``,
        ),
      ],
    ],
    'The README has a section "Counting" with both functions and an example each.',
  ),
  turn(
    'Write a changelog for everything we did in this session.',
    [
      ['I check what has changed.', run('git status --short')],
      [
        'One line for each change that a user notices.',
        create(
          'CHANGELOG.md',
          `# Changelog

## Unreleased

- Added \`countChanges\`, which counts added, removed and kept tokens.
- Added \`diffLists\` as another name for \`diffArrays\`.
- Added \`DEFAULT_CONTEXT\`.
- \`convertChangesToXML\` escapes single quotes.
- \`diffCss\` treats a comment as one token.
- \`diffSentences\` ends a sentence at an ellipsis.
- \`diffJson\` compares the entries of a Map.
- The error for a wrong \`fuzzFactor\` shows the value.
`,
        ),
      ],
    ],
    'The changelog has eight entries. Changes without an effect for users, such as the new form of `reversePatch`, are not listed.',
  ),
  turn(
    'Does anything still mention the anonymous iterator, or import something that is gone? Check the imports.',
    [
      [
        'Node.js would refuse a wrong import, so I load every module.',
        run(
          "for f in $(find src -name '*.js'); do node --input-type=module -e \"import('./$f')\" || echo broken: $f; done; echo checked",
        ),
      ],
      ['And the words.', search('iterator')],
    ],
    'Every module loads. The word "iterator" appears only in `distance-iterator.js` and where `apply.js` uses it.',
  ),
  turn(
    'Good. Run the tests a last time and summarise the session for the pull request.',
    [['I run the tests.', test, run('git status --short')]],
    `## Text differences: fixes and counting

**New**: \`countChanges\`, \`diffLists\`, \`DEFAULT_CONTEXT\`.

**Fixed**: single quotes in XML, comments in CSS, the ellipsis at the end of a sentence, Maps in JSON, and the message for a wrong \`fuzzFactor\`.

**Readability**: \`convertChangesToDMP\`, \`reversePatch\`, \`longestCommonPrefix\` and the name of \`distanceIterator\`. No behaviour changes there.

**Tests**: new files for CSS, sentences, counting, JSON and lists, and more cases for conversions, patches and words. All tests pass.`,
  ),
]
