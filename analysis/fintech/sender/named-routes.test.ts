// Webhooks whose handlers have neutral names, in Laravel and Rails: only the routes of another file tell what they receive.
import { expect, test } from 'vitest'
import { languages, textRules } from '../../all-rules.ts'
import { scanFiles } from '../../engine/scan-files.ts'

type Files = Readonly<Record<string, string>>

const unsignedIn = async (files: Files): Promise<string[]> => {
  const all = Object.entries(files).map(([path, content]) => ({ path, content }))
  const { findings, skipped } = await scanFiles(all, languages, textRules, {})
  expect(skipped).toEqual([])
  return findings.filter(({ ruleId }) => ruleId === 'FIN-HOOK-01').map(({ path }) => path)
}

const EVENT_CONTROLLER = 'app/Http/Controllers/EventController.php'
const laravel = (routes: string, method = 'store', first = '', last = ''): Files => ({
  'routes/api.php': `<?php\nuse App\\Http\\Controllers\\EventController;\n${routes}\n`,
  [EVENT_CONTROLLER]: `<?php
namespace App\\Http\\Controllers;
class EventController extends Controller {
    public function ${method}(Request $request) {
        ${first}
        $data = $request->input('data');
        $account = Account::where('number', $data['ref'])->first();
        $account->increment('balance', $data['sum']);
        ${last}
        return response()->json(['ok' => true]);
    }
}
`,
})
const CHECK = `hash_equals(hash_hmac('sha512', $request->getContent(), config('services.paystack.secret')), $request->header('x-paystack-signature'))`
const GATE: Files = {
  'app/Http/Middleware/Gate.php': `<?php
namespace App\\Http\\Middleware;
class Gate {
    public function handle($request, \\Closure $next) {
        if (!${CHECK}) { abort(401); }
        return $next($request);
    }
}
`,
}
const ROUTE = `Route::post('/webhooks/paystack', [EventController::class, 'store'])`
const GATE_CLASS = '\\App\\Http\\Middleware\\Gate::class'

test.for<[name: string, files: Files]>([
  ['a class and a method', laravel(`${ROUTE};`)],
  ['a text', laravel(`Route::post('/paystack/callback', 'EventController@store');`)],
  [
    'a class that is called',
    laravel(`Route::post('/webhooks/paystack', EventController::class);`, '__invoke'),
  ],
  [
    'a group with the word',
    laravel(
      `Route::prefix('webhooks')->group(function () {\n Route::post('/paystack', [EventController::class, 'store']);\n});`,
    ),
  ],
  ['a check after the write', laravel(`${ROUTE};`, 'store', '', `if (!${CHECK}) abort(401);`)],
  ['middleware that checks nothing', laravel(`${ROUTE}->middleware('api');`)],
])('Laravel, named by %s: an unsigned handler is reported', async ([, files]) => {
  expect(await unsignedIn(files)).toEqual([EVENT_CONTROLLER])
})

test.for<[name: string, files: Files]>([
  ['middleware by its class', { ...laravel(`${ROUTE}->middleware(${GATE_CLASS});`), ...GATE }],
  [
    'middleware by a short name',
    {
      ...laravel(`${ROUTE}->middleware('gate');`),
      ...GATE,
      'bootstrap/app.php': `<?php\nreturn Application::configure()->withMiddleware(function ($middleware) { $middleware->alias(['gate' => ${GATE_CLASS}]); });\n`,
    },
  ],
  [
    'middleware by a short name of the kernel',
    {
      ...laravel(`Route::middleware('gate')->post('/webhooks/paystack', [EventController::class, 'store']);`),
      ...GATE,
      'app/Http/Kernel.php': `<?php\nclass Kernel extends HttpKernel { protected $middlewareAliases = ['gate' => ${GATE_CLASS}]; }\n`,
    },
  ],
  [
    'middleware of the group',
    {
      ...laravel(
        `Route::middleware([${GATE_CLASS}])->prefix('webhooks')->group(function () {\n Route::post('/paystack', [EventController::class, 'store']);\n});`,
      ),
      ...GATE,
    },
  ],
  [
    'a helper of another file',
    {
      ...laravel(`${ROUTE};`, 'store', `if (!Seal::fits($request)) { return response('no', 401); }`),
      'app/Support/Seal.php': `<?php\nclass Seal {\n  public static function fits($request) {\n    return ${CHECK};\n  }\n}\n`,
    },
  ],
  ['another subject', laravel(`Route::post('/accounts', [EventController::class, 'store']);`)],
])('Laravel, with %s: nothing is reported', async ([, files]) => {
  expect(await unsignedIn(files)).toEqual([])
})

const CONTROLLER = 'app/controllers/events_controller.rb'
const TO = `post '/webhooks/paystack', to: 'events#create'`
const controller = (filters: string, write: string, action = 'create', name = 'EventsController') =>
  `class ${name} < ApplicationController\n  ${filters}\n\n  def ${action}\n    account = Account.find_by(number: params[:data][:ref])\n    ${write}\n    head :ok\n  end\nend\n`
const SUM = 'params[:data][:sum]'
const INCREMENT = `account.increment!(:balance, ${SUM})`
const rails = (route: string, file: string, more: Files = {}): Files => ({
  'config/routes.rb': `Rails.application.routes.draw do\n  ${route}\nend\n`,
  [CONTROLLER]: file,
  ...more,
})
const METHOD = `def check_it
    own = OpenSSL::HMAC.hexdigest('SHA512', ENV['PAYSTACK_SECRET'], request.raw_post)
    head :unauthorized unless ActiveSupport::SecurityUtils.secure_compare(own, request.headers['x-paystack-signature'].to_s)
  end`
const base = (filter: string, method = METHOD): Files => ({
  'app/controllers/application_controller.rb': `class ApplicationController < ActionController::API\n  ${filter}\n  private\n  ${method}\nend\n`,
})

test.for<[name: string, files: Files]>([
  ['increment!', rails(TO, controller('', INCREMENT))],
  ['update!', rails(TO, controller('', `account.update!(balance: account.balance + ${SUM})`))],
  ['save!', rails(TO, controller('', `account.balance += ${SUM}\n    account.save!`))],
  ['update_counters', rails(TO, controller('', `Account.update_counters(account.id, balance: ${SUM})`))],
  ['increment_counter', rails(TO, controller('', 'Account.increment_counter(:balance, account.id)'))],
  [
    'update_all',
    rails(TO, controller('', `Account.where(id: account.id).update_all(['balance = balance + ?', ${SUM}])`)),
  ],
  ['a short route', rails(`post '/webhooks/paystack' => 'events#create'`, controller('', INCREMENT))],
  [
    'a namespace',
    rails(
      `namespace :webhooks do\n    post 'paystack', to: 'events#create'\n  end`,
      controller('', INCREMENT, 'create', 'Webhooks::EventsController'),
    ),
  ],
  [
    'a filter for another action',
    rails(TO, controller('before_action :check_it, only: [:index]', INCREMENT), base('')),
  ],
  [
    'a filter except this action',
    rails(TO, controller('before_action :check_it, except: :create', INCREMENT), base('')),
  ],
  [
    'a skipped filter',
    rails(TO, controller('skip_before_action :check_it', INCREMENT), base('before_action :check_it')),
  ],
  [
    'a filter that does not stop',
    rails(
      TO,
      controller('before_action :check_it', INCREMENT),
      base('', 'def check_it\n    Rails.logger.info(request.headers["x"])\n  end'),
    ),
  ],
])('Rails, with %s: an unsigned handler is reported', async ([, files]) => {
  expect(await unsignedIn(files)).toEqual([CONTROLLER])
})

test.for<[name: string, files: Files]>([
  ['a filter of the base class', rails(TO, controller('before_action :check_it', INCREMENT), base(''))],
  ['an inherited filter', rails(TO, controller('', INCREMENT), base('before_action :check_it'))],
  [
    'a filter for this action',
    rails(TO, controller('before_action :check_it, only: %i[create]', INCREMENT), base('')),
  ],
  [
    'a filter of a concern',
    rails(TO, controller('include Sealed', INCREMENT), {
      'app/controllers/concerns/sealed.rb': `module Sealed\n  extend ActiveSupport::Concern\n  included do\n    before_action :check_it\n  end\n  ${METHOD}\nend\n`,
    }),
  ],
  [
    'a helper of another file',
    rails(TO, controller('', `return head(:unauthorized) unless Seal.fits?(request)\n    ${INCREMENT}`), {
      'app/lib/seal.rb': `class Seal\n  def self.fits?(request)\n    own = OpenSSL::HMAC.hexdigest('SHA512', ENV['PAYSTACK_SECRET'], request.raw_post)\n    ActiveSupport::SecurityUtils.secure_compare(own, request.headers['x-paystack-signature'])\n  end\nend\n`,
    }),
  ],
  ['another subject', rails(`post '/accounts', to: 'events#create'`, controller('', INCREMENT))],
])('Rails, with %s: nothing is reported', async ([, files]) => {
  expect(await unsignedIn(files)).toEqual([])
})
