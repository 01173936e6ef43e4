// Beginnings of programs: a class with its fields, a small server.
import type { Language } from '../known/known.ts'

/** "a class Person with name and age" */
export function classSkeleton(text: string, language: Language, isCommon: boolean): string | undefined {
  const name = /\bclass\s+(?:called\s+|named\s+)?[`"']?([A-Za-z]\w*)/i.exec(text)?.[1]
  if (name === undefined || /^(in|for|with|to|that|and)$/i.test(name)) return undefined
  const fields = fieldsIn(text)
  if (language === 'py') return pythonClass(name, fields)
  if (language === 'ts') return typedClass(name, fields)
  if (language === 'js') return scriptClass(name, fields, isCommon)
  if (language === 'java')
    return `public class ${name} {\n${fields.map((field) => `    private String ${field};\n`).join('')}}\n`
  return undefined
}

export function serverSkeleton(text: string, language: Language, isCommon: boolean): string | undefined {
  if (!/\b(express|http|server|handler|endpoint|api|route|flask)\b/i.test(text)) return undefined
  const path = /\s(\/[\w/:-]*)/.exec(text)?.[1] ?? '/health'
  if (language === 'py') return flaskServer(path)
  if (language !== 'js' && language !== 'ts') return undefined
  return /\bexpress\b/i.test(text) ? expressServer(path, isCommon) : httpServer(path, isCommon)
}

/** "prints Hello", "hello world" */
export function printSkeleton(text: string, language: Language): string | undefined {
  const [, quoted, plain] =
    /\b(?:prints?|printing|logs?|outputs?|says?)\s+(?:[`"']([^`"'\\]+)[`"']|([\w, !]+?))\s*(?:and\b|to\b|[.;]|$)/i.exec(
      text,
    ) ?? []
  const said = quoted ?? plain ?? (/\bhello,? world\b/i.test(text) ? 'Hello, world!' : undefined)
  if (said === undefined) return undefined
  const value = JSON.stringify(said.trim())
  const programs: Readonly<Record<Language, string>> = {
    js: `console.log(${value});\n`,
    ts: `console.log(${value});\n`,
    py: `print(${value})\n`,
    go: `package main\n\nimport "fmt"\n\nfunc main() {\n\tfmt.Println(${value})\n}\n`,
    php: `<?php\n\necho ${value} . PHP_EOL;\n`,
    java: `public class Main {\n    public static void main(String[] args) {\n        System.out.println(${value});\n    }\n}\n`,
  }
  return programs[language]
}

function fieldsIn(text: string): readonly string[] {
  const list =
    /\b(?:with|having|fields?|properties|attributes)\s+(?:the\s+|a\s+|an\s+)?(?:fields?\s+|properties\s+|attributes\s+)?((?:[`"']?[A-Za-z_]\w*[`"']?(?:\s*,\s*(?:and\s+)?|\s+and\s+)?){1,12})/i.exec(
      text,
    )?.[1]
  return (list?.match(/[A-Za-z_]\w*/g) ?? []).filter(
    (word) => !/^(and|fields?|properties|a|an|the|in|to|constructor)$/i.test(word),
  )
}

function pythonClass(name: string, fields: readonly string[]): string {
  const list = fields.map((field) => `, ${field}`).join('')
  const body = fields.map((field) => `        self.${field} = ${field}`).join('\n')
  return `class ${name}:\n    def __init__(self${list}):\n${body === '' ? '        pass' : body}\n`
}

function scriptClass(name: string, fields: readonly string[], isCommon: boolean): string {
  const body = fields.map((field) => `    this.${field} = ${field};\n`).join('')
  const text = `class ${name} {\n  constructor(${fields.join(', ')}) {\n${body}  }\n}\n`
  return isCommon ? `${text}\nmodule.exports = { ${name} };\n` : `export ${text}`
}

function typedClass(name: string, fields: readonly string[]): string {
  const declared = fields.map((field) => `  ${field}: ${typeOf(field)};\n`).join('')
  const params = fields.map((field) => `${field}: ${typeOf(field)}`).join(', ')
  const body = fields.map((field) => `    this.${field} = ${field};\n`).join('')
  return `export class ${name} {\n${declared}${declared === '' ? '' : '\n'}  constructor(${params}) {\n${body}  }\n}\n`
}

/** What a field of this name usually is. */
export const typeOf = (field: string): string =>
  /^(is|has|can)[A-Z]|^(active|enabled|done|archived)$/.test(field)
    ? 'boolean'
    : /(age|count|amount|minor|price|total|year|size|length|number|quantity|id)$/i.test(field) &&
        field !== 'id'
      ? 'number'
      : 'string'

const expressServer = (
  path: string,
  isCommon: boolean,
): string => `${isCommon ? "const express = require('express');" : "import express from 'express';"}

const app = express();
app.use(express.json());

app.get('${path}', (req, res) => {
  res.json({ ok: true });
});

const port = Number(process.env.PORT ?? 3000);
app.listen(port, () => console.log('listening on ' + port));
`

const httpServer = (
  path: string,
  isCommon: boolean,
): string => `${isCommon ? "const { createServer } = require('node:http');" : "import { createServer } from 'node:http';"}

const server = createServer((request, response) => {
  const isFound = request.method === 'GET' && request.url === '${path}';
  response.writeHead(isFound ? 200 : 404, { 'content-type': 'application/json' });
  response.end(JSON.stringify(isFound ? { ok: true } : { error: 'not found' }));
});

const port = Number(process.env.PORT ?? 3000);
server.listen(port, () => console.log('listening on ' + port));
`

const flaskServer = (path: string): string => `from flask import Flask

app = Flask(__name__)


@app.get("${path}")
def ${path.replaceAll(/\W+/g, '_').replace(/^_|_$/g, '') || 'index'}():
    return {"ok": True}


if __name__ == "__main__":
    app.run(port=8000)
`
