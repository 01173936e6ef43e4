const path = require('path'), { readEntries } = require('./format'), { save } = require('./save')

exports.extractAll = async (source, options) => {
  for (const file of await readEntries(source)) {
    const target = path.join(options.folder, file.path) // ← here
    await save(target, file.content)
  }
}

exports.run = (source) => exports.extractAll(source, { folder: '.' })
