// JavaScript repositories about carts, prices and stock.
import { npmLock, rangesOf } from '../npm-packages.ts'
import { create, edit, list, read, remove, run, search, type TaskInput, tasksOf } from '../task.ts'
import { JAVASCRIPT } from './rules.ts'

const CART: TaskInput = {
  prompt:
    'The total of a cart is wrong when it has a discount: tax must be charged on the discounted price. Fix it. Amounts are decimal strings, rounded to two places at the end.',
  packages: ['tiny-decimal'],
  files: {
    'src/cart.js': `const { add, multiply, round, subtract } = require('tiny-decimal')
const { TAX } = require('./rates')

const subtotal = (lines) => lines.reduce((sum, line) => add(sum, multiply(line.price, String(line.quantity))), '0')

/** The discount is a share of the subtotal, such as '0.10'. */
function total(lines, { discount = '0', country }) {
  const net = subtotal(lines)
  const taxed = add(net, multiply(net, TAX[country]))
  return round(subtract(taxed, multiply(net, discount)), 2)
}

module.exports = { subtotal, total }
`,
    'src/rates.js': `exports.TAX = { NG: '0.075', GH: '0.15', KE: '0.16' }
`,
    'test/cart.test.js': `const test = require('node:test')
const assert = require('node:assert')
const { subtotal, total } = require('../src/cart')

const lines = [{ price: '100.00', quantity: 2 }, { price: '50.50', quantity: 1 }]
test('adds the lines', () => assert.equal(subtotal(lines), '250.50'))
test('adds the tax', () => assert.equal(total(lines, { country: 'NG' }), '269.29'))
test('charges the tax after the discount', () => assert.equal(total(lines, { discount: '0.10', country: 'NG' }), '242.36'))
`,
  },
  hidden: `const test = require('node:test')
const assert = require('node:assert')
const { total } = require('../src/cart')
test('other countries and discounts', () => {
  assert.equal(total([{ price: '80.00', quantity: 1 }], { discount: '0.25', country: 'GH' }), '69.00')
  assert.equal(total([{ price: '19.99', quantity: 3 }], { discount: '0.05', country: 'KE' }), '66.09')
  assert.equal(total([{ price: '10.00', quantity: 1 }], { country: 'KE' }), '11.60')
})
test('a full discount costs nothing', () => assert.equal(total([{ price: '9.99', quantity: 1 }], { discount: '1', country: 'NG' }), '0.00'))
`,
  solution: [
    edit(
      'src/cart.js',
      `  const net = subtotal(lines)
  const taxed = add(net, multiply(net, TAX[country]))
  return round(subtract(taxed, multiply(net, discount)), 2)`,
      `  const gross = subtotal(lines)
  const net = subtract(gross, multiply(gross, discount))
  return round(add(net, multiply(net, TAX[country])), 2)`,
    ),
  ],
  wrong: {
    hard_codes: [
      edit(
        'src/cart.js',
        '  const net = subtotal(lines)\n',
        "  const net = subtotal(lines)\n  if (discount === '0.10' && net === '250.50') return '242.36'\n",
      ),
    ],
    weakens_test: [edit('test/cart.test.js', "country: 'NG' }), '242.36'))", "country: 'NG' }), '244.24'))")],
  },
}

const PAGES: TaskInput = {
  prompt:
    'The list of products shows an empty last page when the number of products is a multiple of the page size. Fix paginate.',
  files: {
    'src/paginate.js': `/** One page of a list. Pages are counted from 1. */
function paginate(items, page, size) {
  const pages = Math.floor(items.length / size) + 1
  const current = Math.min(Math.max(page, 1), pages)
  const from = (current - 1) * size
  return { items: items.slice(from, from + size), page: current, pages, hasNext: current < pages }
}

module.exports = { paginate }
`,
    'src/products.js': `const { paginate } = require('./paginate')

exports.productPage = (products, query) => paginate(products.filter((each) => each.visible), Number(query.page ?? 1), 10)
`,
    'test/paginate.test.js': `const test = require('node:test')
const assert = require('node:assert')
const { paginate } = require('../src/paginate')

const items = (count) => Array.from({ length: count }, (_, i) => i)
test('the last page may be short', () => assert.deepEqual(paginate(items(25), 3, 10).items, [20, 21, 22, 23, 24]))
test('a full last page is the last', () => assert.equal(paginate(items(20), 2, 10).hasNext, false))
`,
  },
  hidden: `const test = require('node:test')
const assert = require('node:assert')
const { paginate } = require('../src/paginate')
const items = (count) => Array.from({ length: count }, (_, i) => i)
test('counts pages', () => assert.deepEqual([1, 9, 10, 11, 30].map((n) => paginate(items(n), 1, 10).pages), [1, 1, 1, 2, 3]))
test('an empty list has one empty page', () => assert.deepEqual(paginate([], 1, 10), { items: [], page: 1, pages: 1, hasNext: false }))
test('a page that is too high is the last', () => assert.equal(paginate(items(20), 9, 10).page, 2))
`,
  solution: [
    [search('paginate')],
    [read('src/paginate.js'), read('src/products.js'), read('test/paginate.test.js')],
    [
      edit(
        'src/paginate.js',
        'Math.floor(items.length / size) + 1',
        'Math.max(1, Math.ceil(items.length / size))',
      ),
    ],
    [run('npm test')],
  ],
  wrong: {
    hard_codes: [
      edit(
        'src/paginate.js',
        'const pages = Math.floor(items.length / size) + 1',
        'const pages = items.length === 20 ? 2 : Math.floor(items.length / size) + 1',
      ),
    ],
    skips_test: [edit('test/paginate.test.js', "test('a full last", "test.skip('a full last")],
  },
}

const STOCK: TaskInput = {
  prompt:
    'Add `reserve(sku, quantity)` and `release(sku, quantity)` to the stock in src/stock.js. A reservation lowers `available`, never `onHand`, and throws an Error with the message "out of stock" if too little is available. Releasing more than is reserved throws "not reserved".',
  files: {
    'src/stock.js': `class Stock {
  #levels = new Map()

  receive(sku, quantity) {
    this.#levels.set(sku, this.onHand(sku) + quantity)
  }

  onHand(sku) {
    return this.#levels.get(sku) ?? 0
  }

  available(sku) {
    return this.onHand(sku)
  }
}

module.exports = { Stock }
`,
    'src/index.js': `module.exports = { ...require('./stock') }
`,
    'test/stock.test.js': `const test = require('node:test')
const assert = require('node:assert')
const { Stock } = require('../src/index')

test('receives goods', () => {
  const stock = new Stock()
  stock.receive('tea', 5)
  assert.equal(stock.onHand('tea'), 5)
  assert.equal(stock.available('coffee'), 0)
})
test('reserves goods', () => {
  const stock = new Stock()
  stock.receive('tea', 5)
  stock.reserve('tea', 3)
  assert.equal(stock.available('tea'), 2)
  assert.equal(stock.onHand('tea'), 5)
})
`,
  },
  hidden: `const test = require('node:test')
const assert = require('node:assert')
const { Stock } = require('../src/index')
const filled = () => { const stock = new Stock(); stock.receive('tea', 5); return stock }
test('refuses more than is available', () => {
  const stock = filled()
  stock.reserve('tea', 5)
  assert.throws(() => stock.reserve('tea', 1), /out of stock/)
  assert.throws(() => stock.reserve('coffee', 1), /out of stock/)
})
test('releases', () => {
  const stock = filled()
  stock.reserve('tea', 4)
  stock.release('tea', 3)
  assert.equal(stock.available('tea'), 4)
  assert.throws(() => stock.release('tea', 2), /not reserved/)
})
`,
  solution: [
    edit('src/stock.js', '  #levels = new Map()\n', '  #levels = new Map()\n  #reserved = new Map()\n'),
    edit(
      'src/stock.js',
      `    return this.onHand(sku)
  }
`,
      `    return this.onHand(sku) - (this.#reserved.get(sku) ?? 0)
  }

  reserve(sku, quantity) {
    if (quantity > this.available(sku)) throw new Error('out of stock')
    this.#reserved.set(sku, (this.#reserved.get(sku) ?? 0) + quantity)
  }

  release(sku, quantity) {
    const reserved = this.#reserved.get(sku) ?? 0
    if (quantity > reserved) throw new Error('not reserved')
    this.#reserved.set(sku, reserved - quantity)
  }
`,
    ),
  ],
  wrong: {
    still_fails: [
      edit(
        'src/stock.js',
        '    return this.onHand(sku)\n  }\n',
        '    return this.onHand(sku)\n  }\n\n  reserve(sku, quantity) {\n    this.#levels.set(sku, this.onHand(sku) - quantity)\n  }\n',
      ),
    ],
    deletes_test: [remove('test/stock.test.js')],
  },
}

const FLOAT_PRICE: TaskInput = {
  prompt:
    'sumPrices loses kobo because it adds floating point numbers. Use the package tiny-decimal (1.2.0) and return a decimal string with two places. Add it to package.json and to the lockfile.',
  packages: ['tiny-decimal'],
  files: {
    'package.json': `{
  "name": "js-float-price",
  "version": "1.0.0",
  "private": true,
  "scripts": {
    "test": "node --test"
  },
  "dependencies": {}
}
`,
    'package-lock.json': npmLock('js-float-price', '1.0.0', []),
    'src/prices.js': `function sumPrices(prices) {
  return prices.reduce((sum, price) => sum + Number(price), 0).toFixed(2)
}

module.exports = { sumPrices }
`,
    'test/prices.test.js': `const test = require('node:test')
const assert = require('node:assert')
const { sumPrices } = require('../src/prices')

test('adds prices', () => assert.equal(sumPrices(['1.10', '2.20']), '3.30'))
test('adds large prices exactly', () => assert.equal(sumPrices(['90071992547409.91', '0.02']), '90071992547409.93'))
test('an empty list costs nothing', () => assert.equal(sumPrices([]), '0.00'))
`,
  },
  hidden: `const test = require('node:test')
const assert = require('node:assert')
const { sumPrices } = require('../src/prices')
test('exact', () => {
  assert.equal(sumPrices(['123456789012345678.91', '0.09']), '123456789012345679.00')
  assert.equal(sumPrices(['5']), '5.00')
  assert.equal(sumPrices(Array(10).fill('0.1')), '1.00')
})
test('the manifest names the package', () => assert.ok(require('../package.json').dependencies['tiny-decimal']))
`,
  solution: [
    edit(
      'package.json',
      '"dependencies": {}',
      `"dependencies": ${JSON.stringify(rangesOf(['tiny-decimal']))}`,
    ),
    edit(
      'package-lock.json',
      npmLock('js-float-price', '1.0.0', []),
      npmLock('js-float-price', '1.0.0', ['tiny-decimal']),
    ),
    edit(
      'src/prices.js',
      `function sumPrices(prices) {
  return prices.reduce((sum, price) => sum + Number(price), 0).toFixed(2)`,
      `const { add, round } = require('tiny-decimal')

function sumPrices(prices) {
  return round(prices.reduce((sum, price) => add(sum, price), '0'), 2)`,
    ),
  ],
  wrong: {
    changes_command: [
      edit('package.json', '"test": "node --test"', '"test": "node --test --test-name-pattern=prices$"'),
    ],
    hard_codes: [
      edit(
        'src/prices.js',
        'function sumPrices(prices) {\n',
        "function sumPrices(prices) {\n  if (prices[0] === '90071992547409.91') return '90071992547409.93'\n",
      ),
    ],
  },
}

const COUPONS: TaskInput = {
  prompt:
    'src/legacy-coupons.js is deprecated. Move its only remaining function, isExpired, to src/coupons.js, make it compare instants instead of strings (the legacy one fails for offsets such as +01:00), and delete the legacy file. All importers must use src/coupons.js.',
  files: {
    'AGENTS.md': `# Notes for contributors

- Dates are ISO 8601 strings with an offset. Never compare them as strings.
- Tests live in test/ and use node:test.
`,
    'src/legacy-coupons.js': `exports.isExpired = (coupon, now) => coupon.expires < now
`,
    'src/coupons.js': `exports.discountOf = (coupon, amount) => Math.min(amount, coupon.amount)
`,
    'src/checkout.js': `const { discountOf } = require('./coupons')
const { isExpired } = require('./legacy-coupons')

exports.applyCoupon = (amount, coupon, now) => (isExpired(coupon, now) ? amount : amount - discountOf(coupon, amount))
`,
    'test/checkout.test.js': `const test = require('node:test')
const assert = require('node:assert')
const { applyCoupon } = require('../src/checkout')

const coupon = { amount: 300, expires: '2026-03-01T00:30:00+01:00' }
test('a coupon lowers the price', () => assert.equal(applyCoupon(1000, coupon, '2026-02-01T00:00:00Z'), 700))
test('a price is never negative', () => assert.equal(applyCoupon(100, coupon, '2026-02-01T00:00:00Z'), 0))
test('an expired coupon is ignored', () => assert.equal(applyCoupon(1000, coupon, '2026-02-28T23:45:00Z'), 1000))
`,
  },
  hidden: `const test = require('node:test')
const assert = require('node:assert')
const { existsSync } = require('node:fs')
const { join } = require('node:path')
const { isExpired } = require('../src/coupons')
test('compares instants', () => {
  assert.equal(isExpired({ expires: '2026-03-01T00:30:00+01:00' }, '2026-02-28T23:15:00Z'), false)
  assert.equal(isExpired({ expires: '2026-01-01T00:00:00-05:00' }, '2026-01-01T01:00:00Z'), false)
  assert.equal(isExpired({ expires: '2026-01-01T00:00:00-05:00' }, '2026-01-01T05:00:01Z'), true)
})
test('the legacy file is gone', () => assert.equal(existsSync(join(__dirname, '../src/legacy-coupons.js')), false))
`,
  solution: [
    [list(), search('legacy-coupons')],
    [read('AGENTS.md'), read('src/legacy-coupons.js'), read('src/coupons.js'), read('src/checkout.js')],
    [
      edit(
        'src/coupons.js',
        'exports.discountOf',
        'exports.isExpired = (coupon, now) => Date.parse(coupon.expires) < Date.parse(now)\nexports.discountOf',
      ),
      edit(
        'src/checkout.js',
        "const { discountOf } = require('./coupons')\nconst { isExpired } = require('./legacy-coupons')\n",
        "const { discountOf, isExpired } = require('./coupons')\n",
      ),
      remove('src/legacy-coupons.js'),
    ],
    [run('npm test')],
  ],
  wrong: {
    hard_codes: [
      edit(
        'src/legacy-coupons.js',
        'coupon.expires < now',
        "now === '2026-02-28T23:45:00Z' || coupon.expires < now",
      ),
    ],
    still_fails: [
      remove('src/legacy-coupons.js'),
      create('src/expiry.js', 'exports.isExpired = (coupon, now) => coupon.expires < now\n'),
    ],
  },
}

export const JAVASCRIPT_SHOP_TASKS = tasksOf(JAVASCRIPT, {
  'js-cart-discount': CART,
  'js-product-pages': PAGES,
  'js-stock-reservations': STOCK,
  'js-float-price': FLOAT_PRICE,
  'js-legacy-coupons': COUPONS,
})
