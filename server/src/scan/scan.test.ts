import { expect, test } from 'vitest'
import { TaskTimeout } from '../platform/workers/workers.ts'
import { batchesOf } from './batches/batches.ts'
import { scan } from './scan.ts'

const BAD = `const { exec } = require('child_process')
const app = require('express')()
app.get('/a', (req, res) => {
  const name = req.query.name
  exec('ls ' + name)
})
`

test('a scan covers all languages and secrets', async () => {
  const key = `sk_live_${'3f9c0a7be1d2'.repeat(4).slice(0, 40)}`
  const files = [
    { path: 'src/a.js', content: BAD },
    { path: 'notes.txt', content: `key = ${key}` },
    {
      path: 'src/b.py',
      content: 'import os\nfrom flask import request\n\ndef f():\n    os.system(request.args["x"])\n',
    },
  ]
  const { findings, files: count } = await scan(files, { timeoutMs: 30_000 })
  expect(count).toBe(3)
  expect(findings.map(({ path, line, cwe }) => [path, line, cwe])).toEqual([
    ['notes.txt', 1, 798],
    ['src/a.js', 5, 78],
    ['src/b.py', 5, 78],
  ])
  expect(JSON.stringify(findings)).not.toContain(key)
})

test('with changed lines, only findings that involve them are reported; the rest is counted', async () => {
  const files = [{ path: 'src/a.js', content: `${BAD}${BAD.replace("'/a'", "'/b'")}` }]
  const changedAt = (line: number) =>
    scan(files, { timeoutMs: 30_000, changed: new Map([['src/a.js', new Set([line])]]) })
  expect(await changedAt(5)).toMatchObject({ findings: [{ line: 5 }], preexisting: 1 })
  expect(await changedAt(4), 'a step of the flow').toMatchObject({ findings: [{ line: 5 }], preexisting: 1 })
  expect(await changedAt(1)).toMatchObject({ findings: [], preexisting: 2 })
})

test('a package that publishes only compiled files is scanned; next to its sources they are skipped', async () => {
  const compiled = { path: 'dist/a.js', content: `${BAD}//# sourceMappingURL=a.js.map\n` }
  const options = { timeoutMs: 30_000 }
  expect((await scan([compiled], options)).findings).toMatchObject([{ path: 'dist/a.js', line: 5 }])
  const source = { path: 'src/a.js', content: 'exports.one = 1\n'.repeat(40) }
  expect(await scan([compiled, source], options)).toMatchObject({
    findings: [],
    skipped: [{ path: 'dist/a.js', reason: 'vendored' }],
  })
  const changed = new Map([['dist/a.js', new Set([5])]])
  expect(await scan([compiled], { ...options, changed }), 'a change').toMatchObject({ findings: [] })
  const written = { path: 'dist/a.js', content: BAD }
  expect(await scan([written], { ...options, changed }), 'by hand').toMatchObject({ findings: [{ line: 5 }] })
})

test('an aborted scan and a scan without time fail, and report no changed result', async () => {
  const files = [{ path: 'src/a.js', content: BAD }]
  await expect(scan(files, { timeoutMs: 30_000, signal: AbortSignal.abort() })).rejects.toThrow()
  await expect(scan(files, { timeoutMs: 0 })).rejects.toBeInstanceOf(TaskTimeout)
  const apart = ['a', 'b'].map((name) => ({
    path: `src/${name}.js`,
    content: `${BAD}${' \n'.repeat(300_000)}`,
  }))
  await expect(scan(apart, { timeoutMs: 1 }), 'several batches').rejects.toBeInstanceOf(TaskTimeout)
})

test('batches contain one language and have a limited size', () => {
  const files = Array.from({ length: 900 }, (_, index) => ({
    path: `src/${index}.${index % 3 ? 'js' : 'py'}`,
    content: 'x'.repeat(5_000),
  }))
  const batches = batchesOf(files).map(({ files: batch }) => batch)
  expect(batches.flat()).toHaveLength(900)
  for (const batch of batches) {
    expect(new Set(batch.map(({ path }) => path.split('.')[1])).size).toBe(1)
    expect(batch.length).toBeLessThanOrEqual(400)
  }
})

test('every batch of Java files knows the configuration of the project', async () => {
  const servlet = (name: string, use: string) => `import java.util.Properties;
import javax.servlet.http.*;
public class ${name} extends HttpServlet {
  protected void doGet(HttpServletRequest request, HttpServletResponse response) throws Exception {
    Properties settings = new Properties();
    settings.load(getClass().getClassLoader().getResourceAsStream("app.properties"));
    java.security.MessageDigest.getInstance(settings.getProperty("${use}", "SHA-256"));
  }
}
`
  const weak = Array.from({ length: 3 }, (_, index) => ({
    path: `web/src/main/java/W${index}.java`,
    content: `${servlet(`W${index}`, 'hash')}${'// x\n'.repeat(70_000)}`,
  }))
  const files = [...weak, { path: 'web/src/main/resources/app.properties', content: 'hash=MD5\n' }]
  expect(batchesOf(files), 'two of Java, one of data').toHaveLength(3)
  const { findings } = await scan(files, { timeoutMs: 60_000 })
  expect(findings.map(({ path, cwe }) => [path, cwe])).toEqual(weak.map(({ path }) => [path, 328]))
})

test('batches know the code they share, and report a fault in it once', async () => {
  const helpers = {
    path: 'app/helpers/shell.py',
    content: `import os
from flask import request

def asked():
    return request.args.get('a')

def launch(value):
    os.system('ls ' + value)
`,
  }
  const handlers = Array.from({ length: 3 }, (_, index) => ({
    path: `app/views/v${index}.py`,
    content: `import subprocess
from flask import Blueprint, request
from app.helpers import shell

views = Blueprint('v${index}', __name__)

@views.route('/v${index}')
def handle():
    shell.launch(request.args.get('b'))
    subprocess.run('ls ' + shell.asked(), shell=True)
    return 'ok'
${'\n'.repeat(380_000)}`,
  }))
  expect(batchesOf([helpers, ...handlers])).toHaveLength(2)
  const { findings, files } = await scan([helpers, ...handlers], { timeoutMs: 60_000 })
  expect(files).toBe(4)
  expect(findings.map(({ path, line }) => [path, line])).toEqual([
    ['app/helpers/shell.py', 8],
    ...handlers.map(({ path }) => [path, 10]),
  ])
})
