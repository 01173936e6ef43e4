export function named(baseClass) {
  const make = new Function('base', `return class ${baseClass.name} extends base {}`)
  return make(baseClass)
}
