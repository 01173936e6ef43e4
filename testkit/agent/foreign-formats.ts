// Answers in the formats of common coding clients, with the expected files.

const add = 'export function add(a, b) {\n  return a - b\n}\n'
const fixed = 'export function add(a, b) {\n  return a + b\n}\n'
const cart = `import { price } from './price.js'

export function total(items) {
  let sum = 0
  for (const item of items) sum += price(item)
  return sum
}

export function count(items) {
  return items.length
}

export function isEmpty(items) {
  return count(items) === 0
}
`
const cartFixed = cart.replace('sum += price(item)', 'sum += price(item) * item.quantity')
const guide = '# Guide\n\nStart it:\n\n```sh\nnpm start\n```\n\nThen open it.\n'
const guideNext = '# Guide\n\nStart it:\n\n```sh\nnpm run dev\n```\n\nThen open it.\n'
export const formatBase: ReadonlyMap<string, string> = new Map([
  ['src/add.js', add],
  ['src/cart.js', cart],
  ['docs/guide.md', guide],
])

export type FormatCase = readonly [
  name: string,
  text: string,
  changes: Readonly<Record<string, string>>,
  files?: ReadonlyMap<string, string>,
]

const json = (value: unknown): string => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``
const onlyAdd = new Map([['src/add.js', add]])
const onlyCart = new Map([['src/cart.js', cart]])
const ADD = { 'src/add.js': fixed }
const CART = { 'src/cart.js': cartFixed }
const HUNK = { old_string: '  return a - b', new_string: '  return a + b' }
const SEARCH = '<<<<<<< SEARCH\n  return a - b\n=======\n  return a + b\n>>>>>>> REPLACE'
const CLINE = '------- SEARCH\n  return a - b\n=======\n  return a + b\n+++++++ REPLACE'

export const formats: readonly FormatCase[] = [
  ['a file tag', `I fixed it.\n\n<file path="src/add.js">\n${fixed}</file>\n`, ADD],
  ['a file tag with single quotes', `<file path='./src/add.js'>\n${fixed}</file>`, ADD],
  ['a file tag with a fence in it', `<file path="src/add.js">\n\`\`\`js\n${fixed}\`\`\`\n</file>`, ADD],
  [
    'a file tag in a fence',
    `Here:\n\n\`\`\`xml\n<file path="src/add.js">\n${fixed}</file>\n\`\`\`\nDone.`,
    ADD,
  ],
  ['a file tag with a content tag', `<file path="src/add.js">\n<content>\n${fixed}</content>\n</file>`, ADD],
  [
    'a file tag with CDATA',
    `<file path="src/add.js">\n<content><![CDATA[\n${fixed}]]></content>\n</file>`,
    ADD,
  ],
  [
    'two file tags',
    `<file path="src/add.js">\n${fixed}</file>\n\n<file path="src/cart.js">\n${cartFixed}</file>`,
    { ...ADD, ...CART },
  ],
  [
    'a file tag for a file with fences',
    `<file path="docs/guide.md">\n${guideNext}</file>`,
    { 'docs/guide.md': guideNext },
  ],
  [
    'a new file in a tag',
    '<file path="src/x.js">\nexport const x = 1\n</file>',
    { 'src/x.js': 'export const x = 1\n' },
  ],
  [
    'write_to_file',
    `<write_to_file>\n<path>src/add.js</path>\n<content>\n${fixed}</content>\n</write_to_file>`,
    ADD,
  ],
  [
    'write_to_file with a line count',
    `<write_to_file>\n<path>src/add.js</path>\n<content>\n${fixed}</content>\n<line_count>3</line_count>\n</write_to_file>`,
    ADD,
  ],
  [
    'replace_in_file',
    `<replace_in_file>\n<path>src/add.js</path>\n<diff>\n${CLINE}\n</diff>\n</replace_in_file>`,
    ADD,
  ],
  [
    'replace_in_file with angle marks',
    `<replace_in_file>\n<path>src/add.js</path>\n<diff>\n${SEARCH}\n</diff>\n</replace_in_file>`,
    ADD,
  ],
  [
    'apply_diff with a line number',
    `<apply_diff>\n<path>src/add.js</path>\n<diff>\n${SEARCH.replace('SEARCH\n', 'SEARCH\n:start_line:2\n-------\n')}\n</diff>\n</apply_diff>`,
    ADD,
  ],
  ['dashes for SEARCH below a name', `src/add.js\n${CLINE}\n`, ADD],
  ['dashes for SEARCH in a fence below a name', `src/add.js\n\`\`\`\n${CLINE}\n\`\`\``, ADD],
  [
    'old_string and new_string in tags',
    `<edit>\n<file_path>src/add.js</file_path>\n<old_string>  return a - b</old_string>\n<new_string>  return a + b</new_string>\n</edit>`,
    ADD,
  ],
  [
    'an invoked tool',
    '<function_calls>\n<invoke name="Edit">\n<parameter name="file_path">src/add.js</parameter>\n<parameter name="old_string">  return a - b</parameter>\n<parameter name="new_string">  return a + b</parameter>\n</invoke>\n</function_calls>',
    ADD,
  ],
  ['old_string and new_string in JSON', json({ file_path: 'src/add.js', ...HUNK }), ADD],
  [
    'several calls in JSON, one for a part of a line',
    `${json({ file_path: 'src/add.js', ...HUNK })}\nand\n${json({ path: 'src/cart.js', old_str: 'sum += price(item)', new_str: 'sum += price(item) * item.quantity' })}`,
    { ...ADD, ...CART },
  ],
  ['several edits of one file in JSON', json({ file_path: 'src/add.js', edits: [HUNK] }), ADD],
  [
    'a named tool in JSON',
    json({ name: 'Write', input: { file_path: 'src/new.js', content: 'export {}\n' } }),
    { 'src/new.js': 'export {}\n' },
  ],
  [
    'a function call in JSON',
    json({
      tool_calls: [
        {
          type: 'function',
          function: { name: 'edit', arguments: JSON.stringify({ path: 'src/add.js', ...HUNK }) },
        },
      ],
    }),
    ADD,
  ],
  [
    'str_replace in JSON',
    json({ command: 'str_replace', path: 'src/add.js', old_str: HUNK.old_string, new_str: HUNK.new_string }),
    ADD,
  ],
  ['texts by path', json({ 'src/add.js': fixed, 'src/cart.js': cartFixed }), { ...ADD, ...CART }],
  ['texts by path below files', json({ files: { 'src/add.js': fixed } }), ADD],
  ['a text by path with fences in it', json({ 'docs/guide.md': guideNext }), { 'docs/guide.md': guideNext }],
  [
    'JSON with commas too many',
    `{"edits": [{"path": "src/add.js", "find": "  return a - b", "with": "  return a + b",},],}`,
    ADD,
  ],
  [
    'JSON with commas too many beside commas in strings',
    `{"edits": [{"path": "src/x.js", "content": "f([1,])\\nf({a,})\\n",}]}`,
    { 'src/x.js': 'f([1,])\nf({a,})\n' },
  ],
  ['one fence for one file', `I fixed it:\n\n\`\`\`js\n${fixed}\`\`\`\n`, ADD, onlyAdd],
  [
    'one fence for the one file that is named',
    `In src/cart.js quantities count now:\n\n\`\`\`js\n${cartFixed}\`\`\`\n`,
    CART,
  ],
  ['one fence without a language', `\`\`\`\n${fixed}\`\`\``, ADD, onlyAdd],
  [
    'one fence for a file with fences',
    `\`\`\`\`md\n${guideNext}\`\`\`\``,
    { 'docs/guide.md': guideNext },
    new Map([['docs/guide.md', guide]]),
  ],
]

/** Answers without edits that look as if they had some. */
export const illustrations: readonly (readonly [
  name: string,
  text: string,
  files?: ReadonlyMap<string, string>,
])[] = [
  [
    'a tag that is announced as an example',
    'A client writes, for example:\n\n<file path="src/x.js">\nexport {}\n</file>',
  ],
  [
    'a tag in a fence that is announced as an example',
    'Here is an example:\n```xml\n<file path="src/x.js">\nexport {}\n</file>\n```',
  ],
  ['a tag within a line', 'Use `<file path="src/x.js">` and `</file>` around each file.'],
  ['a tag within code', '```html\n<ul>\n<file path="src/x.js">\nx\n</file>\n</ul>\n```'],
  ['a tag without a path', '<file>\nsrc/add.js\n</file>'],
  ['remarks by path', json({ 'src/add.js': 'adds two numbers', 'src/cart.js': 'sums up a cart' })],
  ['a request of an API', json({ path: 'src/x.js', content: 'export const x = 1\nexport const y = 2\n' })],
  ['a list of names', json({ files: ['src/add.js', 'src/cart.js'] })],
  [
    'JSON that is announced as an example',
    `For example:\n${json({ edits: [{ path: 'src/x.js', content: 'x' }] })}`,
  ],
  ['one fence where two files can be meant', `\`\`\`js\n${fixed}\`\`\``],
  [
    'one fence where two files are named',
    `src/add.js and src/cart.js:\n\nLike so:\n\n\`\`\`js\n${fixed}\`\`\``,
  ],
  ['one fence with a copy of the file', `It is this:\n\n\`\`\`js\n${add}\`\`\``, onlyAdd],
  [
    'one fence with a part of the file',
    `\`\`\`js\n${cartFixed.slice(cartFixed.indexOf('export'))}\`\`\``,
    onlyCart,
  ],
  [
    'one fence with the beginning of the file',
    `\`\`\`js\n${cartFixed.split('\n').slice(0, 7).join('\n')}\n\`\`\``,
    onlyCart,
  ],
  ['one fence with something else', '```js\nimport { add } from "./add.js"\nadd(1, 2)\n```', onlyAdd],
  ['one fence with commands', '```sh\nnode src/add.js\n```', onlyAdd],
  ['one fence beside another', `\`\`\`js\n${fixed}\`\`\`\n\n\`\`\`sh\nnpm test\n\`\`\``, onlyAdd],
  [
    'one fence in an answer that changed nothing',
    `No changes are needed. It could be\n\`\`\`js\n${fixed}\`\`\``,
    onlyAdd,
  ],
]

/** Files that contain the notation in which they are written. They are read correctly or refused. */
export const confusions: readonly FormatCase[] = [
  [
    'a tag with the same tags in it',
    '<file path="docs/guide.md">\n# Guide\n<file path="src/x.js">\nexport {}\n</file>\n</file>',
    {},
  ],
  [
    'a tag with an opening tag in it',
    '<file path="docs/guide.md">\n# Guide\n<file path="src/x.js">\n</file>',
    {},
  ],
  ['a tag with a closing tag in it', '<file path="docs/guide.md">\n# Guide\n</file>\nmore\n</file>', {}],
  [
    'content with a closing tag in it',
    '<write_to_file>\n<path>docs/guide.md</path>\n<content>\na\n</content>\nb\n</content>\n</write_to_file>',
    {},
  ],
  [
    'SEARCH with a divider in its text',
    'docs/guide.md\n<<<<<<< SEARCH\n# Guide\n=======\nx\n=======\ny\n>>>>>>> REPLACE',
    {},
  ],
  [
    'SEARCH with a tag in its text',
    'src/add.js\n<<<<<<< SEARCH\n  return a - b\n=======\n<file path="src/x.js">\n</file>\n>>>>>>> REPLACE',
    { 'src/add.js': 'export function add(a, b) {\n<file path="src/x.js">\n</file>\n}\n' },
  ],
  [
    'JSON with JSON in its text',
    json({
      edits: [{ path: 'docs/x.md', content: 'Send {"edits": [{"path": "src/x.js", "content": "x"}]}\n' }],
    }),
    { 'docs/x.md': 'Send {"edits": [{"path": "src/x.js", "content": "x"}]}\n' },
  ],
  [
    'a fence with tags in it below its name',
    'docs/x.xml\n```xml\n<file path="src/x.js">\nx\n</file>\n```',
    { 'docs/x.xml': '<file path="src/x.js">\nx\n</file>\n' },
  ],
]
