class Runner extends Driver {
  has(name) { return this.query("select * from tables where name = '" + name + "'") }
}
module.exports = Runner
