// The package of each grammar. The production image keeps these files and deletes the rest of the packages.

const vscode = (name: string): string => `@vscode/tree-sitter-wasm/wasm/tree-sitter-${name}.wasm`

export const GRAMMAR_FILES: Readonly<Record<string, string>> = {
  c: 'tree-sitter-c/tree-sitter-c.wasm',
  cpp: vscode('cpp'),
  // The grammar in @vscode/tree-sitter-wasm does not parse an empty collection expression.
  'c-sharp': 'tree-sitter-c-sharp/tree-sitter-c_sharp.wasm',
  css: vscode('css'),
  dart: '@lumis-sh/wasm-dart/tree-sitter-dart.wasm',
  go: vscode('go'),
  html: 'tree-sitter-html/tree-sitter-html.wasm',
  java: vscode('java'),
  javascript: vscode('javascript'),
  json: 'tree-sitter-json/tree-sitter-json.wasm',
  kotlin: '@tree-sitter-grammars/tree-sitter-kotlin/tree-sitter-kotlin.wasm',
  php: vscode('php'),
  python: vscode('python'),
  ruby: vscode('ruby'),
  rust: vscode('rust'),
  scala: 'tree-sitter-scala/tree-sitter-scala.wasm',
  tsx: vscode('tsx'),
  typescript: vscode('typescript'),
}
