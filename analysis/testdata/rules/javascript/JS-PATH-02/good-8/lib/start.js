const path = require('path'), { listFiles } = require('./files'), { save } = require('./save')

exports.extractAll = async (options) => {
  for (const file of await listFiles()) {
    const target = path.join(options.folder, file.path)
    await save(target, file.content)
  }
}

exports.run = () => exports.extractAll({ folder: '.' })
