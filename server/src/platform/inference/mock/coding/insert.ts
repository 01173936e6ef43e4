// Puts a function into a file the way the file is written: its module system, its indentation, its imports.
import type { Language, Written } from '../known/known.ts'
import { closingOf } from './brackets.ts'
import { inStyleOf } from './language.ts'
import type { Workspace } from './workspace.ts'

/** The file with the function at its end, and exported. */
export function withFunction(file: string, written: Written, language: Language, isCommon: boolean): string {
  const code = inStyleOf(file, written.code, language)
  if (language === 'js' || language === 'ts') return withScript(file, code, written.name, isCommon)
  if (language === 'java') return withMethod(file, code)
  if (language === 'go') return joined(file === '' ? 'package main\n' : file, code, 1)
  if (language === 'php') return joined(file === '' ? '<?php\n' : file, code, 1)
  return joined(withImports(file, written.imports), code, 2)
}

/** Imports go below the ones that are there, or below the opening docstring. */
export function withImports(file: string, imports: readonly string[]): string {
  const missing = imports.filter((line) => !file.split('\n').includes(line))
  if (missing.length === 0) return file
  const lines = file.split('\n')
  const last = lines.findLastIndex((line) => IMPORT.test(line))
  const top = last >= 0 ? last + 1 : /^("""|''')/.test(file) ? endOfDocstring(lines) : 0
  const rest = lines.slice(top)
  const gap = last < 0 && rest.join('').trim() !== '' && rest[0] !== '' ? blanksBelow(missing) : []
  return [...lines.slice(0, top), ...missing, ...gap, ...rest].join('\n')
}

/** Python leaves two lines below its imports; a script, whose imports have quotes, leaves one. */
const blanksBelow = ([first = '']: readonly string[]): readonly string[] =>
  /['"]/.test(first) ? [''] : ['', '']

const IMPORT = /^(import|from)\s+[\w{*'"]|^const\s.*=\s*require\(/

/** Scripts that `require` are answered with `module.exports`. */
export function isCommonJs(workspace: Workspace, path: string): boolean {
  if (/\.(mjs|ts|tsx|mts)$/.test(path)) return false
  if (path.endsWith('.cjs')) return true
  const own = workspace.files.get(path) ?? ''
  if (/^\s*(import\b.*\bfrom\b|export\b)/m.test(own)) return false
  if (/\brequire\(|\bmodule\.exports\b/.test(own)) return true
  if (/"type"\s*:\s*"module"/.test(workspace.files.get('package.json') ?? '')) return false
  return [...workspace.files].some(
    ([other, text]) => /\.c?js$/.test(other) && /\brequire\(|\bmodule\.exports\b/.test(text.slice(0, 50_000)),
  )
}

/** Makes a name that the file has visible to others. Null when it is, or cannot be made so here. */
export function withExport(file: string, name: string, isCommon: boolean): string | null {
  if (isCommon) return withCommonExport(file, name)
  const definition = new RegExp(
    `^(?=(?:async +)?function\\*? *${name}\\b|(?:const|let|var|class) +${name}\\b)`,
    'm',
  )
  return definition.test(file) ? file.replace(definition, 'export ') : null
}

function withScript(file: string, code: string, name: string, isCommon: boolean): string {
  if (!isCommon) return joined(file, `export ${code}`, 1)
  const list = /^module\.exports\s*=\s*\{/m.exec(file)
  if (list === null)
    return joined(joined(file, code, 1), `module.exports.${name} = ${name}${endOfLine(file)}`, 1)
  const before = file.slice(0, list.index).trimEnd()
  return `${before}\n\n${code}\n\n${withCommonExport(file.slice(list.index), name) ?? file.slice(list.index)}`
}

function withCommonExport(file: string, name: string): string | null {
  const list = /module\.exports\s*=\s*\{/.exec(file)
  if (list === null) return joined(file, `module.exports.${name} = ${name}${endOfLine(file)}`, 1)
  const open = list.index + list[0].length - 1
  const close = closingOf(file, open, 'js')
  if (close === undefined) return null
  const inside = file.slice(open + 1, close)
  if (new RegExp(`\\b${name}\\b`).test(inside)) return null
  const kept = inside.trimEnd().replace(/,$/, '')
  const isLong = inside.includes('\n')
  const indent = /\n([ \t]+)\S/.exec(inside)?.[1] ?? '  '
  const added = isLong
    ? `${kept},\n${indent}${name},\n`
    : kept.trim() === ''
      ? ` ${name} `
      : `${kept}, ${name} `
  return file.slice(0, open + 1) + added + file.slice(close)
}

/** A Java method goes before the last brace of its class. */
function withMethod(file: string, code: string): string {
  const indented = code.replaceAll(/^(?=.)/gm, '    ')
  const last = file.lastIndexOf('}')
  if (last < 0) return `public class Main {\n${indented}\n}\n`
  return `${file.slice(0, last).trimEnd()}\n\n${indented}\n${file.slice(last)}`
}

const endOfLine = (file: string): string => (/;$/m.test(file) || !/\n/.test(file) ? ';' : '')

function joined(file: string, code: string, blankLines: number): string {
  const before = file.trimEnd()
  return before === '' ? `${code}\n` : `${before}${'\n'.repeat(blankLines + 1)}${code}\n`
}

function endOfDocstring(lines: readonly string[]): number {
  const isOneLine = /^("""|''').*\1\s*$/.test(lines[0] ?? '') && (lines[0] ?? '').trim().length > 5
  return isOneLine ? 1 : lines.findIndex((line, i) => i > 0 && /("""|''')\s*$/.test(line)) + 1
}
