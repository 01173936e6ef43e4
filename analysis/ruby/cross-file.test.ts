import { describe, expect, test } from 'vitest'
import { scanFiles } from '../engine/scan-files.ts'
import { ruby } from './ruby.ts'

async function found(files: Readonly<Record<string, string>>): Promise<string[]> {
  const all = Object.entries(files).map(([path, content]) => ({ path, content }))
  const { findings } = await scanFiles(all, [ruby], [], {})
  return findings.map(({ ruleId, path, line }) => `${ruleId} ${path}:${line}`)
}

const MODEL =
  'class User < ApplicationRecord\n  def self.search(text)\n    where("name = \'#{text}\'")\n  end\nend\n'
const controller = (body: string) =>
  `class UsersController < ApplicationController\n  def index\n    ${body}\n  end\nend\n`

describe('input of a controller', () => {
  test('is followed into a model of another file', async () => {
    const files = {
      'app/models/user.rb': MODEL,
      'app/controllers/users_controller.rb': controller('User.search(params[:q])'),
    }
    expect(await found(files)).toEqual(['RB-SQL-01 app/models/user.rb:3'])
  })

  test('is followed into a class of a module, through a block and an attribute', async () => {
    const files = {
      'lib/shop/runner.rb':
        'module Shop\n  class Runner\n    attr_reader :dir\n    def initialize(dir)\n      @dir = dir\n    end\n    def each\n      yield dir\n    end\n  end\nend\n',
      'app/controllers/users_controller.rb': controller(
        'Shop::Runner.new(params[:dir]).each { |dir| system("ls #{dir}") }',
      ),
    }
    expect(await found(files)).toEqual(['RB-CMD-01 app/controllers/users_controller.rb:3'])
  })
})

test('params outside of web code are not input', async () => {
  expect(
    await found({ 'lib/job.rb': 'class Job\n  def run\n    system("ls #{params[:dir]}")\n  end\nend\n' }),
  ).toEqual([])
})

test('a template is read at its lines, without its comments and text', async () => {
  const content =
    '<h1>raw params[:a]</h1>\n<%# raw params[:b] %>\n<% if true -%>\n<%= raw params[:c] %>\n<% end %>\n'
  expect(await found({ 'app/views/a.html.erb': content })).toEqual(['RB-XSS-01 app/views/a.html.erb:4'])
})

test.for([
  'class A; def (',
  '<<~A\n#{<<~B}\n',
  'case x\nin {a: [*, {b: ',
  '%w[',
  `${'['.repeat(2_000)}`,
  '-> { -> { _1 } }',
])('hostile text is read or named: %s', async (content) => {
  const { skipped } = await scanFiles([{ path: 'a.rb', content }], [ruby], [], {
    onFailure: (_, error) => {
      throw error
    },
  })
  expect(skipped.filter(({ reason }) => reason === 'failed')).toEqual([])
})
