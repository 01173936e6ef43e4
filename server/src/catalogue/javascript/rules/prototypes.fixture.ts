import type { Example } from '../../example.fixture.ts'

export const examples: readonly Example[] = [
  {
    rule: 'JS-PROTO-01',
    bad: [
      `function merge(target, source) {
  for (const key in source) {
    if (typeof source[key] === 'object' && typeof target[key] === 'object') merge(target[key], source[key])
    else target[key] = source[key] // ← here
  }
  return target
}
module.exports = merge`,
      `module.exports = function set(object, path, value) {
  var keys = path.split('.')
  for (var i = 0; i < keys.length - 1; i++) {
    var key = keys[i]
    if (!object[key]) object[key] = {}
    object = object[key]
  }
  object[keys[keys.length - 1]] = value // ← here
}`,
      `export function setIn(obj, path, value) {
  const parts = path.split('.')
  const last = parts.pop()
  let node = obj
  parts.forEach((part) => {
    node = node[part] = node[part] || {}
  })
  node[last] = value // ← here
}`,
      `export const put = (root, [head, ...rest], value) => {
  if (rest.length === 0) root[head] = value // ← here
  else put(root[head], rest, value)
}`,
      `function extend() {
  var target = arguments[0] || {}
  for (var i = 1; i < arguments.length; i++) {
    var options = arguments[i]
    for (var name in options) {
      var src = target[name], copy = options[name]
      if (copy && isPlainObject(copy)) target[name] = extend(src && isPlainObject(src) ? src : {}, copy) // ← here
      else if (copy !== undefined) target[name] = copy
    }
  }
  return target
}
exports.extend = extend`,
      `exports.unflatten = function (flat) {
  const result = {}
  for (const path of Object.keys(flat)) {
    const keys = path.split('.')
    const last = keys.pop()
    let node = result
    for (const key of keys) node = node[key] || (node[key] = {})
    node[last] = flat[path] // ← here
  }
  return result
}`,
      `function find(object, parts) {
  while (object && parts.length) {
    const part = parts.shift()
    object = object[part]
  }
  return object
}
exports.set = function (object, parts, value) {
  const last = parts.pop()
  object = find(object, parts)
  object[last] = value // ← here
}`,
      `exports.set = function (object, path, value) {
  const keys = path.split('.')
  const last = keys.pop()
  keys.reduce((node, key) => node[key], object)[last] = value // ← here
}`,
      `exports.deep = function (host, donor) { Object.keys(donor).forEach(copier(host, donor)) }
function copier(host, donor) {
  return function (key) {
    if (typeof host[key] === 'object') exports.deep(host[key], donor[key])
    else host[key] = donor[key] // ← here
  }
}`,
    ],
    good: [
      `function merge(target, source) {
  for (const key in source) {
    if (key === '__proto__' || key === 'constructor') continue
    if (typeof source[key] === 'object') merge(target[key], source[key])
    else target[key] = source[key]
  }
}
module.exports = merge`,
      `function clone(value) {
  const copy = {}
  for (const key in value) copy[key] = typeof value[key] === 'object' ? clone(value[key]) : value[key]
  return copy
}
module.exports = clone`,
      `function merge(target, source) {
  for (const key of Object.keys(source)) {
    if (Object.prototype.hasOwnProperty.call(target, key) && typeof target[key] === 'object') merge(target[key], source[key])
    else target[key] = source[key]
  }
}
exports.merge = merge`,
      `function walk(node, visitor) {
  for (const key in node) if (typeof node[key] === 'object') node[key] = walk(node[key], visitor)
  return visitor(node)
}
exports.walk = walk`,
      `exports.get = function (object, path) {
  var keys = path.split('.')
  for (var i = 0; i < keys.length; i++) object = object[keys[i]]
  return object
}`,
      `exports.fill = function (list, value) {
  for (var i = 0; i < list.length; i++) list[i] = value
  return list
}`,
      `exports.assign = function (target, source) {
  for (const key of Object.keys(source)) target[key] = source[key]
  return target
}`,
      `exports.unflatten = function (flat) {
  const result = {}
  for (const path of Object.keys(flat)) {
    let node = result
    for (const key of path.split('.')) {
      if (key === '__proto__' || key === 'constructor') break
      node = node[key] || (node[key] = {})
    }
    node[path] = flat[path]
  }
  return result
}`,
      `exports.set = function (object, path, value) {
  let parent = object
  let key = ''
  for (const part of path.split('.')) {
    if (Object.getOwnPropertyNames(object).indexOf(part) === -1) return undefined
    parent = object
    key = part
    object = object[part]
  }
  parent[key] = value
}`,
      `exports.get = function (object, path) { return path.split('.').reduce((node, key) => node && node[key], object) }`,
      `exports.cast = function cast(schema, object, options, context) {
  const keys = Object.keys(object)
  let i = keys.length
  while (i--) {
    const key = keys[i]
    if (typeof object[key] === 'object') object[key] = cast(schema, object[key], options, context)
  }
  return object
}`,
    ],
  },
]
